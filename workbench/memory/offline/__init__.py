"""Notes without a model: what a session shows by itself, in the ten sections, within their budgets.

Same rows, same notes. It understands nothing: it keeps the user's words, counts, and pairs what belongs together.
"""

from .extract import offline_edits, offline_notes, offline_reply

__all__ = ["offline_edits", "offline_notes", "offline_reply"]
