"""What a summary costs: an estimate before it is asked for, the reported tokens after (spec 4, section 5; spec 5)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..compaction.models import MODELS, Model, lookup
from ..compaction.request import Request, Usage
from ..conversation.figure import Figure, estimated


@dataclass(frozen=True, slots=True)
class Cost:
    """Before a request: tokens of the prompt, the most it may answer, and dollars, None where the model has no price here.

    least  for the prompt alone
    most   with a reply of max_tokens; nothing read from a cache
    """

    model: str
    prompt: Figure
    max_tokens: int
    least: float | None
    most: float | None

    @property
    def sentence(self) -> str:
        """For the question whether to ask."""
        tokens = "an unknown number of" if self.prompt.tokens is None else f"{self.prompt.tokens:,}"
        size = f"{tokens} prompt tokens ({self.prompt.kind}) and up to {self.max_tokens:,} of output"
        if self.least is None or self.most is None:
            return f"{self.model or 'The model'}: {size}; its price is not known here."
        return f"{self.model}: {size}, ${self.least:,.2f} to ${self.most:,.2f}; less where the prompt is in the cache."


def estimate_cost(request: Request, model: str, table: Iterable[Model] = MODELS) -> Cost:
    """What asking a model for this summary would cost."""
    prompt = request.tokens or estimated(sum(m.tokens for m in request.messages), "rough: bytes/4")
    known = lookup(model, table)
    if known is None or prompt.tokens is None:
        return Cost(model, prompt, request.max_tokens, None, None)
    price = known.price_of(prompt.tokens)
    least = price.dollars(input=prompt.tokens)
    return Cost(known.name, prompt, request.max_tokens, least, least + price.dollars(output=request.max_tokens))


def dollars_of(usage: Usage, model: str, table: Iterable[Model] = MODELS) -> float | None:
    """What a reply cost at most: as if nothing of the prompt had come from the cache; None without a price."""
    known = lookup(model, table)
    return None if known is None else known.price_of(usage.prompt).dollars(input=usage.prompt, output=usage.output)
