"""What is said of each kind of fault wherever it is met: what to do, what the agent does, what the repair does."""

WRITE_COPY = "Write a repaired copy (--fix -o OUT) and resume that."
NOTHING_LEFT = "Nothing here can be sent, and a repair would leave nothing: there is nothing to resume."
START_ANEW = "Resume from an earlier point, or start a new session from a summary."

ADVICE = {
    "unanswered-call": "The API refuses the array as it stands. " + WRITE_COPY,
    "unasked-result": "The API refuses the array as it stands. " + WRITE_COPY,
    "misplaced-result": "Nothing is lost: the real result is in the file. " + WRITE_COPY,
    "split-results": "All results of one reply belong in one message. " + WRITE_COPY,
    "duplicate-result": "One call has one result; the real one stays. " + WRITE_COPY,
    "duplicate-call": "Two calls share an id, so their results cannot be told apart. " + WRITE_COPY,
    "results-not-first": "Put the results before everything else in the message. " + WRITE_COPY,
    "bad-call-id": "The id is missing, or came from another provider; the API refuses it on every request. " + WRITE_COPY,
    "server-pair": "A server tool's call and result belong in one reply. " + WRITE_COPY,
    "first-not-user": "The beginning of the session is not in the file. " + WRITE_COPY,
    "empty-message": "An empty message is refused on every request. " + WRITE_COPY,
    "empty-text": "A text block that says nothing is refused on every request. " + WRITE_COPY,
    "empty-summary": "The compaction left no summary: what came before it is lost to the model. " + START_ANEW,
    "thinking-unsigned": "Thinking without signature was edited or made up; the API refuses it. " + WRITE_COPY,
    "mark-on-nothing": "Move the cache mark to a block with content.",
    "too-many-marks": "Leave at most four blocks with cache_control, the last ones of each part.",
    "mark-order": "Put the blocks cached for an hour before those cached for five minutes.",
    "image-side": "Resume before the image came in, or compact: a compaction drops it.",
    "image-bytes": "Resume before the image came in, or compact: a compaction drops it.",
    "too-many-media": "Compact: the images before the boundary are no longer sent.",
    "too-many-messages": "Compact.",
    "too-many-bytes": "The limit is of bytes, not of tokens: compact, or resume before the large result.",
    "too-many-tokens": "Compact before sending.",
    "compaction-block": "Send the compaction block as it came, first in its message.",
    "split-reply": "Keep the rows of one reply together.",
    "unknown-role": "Only user and assistant messages can be sent; what a system message says belongs in the request's system.",
    "no-message": "There is nothing to resume.",
    "damaged-line": "The agent skips what it cannot read. " + WRITE_COPY,
    "nul-bytes": "Padding left by a crash or a full disk; nothing that was written is lost with it. " + WRITE_COPY,
    "lone-surrogate": "A text was cut in the middle of a character; the request is no valid JSON. " + WRITE_COPY,
    "nul-character": "NUL characters have cut request bodies short. " + WRITE_COPY,
    "dangling-parent": "A row between is missing; the rows before it are loaded all the same. " + WRITE_COPY,
    "conflicting-uuid": "Two rows claim one id: readers differ in which one they load. " + WRITE_COPY,
    "copied-row": "The row was written twice; it counts once. " + WRITE_COPY,
    "cycle": "A reader without a guard never ends on such a file. " + WRITE_COPY,
    "two-branches": "Two processes may have written to one file. Look at both branches (--leaf UUID) and go on from one.",
    "boundary-bypassed": "The compaction was undone: all of the history is sent again. " + WRITE_COPY,
    "boundary-without-metadata": "Nothing to do; its sizes stay unknown, and other tools may stumble over it.",
    "kept-part-unresolved": "The agent ignores the whole kept part. " + WRITE_COPY,
    "kept-part-lost": "The agent ignores the whole kept part, and the file does not hold what it lacks. " + START_ANEW,
    "kept-reply-split": "A reply is whole or not sent. " + WRITE_COPY,
    "skill-lost": "Invoke the skill again: neither the model nor the user was told that its text is gone.",
}


ON_LOAD = {
    "drop-thinking": "leaves the thinking out",
    "replace-server-block": "puts a short text in its place",
    "replace-call": "puts a short text in the call's place",
    "drop-result": "drops the result",
    "move-result": "moves the result behind its call",
    "add-result": "adds an error result of its own",
    "drop-call": "drops the call",
    "drop-empty-text": "leaves the empty text out",
    "fill-empty": "puts a short text into the empty reply",
    "drop-empty": "leaves the empty message out",
}
AS_IT_STANDS = "sends it as it stands"
REPAIRS = {
    "unasked-result": "the result is dropped: no call in the file asked for it",
    "misplaced-result": "the real result comes to stand behind its call; an error made up in its place goes",
    "split-results": "the result is moved beside the others",
    "duplicate-result": "one result stays, the first that is no error; the others go",
    "duplicate-call": "the later call and its result get an id of their own; the same call twice in one reply goes",
    "results-not-first": "the results are moved to the front of their message",
    "bad-call-id": "the call and its result get an id of letters, digits, _ and -",
    "server-pair": "the block is dropped; a reply of nothing but thinking goes with it",
    "first-not-user": "a short text of the user's is put before it",
    "empty-message": "its rows are dropped; what hung on them hangs on the row before",
    "empty-text": "the block is dropped, its cache mark moves to the block before; a row left empty goes with it",
    "thinking-unsigned": "the thinking is dropped; a row left empty goes with it",
}


def advice_for(kind: str) -> str:
    """The advice for a kind; rows before the last boundary share that of their kind, but for the repair."""
    plain = kind.removesuffix("-before-boundary")
    advice = ADVICE.get(plain, "")
    return advice if plain == kind else advice.replace(WRITE_COPY, "").strip()
