"""The prompt for a full compaction: the summary replaces the whole conversation (spec 1, section 6.3)."""

from .frame import Prompt
from .sections import NINE

TASK = """\
Write the summary that will stand in place of the whole conversation up to this message. None of these messages will be there \
afterwards; what the summary leaves out is lost."""

PROMPT = Prompt(TASK, NINE)
