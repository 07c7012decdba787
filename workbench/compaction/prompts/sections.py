"""The nine sections of a summary: names and their order are the agent's, what is asked of each is ours (spec 1, section 6.5)."""

from dataclasses import dataclass

REQUEST = "Primary Request and Intent"
CONCEPTS = "Key Technical Concepts"
FILES = "Files and Code Sections"
ERRORS = "Errors and fixes"
SOLVING = "Problem Solving"
USER_MESSAGES = "All user messages"
PENDING = "Pending Tasks"
CURRENT_WORK = "Current Work"
NEXT_STEP = "Optional Next Step"
WORK_COMPLETED = "Work Completed"  # in place of the last two where newer messages follow
CONTEXT = "Context for Continuing Work"


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its name, what it is to hold, and what stands in its place in the skeleton."""

    name: str
    asks: str
    blank: str


COMMON = (
    Section(
        REQUEST,
        "Every request the user made in so many words, and what each was meant to achieve. Where a later request changed "
        "or took back an earlier one, say so. Limits and conditions the user set belong here word for word.",
        "[each request, its purpose, its conditions]",
    ),
    Section(
        CONCEPTS,
        "The technologies, frameworks, patterns and terms of the project that the work rests on: those that came up, no others.",
        "- [concept, with what it means here]",
    ),
    Section(
        FILES,
        "Each file that was read for the work, changed or created, by its full path: why it matters, what was changed in "
        "it and to what end, and the code that will be needed again, complete and unabridged. The newest state counts "
        "most.",
        "- `[path]`\n     - [why it matters]\n     - [what was changed, and why]\n     ```\n     [the code itself]\n     ```",
    ),
    Section(
        ERRORS,
        "Each error with its message, its cause and what was done about it; one that is still there is marked as open. "
        "Attempts that were given up are named with the reason, so that nobody repeats them. What the user said about it "
        "stands beside it.",
        "- [error]: [cause; remedy, or that it is open; words of the user]",
    ),
    Section(
        SOLVING,
        "Which problems are solved and how; which are being looked into, with what is known of them and what has been ruled out.",
        "[solved; still open]",
    ),
    Section(
        USER_MESSAGES,
        "Every message the user wrote, in order and in the user's own words; results of tools are none. One-line "
        "corrections and preferences (\"use this, not that\") count as much as long requests: they steer everything after "
        "them, and no file holds them.",
        "- \"[the user's words]\"",
    ),
    Section(
        PENDING,
        "What the user asked for outright and what is not done yet. Nothing that would merely be a good idea.",
        "- [task]",
    ),
)  # fmt: skip

OPEN_ENDED = (
    Section(
        CURRENT_WORK,
        "What was being done in the very last messages, exactly: file, function, command, the state it was left in. Quote "
        "the newest messages of both sides and show the code in hand.",
        "[where the work stood, with quotations]",
    ),
    Section(
        NEXT_STEP,
        "The one step that follows directly from the user's newest request and the work just described; none if that "
        "request is fulfilled. Do not reach for a side task or an older, finished one: that needs the user's word first. "
        "Quote, word for word, the request it serves and the place where the work stopped, so that the task is not bent "
        "on the way.",
        "[the step, with the two quotations; or that there is none]",
    ),
)  # fmt: skip

FOLLOWED = (
    Section(
        WORK_COMPLETED,
        "What was finished by the end of these messages, and in which state it was left.",
        "[what was finished, and its state]",
    ),
    Section(
        CONTEXT,
        "Whatever a reader of the newer messages must know to understand and go on with them: decisions and their "
        "reasons, conditions in force, names and values that will be referred to, loose ends. What comes next is not said "
        "here: the newer messages show it.",
        "[decisions, conditions, names, loose ends]",
    ),
)  # fmt: skip

NINE = (*COMMON, *OPEN_ENDED)
NINE_FOLLOWED = (*COMMON, *FOLLOWED)
