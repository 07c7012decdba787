"""Clearing in the outgoing copy only, so that the server's cache stays warm (spec 1, section 7)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..conversation.change import Change
from ..conversation.row import Row
from ..conversation.wording import counted
from .results import Result, changes_of, compactable, tokens_of, with_cleared
from .settings import Settings
from .ties import CALL

PUBLIC_EDIT = "clear_tool_uses_20250919"  # the public API's nearest equivalent


@dataclass(frozen=True, slots=True)
class Registry:
    """What cached clearing knows: ids by the user row in which they appeared, and the ids deleted so far."""

    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    deleted: tuple[str, ...] = ()

    @property
    def registered(self) -> tuple[str, ...]:
        return tuple(call for _, calls in self.groups for call in calls)


@dataclass(frozen=True, slots=True)
class CachedEdit:
    """What cached clearing would send: the local rows stay as they are.

    outgoing  the copy with the results cleared
    block     the agent's own block, for display; its fields are not public and are never sent
    public    the `context_management` edit of the public API that does about the same
    """

    outgoing: tuple[Row, ...]
    registry: Registry
    reason: str
    fired: bool = False
    block: Mapping[str, Any] | None = None
    public: Mapping[str, Any] | None = None
    tools: tuple[str, ...] = ()
    saved: int = 0
    changes: tuple[Change, ...] = ()


def register(registry: Registry, rows: Sequence[Row], settings: Settings) -> Registry:
    """The registry with every compactable result of `rows`, each id once (there: registerToolResult, registerToolMessage)."""
    known = {*registry.registered, *registry.deleted}
    groups: dict[str, list[str]] = {}
    for result in compactable(rows, settings):
        if result.block.call not in known:
            known.add(result.block.call)
            groups.setdefault(result.row.uuid, []).append(result.block.call)
    return replace(registry, groups=registry.groups + tuple((uuid, tuple(calls)) for uuid, calls in groups.items()))


def clear_cached(
    rows: Sequence[Row], tokens: int | None, registry: Registry, settings: Settings, spared: Collection[str] = ()
) -> CachedEdit:
    """Deletes all but the newest results in the outgoing copy once `tokens` in context reach the trigger.

    There: cachedMicrocompactPath, createCacheEditsBlock. Which ids go is our ruling: the product's choice is not known.
    Those in the rows `spared`, by uuid, stay.
    """
    registry = register(registry, rows, settings)
    if not settings.on("cached.enabled"):
        return CachedEdit(tuple(rows), registry, "Cached clearing is off (cached.enabled).")
    found = [r for r in compactable(rows, settings) if r.row.uuid not in spared]
    earlier = [r for r in found if r.block.call in registry.deleted]
    old, reason = _due(found, tokens, registry, settings)
    outgoing = with_cleared(rows, [*earlier, *old], settings.text("clearedText"))
    if not old:
        return CachedEdit(outgoing, registry, reason, saved=tokens_of(rows) - tokens_of(outgoing))
    ids = tuple(dict.fromkeys(r.block.call for r in old))
    return CachedEdit(
        outgoing=outgoing,
        registry=replace(registry, deleted=registry.deleted + ids),
        reason=reason,
        fired=True,
        block={"type": "cache_edits", "edits": [{"type": "delete", "cache_reference": call} for call in ids]},
        public=public_edit(rows, settings),
        tools=ids,
        saved=tokens_of(rows) - tokens_of(outgoing),
        changes=changes_of(old, settings.number("cached_keep")),
    )


def _due(found: Sequence[Result], tokens: int | None, registry: Registry, settings: Settings) -> tuple[list[Result], str]:
    """The results to delete now, and why; each id is deleted once."""
    least, keep = settings.number("cached_trigger"), settings.number("cached_keep")
    if tokens is None or tokens < least:
        amount = "an unknown number of" if tokens is None else f"{tokens:,}"
        return [], f"There are {amount} tokens in context; cached clearing starts at {least:,}."
    gone = set(registry.deleted)
    old = [r for r in found[: max(0, len(found) - keep)] if r.block.call not in gone and not r.is_cleared]
    deleted = counted(len(old), "result")
    return old, f"{tokens:,} tokens in context: {deleted} deleted in the outgoing copy, the newest {keep} stay."


def public_edit(rows: Sequence[Row], settings: Settings) -> Mapping[str, Any]:
    """The public equivalent (spec 4, section 6): it knows no list of tools to clear, only one of tools to spare."""
    allowed = settings.texts("compactableTools")
    used = dict.fromkeys(b.name for row in rows for b in row.blocks if b.kind == CALL and b.name)
    edit: dict[str, Any] = {
        "type": PUBLIC_EDIT,
        "trigger": {"type": "input_tokens", "value": settings.number("cached_trigger")},
        "keep": {"type": "tool_uses", "value": settings.number("cached_keep")},
    }
    spared = [name for name in used if name not in allowed]
    return {**edit, "exclude_tools": spared} if spared else edit
