"""Writes the key table of the registry into README.md: `python -m tests.tools.readme_keys`."""

from pathlib import Path

from workbench.tui.commands.registry import key_table

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- keys: python -m tests.tools.readme_keys -->\n", "<!-- end of keys -->"


def with_table(text: str) -> str:
    """README's text with the table between its two marks made anew."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("README.md has lost the marks around its key table")
    return f"{before}{BEGIN}{key_table()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text()))
