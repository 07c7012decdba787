"""Records an invented session row by row, in the format of the versions up to 2.1.49 (`newest.py` has today's)."""

from collections.abc import Iterable
from typing import Any

from .identity import Clock, Ids, letters
from .meter import Meter, billed, compact_json, rough
from .tools import Think, Tool

Row = dict[str, Any]
Part = str | Think | Tool
Files = dict[str, bytes]

CONTINUED = "This session goes on from an earlier conversation whose context was full. What happened in it is summarised here."


def text_of(content: Any) -> str:
    """The text of a result: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content)


class Session:
    """Tells a session: prompts, steps, compactions; keeps the parent chain, the ids, the time and the meter."""

    unrecorded_after_compaction = 6_400

    def __init__(
        self, sample: str, *, version: str, cwd: str, model: str, overhead: int, start: str, branch: str = "main", slug: str
    ) -> None:
        self.sample, self.version, self.cwd, self.branch, self.model, self.slug = sample, version, cwd, branch, model, slug
        self.ids = Ids(sample)
        self.clock = Clock(start, self.ids)
        self.meter = Meter(overhead)
        self.id = self.ids.uuid("session")
        self.rows: list[Row] = []
        self.parent: str | None = None
        self.calls: dict[str, str] = {}
        self.agent: str | None = None
        self.meter.cached = 14_200

    # --- rows ---

    def envelope(self) -> Row:
        """The keys that every linked row begins with."""
        shared: Row = {
            "parentUuid": self.parent,
            "isSidechain": self.agent is not None,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.id,
            "version": self.version,
            "gitBranch": self.branch,
            "slug": self.slug,
        }
        return {**shared, "agentId": self.agent} if self.agent else shared

    def link(self, row: Row) -> Row:
        """Appends a linked row: it gets a uuid and a time, and becomes the parent of the next."""
        row = {**self.envelope(), **row, "uuid": self.ids.uuid(), "timestamp": self.clock.tick()}
        self.rows.append(row)
        self.parent = row["uuid"]
        return row

    def note(self, row: Row) -> None:
        """Appends a bookkeeping row, which is no part of the tree."""
        self.rows.append(row)

    def snapshot(self) -> None:
        """The record of file backups that stands before a prompt."""
        message = self.ids.uuid("snapshot")
        kept = {"messageId": message, "trackedFileBackups": {}, "timestamp": self.clock.stamp()}
        self.note({"type": "file-history-snapshot", "messageId": message, "snapshot": kept, "isSnapshotUpdate": False})

    def hook(self, event: str, name: str, command: str) -> Row:
        """A hook's progress row."""
        data = {"type": "hook_progress", "hookEvent": event, "hookName": name, "command": command}
        call = self.ids.uuid("hook")
        return self.link({"type": "progress", "data": data, "parentToolUseID": call, "toolUseID": call})

    def shell_progress(self, output: str, seconds: int) -> Row:
        """A row that shows a running command's output so far."""
        data = {
            "type": "bash_progress",
            "output": output,
            "fullOutput": output,
            "elapsedTimeSeconds": seconds,
            "totalLines": output.count("\n") + 1,
        }
        return self.link(
            {
                "type": "progress",
                "data": data,
                "toolUseID": f"bash-progress-{seconds}",
                "parentToolUseID": f"bash-progress-{seconds}",
            }
        )

    def queued(self, operation: str, content: str | None = None) -> None:
        """A prompt that was typed while the agent worked."""
        row = {"type": "queue-operation", "operation": operation, "timestamp": self.clock.tick(), "sessionId": self.id}
        self.note(row if content is None else {**row, "content": content})

    def system(self, subtype: str, **keys: Any) -> Row:
        """A system row other than a boundary."""
        return self.link({"type": "system", "subtype": subtype, "isMeta": False, **keys})

    def turn_end(self, minutes: float = 2) -> None:
        """The user reads and thinks; the turn's duration is recorded."""
        self.system("turn_duration", durationMs=self.ids.spread(18_000, 190_000, "turn"))
        self.clock.wait(minutes)

    # --- the conversation ---

    def prompt(self, text: str | list[dict[str, Any]], **keys: Any) -> Row:
        """The user says something."""
        if isinstance(text, str):
            self.meter.add(text)
        else:
            self.meter.add("".join(block.get("text", "") for block in text))
        return self.link({"type": "user", "message": {"role": "user", "content": text}, **self.prompt_keys(), **keys})

    def prompt_keys(self) -> Row:
        """The keys of a typed prompt in this version."""
        return {"thinkingMetadata": {"maxThinkingTokens": 31999}, "todos": [], "permissionMode": "default"}

    def step(self, *parts: Part) -> list[Row]:
        """One API call: the reply's rows, then a row for the result of each tool. Returns the reply's rows."""
        reply = self.reply(*parts)
        rows = [row for row in reply if row["message"]["content"][0]["type"] == "tool_use"]
        for row, tool in zip(rows, [part for part in parts if isinstance(part, Tool)], strict=True):
            self.result(row, tool)
        return reply

    def reply(self, *parts: Part) -> list[Row]:
        """One API call without the results of its tools."""
        blocks = [self.block(part) for part in parts]
        output = max(5, sum(self.block_tokens(block) for block in blocks))
        usage = self.usage(self.meter.call(output), output)
        message_id, request = self.ids.message(), self.ids.request()
        stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
        return [self.reply_row(block, message_id, usage, stop, request, place) for place, block in enumerate(blocks)]

    def reply_row(self, block: Row, message_id: str, usage: Row, stop: str, request: str, place: int) -> Row:
        """One row of a reply: a single block, the message's id and its usage."""
        message = {
            "model": self.model,
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": None if self.placeholder() else stop,
            "stop_sequence": None,
            "usage": usage,
        }
        row = self.link({"message": message, "requestId": request, "type": "assistant"})
        if block["type"] == "tool_use":
            self.calls[block["id"]] = row["uuid"]
        return row

    def block(self, part: Part) -> Row:
        """A part of a reply as a content block."""
        if isinstance(part, str):
            return {"type": "text", "text": part}
        if isinstance(part, Think):
            return {"type": "thinking", "thinking": part.text, "signature": "Er" + letters(58, self.sample, part.text) + "=="}
        return {"type": "tool_use", "id": self.ids.call(), "name": part.name, "input": part.input}

    def block_tokens(self, block: Row) -> int:
        """Output tokens of a block."""
        if block["type"] == "tool_use":
            return billed(block["name"] + compact_json(block["input"]), "call")
        return billed(block.get("text", "") + block.get("thinking", ""), "text")

    def placeholder(self) -> bool:
        """Versions 2.1.9 to 2.1.49 record a placeholder for the output and no stop reason."""
        return (2, 1, 9) <= tuple(int(part) for part in self.version.split(".")) <= (2, 1, 49)

    def usage(self, prompt: dict[str, int], output: int) -> Row:
        """The usage object of every row of a reply."""
        created = prompt["cache_creation_input_tokens"]
        recorded = min(output, self.ids.spread(1, 9, "output")) if self.placeholder() else output
        return {
            **prompt,
            "cache_creation": {"ephemeral_5m_input_tokens": created, "ephemeral_1h_input_tokens": 0},
            "output_tokens": recorded,
            "service_tier": "standard",
            "inference_geo": "not_available",
        }

    def result(self, call: Row, tool: Tool, **keys: Any) -> Row:
        """The row that answers a call: its parent is the row of the call."""
        identifier = call["message"]["content"][0]["id"]
        block = {
            "tool_use_id": identifier,
            "type": "tool_result",
            "content": tool.content,
            **({"is_error": True} if tool.is_error else {}),
        }
        self.meter.add(text_of(tool.content), "result")
        if tool.image_tokens:
            self.meter.add_tokens(tool.image_tokens)
        self.parent = call["uuid"]
        row: Row = {"type": "user", "message": {"role": "user", "content": [block]}}
        if tool.outcome is not None:
            row["toolUseResult"] = tool.outcome
        return self.link({**row, **self.result_keys(call), **keys})

    def result_keys(self, call: Row) -> Row:
        """The keys of a result row in this version."""
        return {"sourceToolAssistantUUID": call["uuid"]}

    # --- compaction ---

    def work_until(self, tokens: int, steps: Iterable[tuple[Part, ...]]) -> int:
        """Takes steps until the context has reached that many tokens; returns how many it took. Refuses to run out of steps."""
        taken = 0
        for parts in steps:
            if self.meter.context() >= tokens:
                return taken
            self.step(*parts)
            taken += 1
        if self.meter.context() >= tokens:
            return taken
        raise ValueError(f"{self.sample}: the story ends at {self.meter.context()} tokens, short of {tokens}")

    def auto_compact(self, summary: str, hooks: bool = True) -> Row:
        """The context has reached the threshold: boundary, summary, hook; the agent goes on by itself."""
        boundary = self.boundary("auto")
        self.summary(summary, "Go on from here with the work that was under way. The user is not asked anything first.")
        if hooks:
            self.hook("SessionStart", "SessionStart:compact", "scripts/session-start.sh")
        return boundary

    def manual_compact(self, summary: str, instructions: str = "") -> Row:
        """The user typed /compact: boundary, summary, then the rows of the command itself."""
        boundary = self.boundary("manual")
        self.summary(summary, "")
        self.command_rows(instructions)
        return boundary

    def command_rows(self, instructions: str) -> None:
        """The rows that the command /compact leaves behind its summary."""
        told = "The rows that follow come from a command the user ran. They need no answer."
        said = f"<local-command-caveat>{told}</local-command-caveat>"
        name = "<command-name>/compact</command-name>\n<command-message>compact</command-message>\n"
        name += f"<command-args>{instructions}</command-args>"
        for text, keys in ((said, {"isMeta": True}), (name, {}), ("<local-command-stdout>Compacted</local-command-stdout>", {})):
            self.meter.add(text)
            self.link({"type": "user", "message": {"role": "user", "content": text}, **keys})

    def boundary(self, trigger: str) -> Row:
        """The boundary: a new root that remembers how large the context was."""
        logical, self.parent = self.parent, None
        tokens = {"trigger": trigger, "preTokens": self.meter.context()}
        self.clock.wait(1)
        return self.link(
            {
                "logicalParentUuid": logical,
                "type": "system",
                "subtype": "compact_boundary",
                "content": "Conversation compacted",
                "isMeta": False,
                "level": "info",
                "compactMetadata": tokens,
            }
        )

    def summary(self, text: str, last: str) -> Row:
        """The summary row with its frame; the meter starts again."""
        path = f"/home/mira/.agent/projects{self.cwd.replace('/', '-')}/{self.id}.jsonl"
        framed = f"{CONTINUED}\n\n{text}\n\nWhatever is missing here can be looked up in the full transcript: {path}"
        framed = f"{framed}\n{last}" if last else framed
        self.meter.restart(billed(framed, "text"), self.unrecorded_after_compaction)
        self.meter.added_rough = rough(framed)
        return self.link(
            {
                "type": "user",
                "message": {"role": "user", "content": framed},
                "isVisibleInTranscriptOnly": True,
                "isCompactSummary": True,
            }
        )

    def micro_compact(self, keep: int) -> Row:
        """Clears old results from what is sent, all but the newest `keep` of the compactable ones; on disk they stay whole."""
        results = self.compactable()
        cleared = results[: len(results) - keep]
        saved = sum(rough(text) for _, text in cleared)
        tokens = {
            "trigger": "auto",
            "preTokens": sum(rough(text) for _, text in results),
            "tokensSaved": saved,
            "compactedToolIds": [call for call, _ in cleared],
            "clearedAttachmentUUIDs": [],
        }
        self.meter.prompt -= sum(billed(text, "result") for _, text in cleared)
        self.meter.cached = self.meter.overhead
        return self.link(
            {
                "type": "system",
                "subtype": "microcompact_boundary",
                "content": "Context microcompacted",
                "isMeta": False,
                "level": "info",
                "microcompactMetadata": tokens,
            }
        )

    def compactable(self) -> list[tuple[str, str]]:
        """Id and text of the results since the last boundary that microcompaction may clear, oldest first."""
        names: dict[str, str] = {}
        found: list[tuple[str, str]] = []
        for row in self.rows:
            if row.get("subtype") == "compact_boundary":
                found = []
            for block in (
                row["message"]["content"]
                if row["type"] in ("assistant", "user") and isinstance(row["message"]["content"], list)
                else ()
            ):
                if block["type"] == "tool_use":
                    names[block["id"]] = block["name"]
                elif block["type"] == "tool_result" and not block.get("is_error") and names[block["tool_use_id"]] in COMPACTABLE:
                    found.append((block["tool_use_id"], text_of(block["content"])))
        return found

    # --- the file ---

    def lines(self) -> list[bytes]:
        """The rows as lines without their newline."""
        return [compact_json(row).encode("utf-8") for row in self.rows]

    def file(self) -> bytes:
        """The whole session file."""
        return b"".join(line + b"\n" for line in self.lines())


COMPACTABLE = frozenset({"Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"})
