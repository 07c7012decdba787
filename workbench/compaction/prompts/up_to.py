"""The prompt for a compaction up to a message: newer ones, which it does not see, follow the summary (spec 1, section 6.3)."""

from .frame import Prompt
from .sections import NINE_FOLLOWED

TASK = """\
Write the summary that will stand in place of the messages up to here. They are the beginning of a conversation that went on: \
newer messages, which you do not see, follow the summary word for word. What is said here to be open may be done there. So \
describe where things stood at this point, and write down no next step."""

PROMPT = Prompt(TASK, NINE_FOLLOWED)
