"""Invariants 4, 5, 17, 24 and 33: what only a request about to be sent can break."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..row import ASSISTANT, Message
from . import fault as f
from . import texts
from .fault import Fault
from .order import is_empty
from .places import where
from .request import Request, is_newest

LEAST_BUDGET = 1_024  # tokens of thinking


def option_faults(messages: Sequence[Message], request: Request) -> Iterator[Fault]:
    """Faults of what a request says beside its messages."""
    yield from _tools(messages, request)
    yield from _thinking_options(request)


def last_message_faults(messages: Sequence[Message], request: Request) -> Iterator[Fault]:
    """A last message that the model does not go on from."""
    if not messages or messages[-1].role != ASSISTANT:
        return
    index, message = len(messages) - 1, messages[-1]
    place = where(index, message.parts[-1] if message.parts else None)
    if request.takes_prefill is False:
        words = f"The conversation ends with a reply, which {request.model} does not continue."
        yield Fault("prefill", 4, f.REQUEST, f.OPTIONS, words, api_error=texts.NO_PREFILL, **place)
    elif not is_empty(message):
        last = message.parts[-1].block
        text = (last.body or {}).get("text")
        if last.kind == "text" and isinstance(text, str) and text != text.rstrip():
            words = "The final reply ends with whitespace."
            yield Fault("trailing-whitespace", 5, f.REQUEST, f.OPTIONS, words, api_error=texts.TRAILING_WHITESPACE, **place)


def _tools(messages: Sequence[Message], request: Request) -> Iterator[Fault]:
    if request.tools is None:
        return
    twice = [name for name, n in Counter(request.tools).items() if name and n > 1]
    if twice:
        words = f"Tools are defined twice: {', '.join(twice)}."
        yield Fault("tools", 17, f.REQUEST, f.OPTIONS, words, api_error=texts.TOOL_NAMES)
    used = any(b.kind in ("tool_use", "tool_result") for m in messages for b in m.blocks)
    if used and not request.tools:
        words = "The messages hold tool calls and the request defines no tools; Bedrock and some gateways refuse that."
        yield Fault("tools", 17, f.REQUEST, f.OPTIONS, words, severity=f.WARNING)


def _thinking_options(request: Request) -> Iterator[Fault]:
    budget, most = request.thinking_budget, request.max_tokens
    if request.thinking == "enabled" and request.unfit_budget is not None:
        words = f"The thinking budget is {request.unfit_budget}, not a number of tokens."
        yield Fault("thinking-budget", 24, f.REQUEST, f.OPTIONS, words, api_error=texts.BUDGET_UNFIT)
    elif request.thinking == "enabled" and budget is None:
        words = "Thinking is on without a budget of tokens."
        yield Fault("thinking-budget", 24, f.REQUEST, f.OPTIONS, words, api_error=texts.BUDGET_MISSING)
    if budget is not None and most is not None and most <= budget:
        words = f"max_tokens ({most:,}) leaves no room beyond the thinking budget ({budget:,})."
        yield Fault("thinking-budget", 24, f.REQUEST, f.OPTIONS, words, api_error=texts.BUDGET_OVER_MAX)
    if budget is not None and budget < LEAST_BUDGET:
        words = f"The thinking budget ({budget:,}) is under {LEAST_BUDGET:,} tokens."
        yield Fault("thinking-budget", 24, f.REQUEST, f.OPTIONS, words, api_error=texts.BUDGET_TOO_SMALL)
    forced = request.tool_choice in ("any", "tool")
    if forced and (request.thinking in ("enabled", "adaptive") or is_newest(request.model)):
        words = "The request forces a tool call, which goes neither with thinking nor with the newest models."
        yield Fault("forced-tool", 33, f.REQUEST, f.OPTIONS, words, api_error=texts.FORCED_CHOICE)
