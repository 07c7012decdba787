"""The list of all settings: every number of the specification, once, with what it is for.

Names are the specification's own; the spellings that the articles quote (spec 1, section 13) and the environment's are
accepted beside them. A default is the value of the profile `articles`; what another profile says otherwise stands in
`profiles`.
"""

from dataclasses import dataclass
from typing import Any

from .reading import (
    Reading,
    amount,
    amount_or_none,
    configured_window,
    count,
    names,
    one_of,
    percentage,
    positive,
    switch,
    words,
    words_or_none,
)

WINDOW, GUARDS, BREAKER, NOTES = "window and threshold", "guards", "circuit breaker", "session memory"
SUMMARY, TOO_LONG, MICRO, RESTORE, OTHER = "summary", "request too long", "old results", "restore", "other modes"


@dataclass(frozen=True, slots=True)
class Setting:
    """One number, switch or word that a stage uses.

    default  as the reader gives it: int, float, bool, str, tuple of str, or None (found out elsewhere)
    unit     "tokens", "minutes", ...; "" for switches and words
    about    one line for people
    aliases  other spellings: the articles', the environment's
    choices  the words it may be, () when free
    """

    name: str
    group: str
    default: Any
    unit: str
    about: str
    read: Reading
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def _tokens(name: str, group: str, default: int, about: str, *aliases: str) -> Setting:
    return Setting(name, group, default, "tokens", about, amount, aliases)


def _number(name: str, group: str, default: int, unit: str, about: str, *aliases: str) -> Setting:
    return Setting(name, group, default, unit, about, count, aliases)


def _switch(name: str, group: str, default: bool, about: str, *aliases: str) -> Setting:
    return Setting(name, group, default, "", about, switch, aliases)


def _choice(name: str, group: str, choices: tuple[str, ...], about: str, *aliases: str) -> Setting:
    return Setting(name, group, choices[0], "", about, one_of(*choices), aliases, choices)


_OF_THE_WINDOW = (
    _choice("windowSyntax", WINDOW, ("integer", "suffix"), "how autoCompactWindow is read: a leading integer, or also 500k, 1M"),
    _number("windowMinimum", WINDOW, 0, "tokens", "autoCompactWindow is raised to this"),
    _number("windowMaximum", WINDOW, 0, "tokens", "autoCompactWindow is lowered to this; 0: no limit"),
    Setting("window", WINDOW, None, "tokens", "the model's window; none: by the evidence of the session", amount_or_none),
    _tokens("defaultWindow", WINDOW, 200_000, "the window where nothing is known of the model"),
    Setting(
        "autoCompactWindow", WINDOW, None, "tokens", "a smaller window to compact for; it can only make it earlier",
        configured_window, ("CLAUDE_CODE_AUTO_COMPACT_WINDOW",),
    ),
    Setting(
        "autoCompactPercent", WINDOW, None, "percent", "threshold as a share of the effective window; only makes it earlier",
        percentage, ("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",),
    ),
    _switch("firesOnlyWithWindow", WINDOW, False, "without a configured window nothing fires before the API's limit"),
    Setting(
        "maxOutputTokens", WINDOW, None, "tokens", "the model's largest output; none: by the table of models",
        amount_or_none, ("CLAUDE_CODE_MAX_OUTPUT_TOKENS",),
    ),
    _tokens("summaryReserve", WINDOW, 20_000, "kept free of the window for the summary itself (p99.99 of real ones: 17,387)"),
    _switch("reserveIsConstant", WINDOW, False, "the reserve stays even where the model's largest output is smaller"),
    _tokens(
        "autocompactBuffer", WINDOW, 13_000, "kept free for one more turn, its attachments and what the compaction adds",
        "AUTOCOMPACT_BUFFER_TOKENS",
    ),
    _tokens("warningBuffer", WINDOW, 20_000, "the warning comes so much before the threshold"),
    _tokens("manualBuffer", WINDOW, 3_000, "the manual limit lies so much under the effective window"),
    _tokens("plausibleThreshold", WINDOW, 67_000, "an automatic compaction under this was reactive: no threshold is so low"),
)  # fmt: skip

