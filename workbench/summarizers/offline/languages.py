"""Languages by the endings of file names: what a fence is marked with, and what people call them."""

_BY_ENDING = {
    "py": ("python", "Python"), "pyi": ("python", "Python"), "go": ("go", "Go"), "rs": ("rust", "Rust"),
    "ts": ("ts", "TypeScript"), "tsx": ("tsx", "TypeScript with JSX"), "js": ("js", "JavaScript"), "mjs": ("js", "JavaScript"),
    "jsx": ("jsx", "JavaScript with JSX"), "svelte": ("svelte", "Svelte"), "vue": ("vue", "Vue"), "rb": ("ruby", "Ruby"),
    "ex": ("elixir", "Elixir"), "exs": ("elixir", "Elixir"), "heex": ("heex", "HEEx templates"), "java": ("java", "Java"),
    "kt": ("kotlin", "Kotlin"), "swift": ("swift", "Swift"), "c": ("c", "C"), "h": ("c", "C"), "cc": ("cpp", "C++"),
    "cpp": ("cpp", "C++"), "hpp": ("cpp", "C++"), "cs": ("csharp", "C#"), "php": ("php", "PHP"), "sql": ("sql", "SQL"),
    "sh": ("sh", "shell scripts"), "bash": ("sh", "shell scripts"), "css": ("css", "CSS"), "scss": ("scss", "Sass"),
    "html": ("html", "HTML"), "yml": ("yaml", "YAML"), "yaml": ("yaml", "YAML"), "toml": ("toml", "TOML"),
    "json": ("json", "JSON"), "md": ("md", "Markdown"), "proto": ("proto", "Protocol Buffers"), "ipynb": ("python", "notebooks"),
    "tf": ("hcl", "Terraform"), "lua": ("lua", "Lua"), "zig": ("zig", "Zig"), "dart": ("dart", "Dart"),
    "scala": ("scala", "Scala"),
}  # fmt: skip


def _of(path: str) -> tuple[str, str]:
    return _BY_ENDING.get(path.rpartition(".")[2].casefold(), ("", ""))


def fence_of(path: str) -> str:
    """The mark of a fence with code of that file; "" where it is not known."""
    return _of(path)[0]


def language_of(path: str) -> str:
    """What people call the language; "" where it is not known."""
    return _of(path)[1]
