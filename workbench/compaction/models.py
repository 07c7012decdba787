"""What is known of each model: windows in tokens, largest output, prices (spec 4, section 5).

Prices and windows change: whoever opens files hands in the user's own table, whose rows come before these.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..errors import UsageError

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens; writes by how long the cache holds them."""

    input: float
    output: float
    write_5m: float
    write_1h: float
    read: float

    def dollars(self, *, input: int = 0, output: int = 0, write_5m: int = 0, write_1h: int = 0, read: int = 0) -> float:
        """What so many tokens of each kind cost."""
        total = input * self.input + output * self.output + write_5m * self.write_5m + write_1h * self.write_1h + read * self.read
        return total / MILLION


@dataclass(frozen=True, slots=True)
class Model:
    """One row of the table.

    name          "Opus 4.5"
    window        tokens, the API's maximum
    agent_window  tokens, what the agent works with without `[1m]` and without a configured window
    dear          the price of a whole call whose prompt is above `dear_above` tokens
    binds_thinking  a thinking signature is bound to all that stands before it (spec 4, section 7)
    """

    name: str
    price: Price
    window: int
    max_output: int
    agent_window: int
    binds_thinking: bool = False
    dear_above: int | None = None
    dear: Price | None = None

    def price_of(self, prompt: int) -> Price:
        """The price of a call with so many prompt tokens."""
        return self.dear if self.dear is not None and self.dear_above is not None and prompt > self.dear_above else self.price


def _row(
    name: str, prices: str, window: int = MILLION, out: int = 128_000, agent: int = MILLION, *, binds: bool = False
) -> Model:
    return Model(name, Price(*map(float, prices.split())), window, out, agent, binds)


_OPUS, _SONNET, _SMALL = "5 25 6.25 10 0.50", "3 15 3.75 6 0.30", 200_000

MODELS = (  # in, out, write for 5 minutes, for 1 hour, read
    _row("Fable 5.2", "8 40 10 16 0.20", binds=True),
    _row("Fable 5.1", "10 50 12.5 20 0.25", binds=True),
    _row("Fable 5", "10 50 12.5 20 1.00"),
    _row("Opus 5.5", "4 20 5 8 0.20", binds=True),
    _row("Opus 5", _OPUS),
    _row("Opus 4.8", _OPUS),
    _row("Opus 4.7", _OPUS),
    _row("Opus 4.6", _OPUS, agent=_SMALL),
    _row("Opus 4.5", _OPUS, _SMALL, 64_000, _SMALL),
    _row("Sonnet 5.5", "2 10 2.5 4 0.10", binds=True),
    _row("Sonnet 5", "2 10 2.5 4 0.20"),
    _row("Sonnet 4.6", _SONNET, agent=_SMALL),
    _row("Sonnet 4.5", _SONNET, _SMALL, 64_000, _SMALL),
    Model(
        "Haiku 5.5", Price(0.10, 0.50, 0.125, 0.20, 0.01), MILLION, 128_000, MILLION, True,
        100_000, Price(0.50, 2.50, 0.625, 1.00, 0.05),
    ),
    _row("Haiku 4.5", "1 5 1.25 2 0.10", _SMALL, 64_000, _SMALL),
)  # fmt: skip

_ID = re.compile(r"(fable|opus|sonnet|haiku|mythos)[- ](\d{1,2})(?!\d)(?:[-. ](\d{1,2})(?!\d))?", re.IGNORECASE)
_LARGE = re.compile(r"\[1m\]", re.IGNORECASE)


def lookup(model_id: str | None, table: Iterable[Model] = MODELS) -> Model | None:
    """The model of an id as recorded: dated, with `[1m]`, with a provider's prefix; None when it is not in the table."""
    name = name_of(model_id)
    if name is None:
        return None
    return next((m for m in table if m.name.casefold() == name.casefold()), None)


def name_of(model_id: str | None) -> str | None:
    """`claude-opus-4-5-20251101` -> "Opus 4.5"; without a known family, the id itself; None without an id."""
    if not model_id:
        return None
    found = _ID.search(model_id)
    if found is None:
        return _LARGE.sub("", model_id).strip() or None
    family, major, minor = found[1].capitalize(), found[2], found[3]
    return f"{family} {major}.{minor}" if minor and minor != "0" else f"{family} {major}"


def has_large_window(model_id: str | None) -> bool:
    """Whether the id asks for the window of a million tokens."""
    return bool(model_id and _LARGE.search(model_id))


def with_models(rows: Mapping[str, Mapping[str, object]], table: tuple[Model, ...] = MODELS) -> tuple[Model, ...]:
    """The table with the user's rows in front: `{"Opus 6": {"input": 4, "window": 1000000, ...}}`.

    What a row leaves out it takes from the model of that name. Raises UsageError for a field that is missing or no number.
    """
    return tuple(_of_user(name, fields, lookup(name, table)) for name, fields in rows.items()) + table


_PRICES = ("input", "output", "write_5m", "write_1h", "read")
_FIELDS = (*_PRICES, "window", "max_output", "agent_window")


def _of_user(name: str, fields: Mapping[str, object], known: Model | None) -> Model:
    unknown = [f for f in fields if f not in _FIELDS]
    if unknown:
        raise UsageError(f"The model {name} has a field {unknown[0]!r}; known are {', '.join(_FIELDS)}.")

    def number(field: str, otherwise: float | None) -> float:
        value = fields.get(field, otherwise)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e15:
            raise UsageError(f"The model {name} needs a number for {field}.")
        return value

    price = Price(*(number(f, getattr(known.price, f) if known else None) for f in _PRICES))
    window = int(number("window", known.window if known else None))
    return Model(
        name_of(name) or name,
        price,
        window,
        int(number("max_output", known.max_output if known else None)),
        int(number("agent_window", known.agent_window if known else window)),
        known.binds_thinking if known else False,
    )
