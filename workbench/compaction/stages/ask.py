"""Ask: the summary request as it goes out, and what came back (spec 1, section 6.2; 6b when it is too long)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...conversation.block import text_block
from ...conversation.figure import EXACT, LOWER_BOUND, Figure, estimated, unknown
from ...conversation.repair import as_sent
from ...conversation.row import USER, Message, Part, Row
from ...conversation.text import rough, utf8_length
from ...conversation.wording import counted
from ..cleaning import Cleaned, clean
from ..ground import Ground
from ..media import without_media
from ..plan import Plan
from ..prompts import instruction
from ..request import CANCELLED, ERROR, OK, SUMMARY, TOO_LONG, TOOL_CALL, Reply, Request, key_of
from ..restoring import BROUGHT_BACK
from ..result import FAILED, STOPPED, Asked, Number, StageStep, Work, messages_of, tokens_of
from ..result import OK as DONE
from ..retry import is_marker
from ..variants import FROM, UP_TO
from .common import number_of, result
from .shorten_request import retry_settings

NAME = "ask"
READS = ("summarizer", "fallbackAttempts", "untaggedSummary", "tooLongRetry")
THERE = ("compactConversation", "NO_TOOLS_PREAMBLE", "MAX_OUTPUT_TOKENS_FOR_SUMMARY")


def ask(ground: Ground, plan: Plan, work: Work, replies: Mapping[str, Reply]) -> StageStep:
    """The request while it is unanswered, then what became of it: a reply, a fallback, a retry, or a named failure."""
    request = summary_request(ground, plan, work)
    reply = replies.get(request.key)
    if reply is None:
        return request
    cleaned = clean(reply.text, plan.settings, stop_reason=reply.stop_reason, called_tool=reply.outcome == TOOL_CALL)
    outcome = cleaned.outcome if reply.outcome == OK else reply.outcome
    size = request.tokens or unknown("not measured")
    tokens = size.tokens or 0
    asked = Asked(request.purpose, tokens, work.retries, outcome)
    done = replace(work, reply=reply, attempt=work.attempt + 1, requests=(*work.requests, asked))
    verdict, reason, done = _verdict(plan, done, outcome, reply, cleaned)
    numbers = [
        Number(
            "request",
            f"{size.words} in {counted(len(request.messages), 'message')}",
            size.kind,
            size.source,
        ),
        Number("max_tokens", f"{request.max_tokens:,}", "setting", "of the reply"),
        number_of(plan.settings, "fallbackAttempts"),
    ]
    if reply.usage is not None:
        numbers.append(Number("usage", f"{reply.usage.prompt:,} in, {reply.usage.output:,} out", EXACT, "reported by the API"))
    return result(
        NAME,
        ground,
        done,
        work.sent,
        work.sent,
        outcome=verdict,
        reason=reason,
        there=THERE,
        section="6.2",
        numbers=numbers,
        picture=request,
        answers=(request.key,),
    )


def summary_request(ground: Ground, plan: Plan, work: Work) -> Request:
    """The request for the current attempt: unchanged conversation and the instruction, or the plain fallback."""
    rows = plain_rows(work.asked) if work.plain else work.asked
    prompt = instruction(plan.variant if plan.variant in (FROM, UP_TO) else "full", work.instructions)
    messages, _ = as_sent(messages_of(rows), ground.model or None)
    tokens = tokens_of(rows) + rough(utf8_length(prompt)) + (0 if work.plain else ground.overhead_tokens)
    shown = tuple((r.uuid, r.tokens) for r in rows)
    how = "plain, without tools and thinking" if work.plain else "same prefix, so that the cache hits"
    return Request(
        SUMMARY,
        key_of(f"{SUMMARY}:{work.attempt}", (plan.summarizer, ground.model, work.max_tokens, work.plain, prompt, shown)),
        f"summary ({how}{f', retry {work.retries}' if work.retries else ''})",
        _with_prompt(messages, prompt),
        prompt,
        ground.model,
        work.max_tokens,
        not work.plain,
        tokens=_tokens(ground, work, tokens),
        covers=_covered(work, rows),
        retry=retry_settings(plan.settings, work).text("tooLongRetry"),
    )


def _tokens(ground: Ground, work: Work, tokens: int) -> Figure:
    """Of the whole request; the overhead goes with it unless it is plain."""
    if work.plain:
        return estimated(tokens, "rough: bytes/4, without system prompt and tools")
    if ground.overhead.tokens is None:
        return Figure(tokens, LOWER_BOUND, "rough: bytes/4; the overhead is unknown")
    return estimated(tokens, "rough: bytes/4, overhead included")


def plain_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    """What the plain fallback shows: words for pictures, and nothing that is brought back afterwards anyway."""
    return without_media([r for r in rows if not (r.is_attachment and r.kind.partition(":")[2] in BROUGHT_BACK)])[0]


def _covered(work: Work, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows that the summary will stand for: not a prefix that is kept and shown, nor the marker of a retry."""
    kept = {row.uuid for row in work.kept}
    return tuple(row for row in rows if row.uuid not in kept and not is_marker(row))


def _with_prompt(messages: tuple[Message, ...], prompt: str) -> tuple[Message, ...]:
    """The instruction as last user message; it joins a user message that stands at the end."""
    part = Part(text_block(prompt), None)
    if messages and messages[-1].role == USER:
        return (*messages[:-1], replace(messages[-1], parts=(*messages[-1].parts, part)))
    return (*messages, Message(USER, (part,)))


def _verdict(plan: Plan, work: Work, outcome: str, reply: Reply, cleaned: Cleaned) -> tuple[str, str, Work]:
    if outcome == OK:
        return DONE, f"A reply of {len(reply.text):,} characters{f' ({reply.source})' if reply.source else ''}.", work
    if outcome == CANCELLED:
        return STOPPED, "Cancelled by the user; nothing was changed, and it counts as no failure.", work
    if outcome == TOO_LONG:
        return DONE, f"The summary request itself is too long: {reply.error or 'the API gave no numbers'}.", work
    if outcome == ERROR:
        return FAILED, f"error: {reply.error or 'the model gave no answer'}", work
    words = f"{outcome}: {reply.error or ' '.join(cleaned.reasons)}"
    gave_no_text = outcome == TOOL_CALL or not reply.text.strip()
    if gave_no_text and work.fallbacks < plan.settings.number("fallbackAttempts"):
        return DONE, f"{words} A plain attempt without tools follows.", replace(work, fallbacks=work.fallbacks + 1)
    return FAILED, words, work
