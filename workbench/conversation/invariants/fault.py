"""What is wrong with an array, a request or a file: one fault, with its place, its class and the API's own words."""

from dataclasses import dataclass

FILE, ARRAY, REQUEST = "file", "array", "request"
ERROR, WARNING, REMARK = "error", "warning", "remark"

LOST, MISPLACED, DUPLICATE, INTERRUPTED = "lost", "misplaced", "duplicate", "interrupted"
CUT_OFF, SERVER_PAIR = "cut off by a boundary", "server pair"
ORDER, EMPTY, LIMIT, MARKS = "order", "empty", "limit", "cache marks"
HISTORY, OPTIONS, ACCOUNT = "history", "request options", "account"


@dataclass(frozen=True, slots=True)
class Fault:
    """One violation of an invariant of spec 3, or a defect of a file.

    kind           a short name, the same for all faults of its kind
    number         the invariant of spec 3; None for a defect of the file itself
    level          "file" | "array" | "request"
    class_         what happened: lost, misplaced, duplicate, interrupted, ... ("class" in JSON)
    sentence       what is wrong, for people
    message_index  place of the message in the array, from 0
    line           1-based physical line; None where there is none
    id             of the call, or of what else the fault is about
    uuid           of the row
    api_error      core of the API's answer, its indices filled in; None where the API does not notice
    severity       "error": refused, or sent otherwise than written; "warning": something is lost or doubtful;
                   "remark": worth knowing, no fault
    """

    kind: str
    number: int | None
    level: str
    class_: str
    sentence: str
    message_index: int | None = None
    line: int | None = None
    id: str | None = None
    uuid: str | None = None
    api_error: str | None = None
    severity: str = ERROR

    @property
    def is_remark(self) -> bool:
        return self.severity == REMARK
