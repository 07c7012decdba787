"""Numbers as the screen writes them: grouped where exactness counts, short where there is one column of room."""

_UNITS = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "K"))


def thousands(count: int) -> str:
    """1234567 -> 1,234,567."""
    return f"{count:,}"


def short(count: int) -> str:
    """At most five characters below a trillion: 999, 1.2K, 155K, 1.2M. Rounded to nearest, never to 1,000 of a unit."""
    sign, size = ("-", -count) if count < 0 else ("", count)
    for unit, name in _UNITS:
        if size >= unit * 0.9995 and size >= 1_000:
            value = size / unit
            return f"{sign}{value:.1f}".removesuffix(".0") + name if value < 9.95 else f"{sign}{value:.0f}{name}"
    return f"{sign}{size}"


def mebibytes(size: int) -> str:
    """Bytes in the unit that suits them: 812 B, 4.0 KB, 3.9 MB, in steps of 1,024."""
    if size < 1024:
        return f"{size} B"
    value = size / 1024
    for unit in ("KB", "MB", "GB"):
        if value < 1023.95:
            return f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} TB"
