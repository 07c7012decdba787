"""The prompt for a compaction from a message on: what is older stays in front of the summary (spec 1, section 6.3)."""

from .frame import Prompt
from .sections import NINE

TASK = """\
Write the summary that will stand in place of the recent part of this conversation. The earlier messages are kept word for word \
and stay in front of the summary, so the reader has them. Cover the recent part alone: do not tell again what the kept messages \
say, and do not speak as if this were the whole conversation. Where the recent part builds on an earlier one, a reference is \
enough."""

SCOPE = """\
Where the instructions speak of messages, those of the recent part are meant. The earlier ones serve to understand it."""

PROMPT = Prompt(TASK, NINE, SCOPE)
