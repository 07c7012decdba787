"""The ten sections of fresh notes, and what each of them has to do with a section of a summary (spec 1, section 8.1).

The names of the sections are the agent's; the instruction lines are ours.
"""

from dataclasses import dataclass

TITLE = "Session Title"
CURRENT_STATE = "Current State"
TASK = "Task specification"
FILES = "Files and Functions"
WORKFLOW = "Workflow"
ERRORS = "Errors & Corrections"
CODEBASE = "Codebase and System Documentation"
LEARNINGS = "Learnings"
RESULTS = "Key results"
WORKLOG = "Worklog"

INSTRUCTIONS = {
    TITLE: "Five to ten words that tell this session from every other one, without filler.",
    CURRENT_STATE: "Where the work stands right now: what is in hand, what is left to do, what is next. Written anew each time.",
    TASK: "What the user asked for, in the user's own terms, and the design decisions that were taken on the way.",
    FILES: "The files and functions that matter, one line each: where it is, what it does, why it counts.",
    WORKFLOW: "The commands that are run, in their order, and how to tell from their output whether they went well.",
    ERRORS: "What went wrong and how it was put right, what the user corrected, and which attempts are not worth another try.",
    CODEBASE: "The parts of the system and how they fit together, as far as the work has shown it.",
    LEARNINGS: "What worked, what did not, what to avoid. Nothing that another section says already.",
    RESULTS: "The exact answer, table or document where the user asked for one; numbers and names as they were given.",
    WORKLOG: "What was done, step by step, in as few words as possible.",
}

SECTIONS = tuple(INSTRUCTIONS)

TEMPLATE = "\n".join(f"# {title}\n_{hint}_\n" for title, hint in INSTRUCTIONS.items())


@dataclass(frozen=True, slots=True)
class Match:
    """A section of the notes beside what a summary has in its place.

    section  title in the notes; None: the notes have nothing of the kind
    summary  titles in a summary, the usual one first; () where a summary has none
    reason   why the two differ
    """

    section: str | None
    summary: tuple[str, ...]
    reason: str


WHY_THEY_DIFFER = (
    "Notes are rewritten many times, so they hold what accumulates; a summary is written once, so it holds the full look-back."
)

MATCHES = (
    Match(TITLE, (), "A summary belongs to the session it stands in and needs no name."),
    Match(
        CURRENT_STATE,
        ("Current Work", "Work Completed"),
        "The notes state it anew at every extraction; the summary quotes the newest turns once.",
    ),
    Match(
        TASK,
        ("Primary Request and Intent",),
        "The notes add the decisions taken on the way; the summary lists every request with its intent.",
    ),
    Match(
        FILES,
        ("Files and Code Sections",),
        "The notes point at files, which can be read again; the summary carries the code itself.",
    ),
    Match(WORKFLOW, (), "Commands repeat over a session and so collect in the notes; a summary tells what came of them."),
    Match(
        ERRORS,
        ("Errors and fixes",),
        "The notes also keep what not to try again; the summary tells each error with its fix and what the user said to it.",
    ),
    Match(
        CODEBASE,
        ("Key Technical Concepts",),
        "The notes describe how the parts fit together; the summary names concepts and techniques.",
    ),
    Match(
        LEARNINGS,
        ("Problem Solving",),
        "The notes keep what held true; the summary tells which problems are solved and which are open.",
    ),
    Match(RESULTS, (), "An exact result must survive many rewritings; a summary repeats it under the request it answers."),
    Match(WORKLOG, ("Pending Tasks",), "The notes log what was done; the summary lists what is still to do."),
    Match(
        None,
        ("All user messages",),
        "Notes stand beside a tail kept word for word and need no messages; a summary replaces them all.",
    ),
    Match(None, ("Optional Next Step", "Context for Continuing Work"), "Current State stands in for it."),
)


def match_of(title: str) -> Match | None:
    """What stands beside a section of the notes, by its title; None for a section of a custom template."""
    wanted = title.strip().casefold()
    return next((m for m in MATCHES if m.section is not None and m.section.casefold() == wanted), None)
