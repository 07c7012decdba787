"""What every stage uses to say what it did."""

from collections.abc import Sequence

from ...conversation.change import Change
from ...conversation.row import Row
from ..ground import Ground
from ..plan import Plan
from ..result import Number, StageResult, Work, fault_keys, new_faults
from ..settings import Settings


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
) -> StageResult:
    """A stage's result, with the faults that its output has and the run's input had not."""
    before, after = tuple(before), tuple(after)
    faults = () if before == after else new_faults(after, fault_keys(ground.rows))
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
    )


def goes_on(plan: Plan) -> bool:
    """Whether the continuation says to go on without asking: automatic and reactive ones do, manual ones in new versions."""
    return plan.trigger == "auto" or plan.settings.profile.startswith("observed")


def number_of(settings: Settings, name: str) -> Number:
    """A setting as a number with its provenance."""
    value = settings[name]
    words = (
        "none"
        if value.value is None
        else f"{value.value:,}"
        if isinstance(value.value, int) and not isinstance(value.value, bool)
        else str(value.value)
    )
    return Number(name, words, "setting", value.origin)
