"""What every stage uses to say what it did."""

from collections.abc import Sequence

from ...conversation.change import Change
from ...conversation.figure import LOWER_BOUND, Figure
from ...conversation.invariants import Fault
from ...conversation.row import Row
from ..faults import new_faults
from ..ground import Ground
from ..plan import Plan
from ..result import Number, StageResult, Work
from ..settings import Settings
from ..splitting import PREFIX


def result(
    name: str,
    ground: Ground,
    work: Work,
    before: Sequence[Row],
    after: Sequence[Row],
    *,
    outcome: str,
    reason: str,
    there: tuple[str, ...] = (),
    section: str = "",
    numbers: Sequence[Number] = (),
    changes: Sequence[Change] = (),
    picture: object = None,
    answers: tuple[str, ...] = (),
    faults: tuple[Fault, ...] | None = None,
) -> StageResult:
    """A stage's result; `faults`, where it does not give them itself, are those of its output that the run's input had not."""
    before, after = tuple(before), tuple(after)
    if faults is None:
        faults = () if before == after else new_faults(after, ground.known_faults)
    return StageResult(
        name,
        outcome,
        reason,
        work,
        before,
        after,
        ground.overhead_tokens,
        there,
        section,
        tuple(numbers),
        tuple(changes),
        faults,
        picture,
        answers,
        ground.overhead.tokens is None,
    )


def standing(work: Work) -> tuple[Row, ...]:
    """What stands so far: summary and kept rows in the order of the variant, attachments, hook results."""
    made = (work.summary_row,) if work.summary_row is not None else ()
    attached = (*(a.row for a in work.attachments), *work.hook_rows)
    return (*work.kept, *made, *attached) if work.side == PREFIX else (*made, *work.kept, *attached)


def goes_on(plan: Plan) -> bool:
    """Whether the continuation says to go on without asking: automatic and reactive ones do, manual ones in new versions."""
    return plan.trigger == "auto" or plan.settings.on("manualGoesOn")


def tokens_number(name: str, figure: Figure) -> Number:
    """Tokens as a number of a stage: what is unknown says so."""
    return Number(name, figure.words, figure.kind, figure.source)


def size_words(figure: Figure) -> str:
    """Tokens in context in a sentence, and what is missing in them."""
    if figure.kind == LOWER_BOUND:
        return f"{figure.words} (the overhead is unknown)"
    return figure.words if figure.tokens is None else f"about {figure.words}"


def number_of(settings: Settings, name: str) -> Number:
    """A setting as a number with its provenance."""
    value = settings[name]
    return Number(name, _words_of(value.value), "setting", value.origin)


def _words_of(value: object) -> str:
    """A setting's value as it would be written into a settings file."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    return "none" if value is None else str(value)