_OF_THE_GUARDS = (
    _switch("DISABLE_COMPACT", GUARDS, False, "no compaction at all, not even by hand"),
    _switch("DISABLE_AUTO_COMPACT", GUARDS, False, "no automatic compaction"),
    _switch("autoCompactEnabled", GUARDS, True, "automatic compaction is on; any off wins", "isAutoCompactEnabled"),
    Setting("querySource", GUARDS, "main", "", "who asks: main, session_memory, compact, marble_origami, an agent", words),
    _switch("reactive", GUARDS, False, "compact only when the API answers too long", "isReactiveCompactEnabled"),
    _switch("collapse", GUARDS, False, "fold whole rounds instead of summarising", "isContextCollapseEnabled"),
)

_OF_THE_BREAKER = (
    Setting(
        "maxConsecutiveFailures", BREAKER, 3, "failures", "so many failures in a row open the breaker", amount,
        ("MAX_CONSECUTIVE_AUTOCOMPACT_FAILURES",),
    ),
    Setting("thrashTurns", BREAKER, 3, "turns", "refilled within so many turns of the last compaction counts as thrash", amount),
    Setting("thrashRepeats", BREAKER, 3, "times", "so many quick refills in a row stop the session", amount),
)  # fmt: skip

_OF_THE_NOTES = (
    _switch("sessionMemory", NOTES, True, "compact from the session notes where they are available"),
    _tokens("minTokens", NOTES, 10_000, "the keep window grows back until it holds so much"),
    Setting("minTextBlockMessages", NOTES, 5, "rows", "and until it holds so many rows with text", amount),
    _tokens("maxTokens", NOTES, 40_000, "the growing stops here; no cap on what the notes do not cover"),
    Setting("extractionWait", NOTES, 15.0, "seconds", "so long a running extraction is awaited", positive),
    _tokens("noteSectionTokens", NOTES, 2_000, "budget of one section of the notes"),
    _tokens("noteTotalTokens", NOTES, 12_000, "budget of the notes"),
    _tokens("extractionStart", NOTES, 10_000, "context at which notes are taken first"),
    _tokens("extractionGrowth", NOTES, 5_000, "growth of the context after which they are taken again"),
    Setting("extractionToolCalls", NOTES, 3, "calls", "tool calls since the last extraction that make it due", amount),
)

_OF_THE_SUMMARY = (
    _tokens("summaryMaxTokens", SUMMARY, 20_000, "max_tokens of the summary request, at most the model's largest output"),
    _choice("untaggedSummary", SUMMARY, ("rest", "as-is"), "a reply without <summary>: what is left, or as it is"),
    _switch("keepLastRound", SUMMARY, False, "the last API round stays verbatim and is not shown to the summarizer"),
    Setting("keepLastRoundFrom", SUMMARY, 3, "rounds", "fewer rounds since the boundary: everything is summarised", amount),
    _number("firstCompactionRounds", SUMMARY, 0, "rounds", "fewer rounds and no boundary yet: no automatic compaction"),
    _switch("manualGoesOn", SUMMARY, False, "by hand too the continuation says to go on without asking"),
    _number("fallbackAttempts", SUMMARY, 1, "requests", "plain requests without tools after an attempt that gave no text"),
    _choice("thinking.open_turn", SUMMARY, ("refuse", "drop_block"), "bound thinking in an open tool turn whose history changes"),
)

_OF_TOO_LONG = (
    _choice("tooLongRetry", TOO_LONG, ("drop-oldest", "shorter-prefix"), "drop the oldest rounds, or summarise a shorter prefix"),
    _number("maxRetries", TOO_LONG, 3, "retries", "retries of one summary request", "MAX_PTL_RETRIES"),
    Setting("unknownGapPercent", TOO_LONG, 20.0, "percent of rounds", "dropped when the error names no numbers", positive),
    _tokens("sumFormMinimum", TOO_LONG, 1_000, "least max_tokens worth asking again with when the sum was too long"),
    _number("sumFormMargin", TOO_LONG, 500, "tokens", "kept free when asking again with a smaller max_tokens"),
    Setting(
        "retryMarker", TOO_LONG, "[The oldest part of this conversation was left out: it did not fit into the request.]", "",
        "the user text put in front when the shortened array would start with the assistant", words, ("PTL_RETRY_MARKER",),
    ),
)  # fmt: skip

