"""Rows of a Claude Code session as version 2.1.32 writes them, one method per kind, straight to bytes.

The writer keeps what every row needs: a clock, fresh ids, and the leaf the next row hangs on.
"""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

Id = bytes
CWD = b"/home/dev/orchard"


@dataclass(frozen=True, slots=True)
class Call:
    """One request to the model. Tokens: `read` from the cache, `created` into it, `fresh` beside it; their sum is the context."""

    message_id: Id
    request_id: Id
    fresh: int
    read: int
    created: int

    def usage(self, output: int) -> bytes:
        return (
            b'{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,'
            b'"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":0},'
            b'"output_tokens":%d,"service_tier":"standard","inference_geo":"not_available"}'
        ) % (self.fresh, self.created, self.read, self.created, output)


class RowWriter:
    """Writes rows and remembers `written` bytes, `rows`, and `leaf`: the row the conversation goes on from."""

    def __init__(self, out: BinaryIO, rng: random.Random) -> None:
        self.written = 0
        self.rows = 0
        self.leaf: Id | None = None
        self._out = out
        self._rng = rng
        self._now = datetime(2026, 1, 14, 9, 0, tzinfo=UTC)
        self._common = (
            b'"isSidechain":false,"userType":"external","cwd":"%b","sessionId":"%b","version":"2.1.32","gitBranch":"main"'
        ) % (CWD, self.new_uuid())

    def new_uuid(self) -> Id:
        return str(uuid.UUID(int=self._rng.getrandbits(128), version=4)).encode()

    def new_id(self, prefix: bytes) -> Id:
        return b"%b_01%022x" % (prefix, self._rng.getrandbits(88))

    def new_call(self, context: int, cached: int) -> Call:
        fresh = min(3, context)
        read = min(cached, context - fresh)
        return Call(self.new_id(b"msg"), self.new_id(b"req"), fresh, read, context - fresh - read)

    def prompt(self, text: bytes) -> Id:
        body = b'"type":"user","message":{"role":"user","content":"%b"}' % text
        return self._row(body, self.leaf, b',"todos":[],"permissionMode":"default"')

    def block(self, call: Call, block: bytes, output: int) -> Id:
        """One content block of a reply; a reply is as many rows as it has blocks, all with its id and its usage."""
        message = (
            b'"message":{"model":"claude-opus-4-5-20251101","id":"%b","type":"message","role":"assistant","content":[%b],'
            b'"stop_reason":null,"stop_sequence":null,"usage":%b},"requestId":"%b","type":"assistant"'
        )
        return self._row(message % (call.message_id, block, call.usage(output), call.request_id), self.leaf)

    def result(self, call_row: Id, tool_id: Id, text: bytes, copy: bytes) -> Id:
        """A tool's result under the row that asked for it; `copy` is the record of the same output the agent keeps for itself."""
        body = (
            b'"type":"user","message":{"role":"user","content":[{"tool_use_id":"%b","type":"tool_result","content":"%b","is_error":false}]}'
        ) % (tool_id, text)
        return self._row(body, call_row, b',"toolUseResult":%b,"sourceToolAssistantUUID":"%b"' % (copy, call_row))

    def command_progress(self, parent: Id, tool_id: Id, seconds: int, output: bytes) -> Id:
        """What a running command has printed so far: a side branch, nothing is answered to it."""
        data = b'{"type":"bash_progress","output":"%b","fullOutput":"%b","elapsedTimeSeconds":%d,"totalLines":%d}' % (
            output,
            output,
            seconds,
            output.count(b"\\n"),
        )
        body = b'"type":"progress","data":%b,"toolUseID":"bash-progress-%d","parentToolUseID":"%b"' % (data, seconds, tool_id)
        return self._row(body, parent, follow=False)

    def hook_progress(self, event: bytes) -> Id:
        """A hook that ran at `event`, such as SessionStart:startup; a link of the chain."""
        data = b'{"type":"hook_progress","hookEvent":"SessionStart","hookName":"%b","command":"make -s hooks"}' % event
        hook = self.new_uuid()
        return self._row(b'"type":"progress","data":%b,"parentToolUseID":"%b","toolUseID":"%b"' % (data, hook, hook), self.leaf)

    def turn_end(self, milliseconds: int) -> None:
        """The two notes the agent leaves when it hands back to the user."""
        hooks = (
            b'"hookCount":1,"hookInfos":[{"command":"make -s hooks"}],"hookErrors":[],'
            b'"preventedContinuation":false,"stopReason":"","hasOutput":false'
        )
        note = b'"type":"system","subtype":"stop_hook_summary",%b,"level":"suggestion","toolUseID":"%b"'
        self._row(note % (hooks, self.new_uuid()), self.leaf)
        self._row(b'"type":"system","subtype":"turn_duration","durationMs":%d,"isMeta":false' % milliseconds, self.leaf)

    def boundary(self, pre_tokens: int) -> Id:
        """An automatic compaction: a new root, with the row before it named beside the chain."""
        body = (
            b'"logicalParentUuid":"%b","type":"system","subtype":"compact_boundary","content":"Conversation compacted",'
            b'"isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":%d}'
        ) % (self.leaf or b"", pre_tokens)
        return self._row(body, None)

    def summary(self, text: bytes) -> Id:
        body = (
            b'"type":"user","message":{"role":"user","content":"%b"},"isVisibleInTranscriptOnly":true,"isCompactSummary":true'
        ) % text
        return self._row(body, self.leaf)

    def snapshot(self, message: Id) -> None:
        """A note of the files as they were at a prompt; it has no place in the tree."""
        self._write(
            b'{"type":"file-history-snapshot","messageId":"%b","snapshot":{"messageId":"%b","trackedFileBackups":{},"timestamp":"%b"},'
            b'"isSnapshotUpdate":false}\n' % (message, message, self._timestamp())
        )

    def _row(self, body: bytes, parent: Id | None, tail: bytes = b"", *, follow: bool = True) -> Id:
        own = self.new_uuid()
        above = b'"%b"' % parent if parent else b"null"
        parts = (above, self._common, body, own, self._timestamp(), tail)
        self._write(b'{"parentUuid":%b,%b,%b,"uuid":"%b","timestamp":"%b"%b}\n' % parts)
        if follow:
            self.leaf = own
        return own

    def _timestamp(self) -> bytes:
        self._now += timedelta(milliseconds=self._rng.randrange(20, 4000))
        return self._now.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3].encode() + b"Z"

    def _write(self, line: bytes) -> None:
        self._out.write(line)
        self.written += len(line)
        self.rows += 1
