"""What each stage is for, in a sentence or two, and the agent's own names for it: shown before a stage is computed too."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..compaction.stages import (
    ask,
    bring_back,
    clean_reply,
    clear_results,
    decide,
    hooks,
    measure,
    notes_path,
    pre_hook,
    prepare,
    put_together,
    record,
    shorten_request,
    verify,
)
from ..compaction.stages import fold as folding


@dataclass(frozen=True, slots=True)
class About:
    """A stage: what it is for, its section of the specification, and what the agent calls it."""

    words: str
    section: str
    there: tuple[str, ...]


ABOUT: Mapping[str, About] = {
    measure.NAME: About(
        "How many tokens are in context: what the newest call measured, and an estimate of what came after it.",
        "2",
        ("roughTokenCountEstimation", "getEffectiveContextWindowSize"),
    ),
    clear_results.NAME: About(
        "Old tool results are cleared, in every turn and before anything is decided: in the array itself once the server's cache"
        " has gone cold, else in the outgoing copy only.",
        "7",
        clear_results.THERE,
    ),
    folding.NAME: About("Whole rounds fold into a line each; nothing is deleted, and they unfold again.", "11", ()),
    decide.NAME: About(
        "Every guard is asked, in order; the first that holds decides. With none of them the compaction fires.",
        "1, 3, 4",
        decide.THERE,
    ),
    pre_hook.NAME: About(
        "A PreCompact hook runs once. What it prints counts as custom instructions; it may also block the attempt.",
        "5, 6.1",
        pre_hook.THERE,
    ),
    notes_path.NAME: About(
        "Compaction from the session notes, without a model: the notes stand in for the summary, and the newest messages stay"
        " word for word.",
        "5, 8",
        notes_path.THERE,
    ),
    prepare.NAME: About(
        "What is summarised and what stays verbatim, and the instruction for the model.", "6.1-6.4", prepare.THERE
    ),
    ask.NAME: About(
        "The summary is asked for: first with the conversation as it is, so that the server's cache hits; if that brings no"
        " text, once more plainly, without tools and thinking.",
        "6.2",
        ask.THERE,
    ),
    shorten_request.NAME: About(
        "The request itself was too long: it is asked again with less of the conversation.", "6b", shorten_request.THERE
    ),
    clean_reply.NAME: About(
        "The analysis is dropped, the summary taken out of its tags and put into the message that carries it.",
        "6.6, 8.4",
        clean_reply.THERE,
    ),
    bring_back.NAME: About(
        "The working set comes back within its budgets: files read last, skills, plan, announcements, project instructions.",
        "10",
        bring_back.THERE,
    ),
    hooks.NAME: About("What SessionStart hooks print comes last; then PostCompact hooks run.", "10", hooks.THERE),
    put_together.NAME: About(
        "Boundary, summary, kept rows, attachments and hook text, in the order of the variant. From notes the result must stay"
        " below the threshold, else full compaction starts from the original array.",
        "10",
        put_together.THERE,
    ),
    verify.NAME: About(
        "Whether the API would take the result, how much was freed, and whether it would fire again at once.", "9", verify.THERE
    ),
    record.NAME: About(
        "The boundary's metadata, the counters after it and the event; the last-summarized id is reset.", "10", record.THERE
    ),
}