_OF_OLD_RESULTS = (
    Setting(
        "compactableTools", MICRO,
        ("Read", "Bash", "PowerShell", "BashOutput", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"), "",
        "tools whose results may be cleared; never MCP tools", names, ("COMPACTABLE_TOOLS",),
    ),
    _switch("timeBased.enabled", MICRO, False, "clear old results after a pause, when the cache is cold anyway"),
    Setting("gapThresholdMinutes", MICRO, 60.0, "minutes", "the pause", positive, ("timeBased.gapThresholdMinutes",)),
    _number("keepRecent", MICRO, 5, "results", "newest results that stay; at least 1", "timeBased.keepRecent"),
    Setting(
        "clearedText", MICRO, "[Old tool result content cleared]", "", "what stands in place of a cleared result", words,
        ("TIME_BASED_MC_CLEARED_MESSAGE",),
    ),
    _switch("cached.enabled", MICRO, False, "clear results in the outgoing copy only, where the cache is warm"),
    _tokens("cached_trigger", MICRO, 100_000, "context at which cached clearing starts", "cached.trigger"),
    _number("cached_keep", MICRO, 5, "results", "newest results that stay", "cached.keep"),
)  # fmt: skip

_OF_RESTORE = (
    _number("restoreMaxFiles", RESTORE, 5, "files", "files brought back", "POST_COMPACT_MAX_FILES_TO_RESTORE"),
    _tokens("restoreTokensPerFile", RESTORE, 5_000, "of one file", "POST_COMPACT_MAX_TOKENS_PER_FILE"),
    _tokens("restoreTokenBudget", RESTORE, 50_000, "of all files together", "POST_COMPACT_TOKEN_BUDGET"),
    _tokens("skillTokens", RESTORE, 5_000, "of one skill", "POST_COMPACT_MAX_TOKENS_PER_SKILL"),
    _tokens("skillsTokenBudget", RESTORE, 25_000, "of all skills together", "POST_COMPACT_SKILLS_TOKEN_BUDGET"),
    _choice("restoreOrder", RESTORE, ("last-read", "modified"), "which files come first: read last, or modified last"),
    _choice("restoreLargeFile", RESTORE, ("cut", "reference"), "a file over its budget: cut, or only named"),
)

_OF_OTHER_MODES = (
    _choice(
        "reactiveSizing", OTHER, ("gap", "fits"), "reactive: the oldest rounds that make up the gap, or as many as fit a request"
    ),
    _tokens("reactiveHeadroom", OTHER, 1_700, "kept free for the instruction when as many rounds as fit are summarised"),
    Setting("foldKeepRounds", OTHER, 3, "rounds", "newest rounds that a fold leaves open", amount),
    Setting("now", OTHER, None, "", "the present time, for gaps; none: the last row's", words_or_none),
)

SETTINGS = (
    *_OF_THE_WINDOW, *_OF_THE_GUARDS, *_OF_THE_BREAKER, *_OF_THE_NOTES, *_OF_THE_SUMMARY, *_OF_TOO_LONG, *_OF_OLD_RESULTS,
    *_OF_RESTORE, *_OF_OTHER_MODES,
)  # fmt: skip

# One name of the articles that stands for more than one number here, and the names of their groups of settings.
SPREAD = {"MAX_OUTPUT_TOKENS_FOR_SUMMARY": ("summaryReserve", "summaryMaxTokens")}
GROUPS = {
    "tengu_sm_compact_config": "", "SessionMemoryCompactConfig": "", "sessionMemoryCompact": "", "timeBased": "timeBased.",
    "cached": "cached.", "thinking": "thinking.",
}  # fmt: skip
