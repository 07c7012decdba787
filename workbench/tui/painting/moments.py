"""Times as the screen writes them: how long ago where that is what matters, exact in local time elsewhere."""

from datetime import datetime

MINUTE, HOUR, DAY = 60, 3600, 86_400
AS_DATE = 30 * DAY  # what is longer ago is a date


def ago(now: float, then: float) -> str:
    """How long ago, in at most eleven cells; a date after a month, and for a time that is still to come."""
    past = now - then
    if not then:
        return ""
    if past < -MINUTE or past >= AS_DATE:
        return moment(then)[:10]
    if past < MINUTE:
        return "just now"
    if past < HOUR:
        return f"{int(past / MINUTE)} min ago"
    if past < DAY:
        return f"{int(past / HOUR)} h ago"
    return "yesterday" if past < 2 * DAY else f"{int(past / DAY)} days ago"


def moment(seconds: float) -> str:
    """The local time, to the second."""
    try:
        return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "unknown"
