"""Every error this program raises on purpose; each message is one sentence that tells the user what to do.

    WorkbenchError
    ├── UsageError            the command line or a key asked for something that does not exist
    ├── SessionError          the input cannot be read
    │   ├── SessionNotFound
    │   └── NotASession       readable, but holds neither records nor messages
    ├── ChangedMeanwhile      the file was written to by someone else since it was opened
    ├── WriteRefused          the output would overwrite the input, or cannot be written
    └── CountingError         a tokenizer or count_tokens did not answer

Exit code 2 on the command line, a notification on the screen.
"""


class WorkbenchError(Exception):
    """The root; its text is shown to the user as it is."""


class UsageError(WorkbenchError):
    """Asked for something that does not exist, or in the wrong form."""


class SessionError(WorkbenchError):
    """The input cannot be read as a session."""


class SessionNotFound(SessionError):
    """No file at that path and no session with that id."""


class NotASession(SessionError):
    """The file holds neither session records nor Messages API messages."""


class ChangedMeanwhile(WorkbenchError):
    """The file changed since it was opened; nothing was written."""


class WriteRefused(WorkbenchError):
    """The output was not written; the text says why."""


class CountingError(WorkbenchError):
    """A tokenizer or the count_tokens endpoint gave no answer."""
