"""Records an invented session in the format of 2.1.332: attachments with their text, kept rows, the requests themselves."""

from dataclasses import dataclass, replace
from typing import Any

from . import attachments
from .attachments import Attachment
from .identity import letters
from .meter import Meter, billed, compact_json, rough
from .requests import Array, name_of
from .session import CONTINUED, Part, Row, Session, text_of
from .surroundings import system_prompt, tool_definitions
from .tools import Tool


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a conversation stood: its last row, its numbers, its array."""

    parent: str | None
    meter: Meter
    array: Array


class NewestSession(Session):
    """A session of today's version. With `requests` every request is recorded, and the overhead is that of their shape."""

    def __init__(
        self,
        sample: str,
        *,
        cwd: str,
        model: str,
        start: str,
        slug: str,
        rules: str,
        overhead: int = 0,
        requests: bool = False,
        branch: str = "main",
        version: str = "2.1.332",
    ) -> None:
        self.shape = (
            {"system": [{"type": "text", "text": system_prompt(cwd)}], "tools": tool_definitions(sample)} if requests else None
        )
        fixed = billed(compact_json(self.shape), "text") if self.shape else overhead
        super().__init__(sample, version=version, cwd=cwd, model=model, overhead=fixed, start=start, branch=branch, slug=slug)
        self.rules = rules
        self.requests = requests
        self.prompt_id = self.ids.uuid("prompt")
        self.prompts = 0
        self.announced = self.surrounded = self.tools_shown = False
        self.request_ref: str | None = None
        self.array = Array()
        self.shape_sent = False
        self.dropped = 0
        self.last_prompt = ""
        self.reads: dict[str, str] = {}

    def envelope(self) -> Row:
        kept = super().envelope()
        return {**{key: kept[key] for key in kept if key != "slug"}, "entrypoint": "cli"}

    # --- prompts and attachments ---

    def prompt(self, text: str | list[Row], **keys: Any) -> Row:
        if isinstance(text, str):
            self.last_prompt = text
            self.queued("enqueue", text)
            self.queued("dequeue")
        self.prompt_id = self.ids.uuid("prompt")
        self.prompts += 1
        row = super().prompt(text, **keys)
        self.array.say(text)
        if not self.announced:
            self.announce()
        self.tokens_reminder()
        if not self.surrounded:
            self.instructions()
            self.surroundings()
        return row

    def prompt_keys(self) -> Row:
        return {
            "promptId": self.prompt_id,
            "permissionMode": "default",
            "promptSource": "typed",
            "sentAtMs": self.clock.epoch_ms(),
            "rowSource": "local",
            "turnOrigin": "human",
            "turnPosition": {"promptIndex": 0, "turnIndex": self.prompts},
        }

    def attach(self, *given: Attachment) -> None:
        """Attachment rows, one after the other."""
        for each in given:
            row: Row = {"attachment": {"type": each.kind, **each.keys}, "type": "attachment"}
            if each.sent is not None:
                rendered = f"<system-reminder>\n{each.sent}\n</system-reminder>"
                row |= {"rendered": [{"content": rendered}], "renderedRole": each.role}
                self.meter.add(rendered)
                self.array.remind(rendered, each.beside)
            if each.beside:
                row["renderedBesideToolResult"] = True
            self.link(row)

    def announce(self) -> None:
        """What the first prompt is told about the machine, the tools, the agents and the skills."""
        self.attach(attachments.environment(self.cwd), attachments.model(self.model), *attachments.listings())
        self.announced = True

    def surroundings(self) -> None:
        """What stands last among the attachments: the remote session and the snapshot of the system prompt."""
        self.attach(attachments.remote())
        self.prompt_snapshot(tools=False)
        self.surrounded, self.tools_shown = True, False

    def instructions(self) -> None:
        """The project's own rules and the date; an automatic compaction that keeps rows puts them before its summary."""
        self.note({"type": "atis-latch", "atis": "", "sessionId": self.id})
        self.attach(*attachments.instructions(self.cwd, self.rules, self.clock.stamp()[:10]))

    def prompt_snapshot(self, tools: bool) -> None:
        """The system prompt as it is sent, where the shape of the requests is recorded."""
        if self.shape:
            self.attach(attachments.prompt_snapshot(self.shape["system"][0]["text"], len(self.shape["tools"]) if tools else 0))

    def tokens_reminder(self) -> None:
        """How full the window is, as the agent tells the model."""
        self.attach(attachments.tokens_used(self.meter.context()))

    # --- calls ---

    def reply(self, *parts: Part) -> list[Row]:
        self.array.flush()
        self.request_ref = self.record_request() if self.requests else None
        used = [part.name for part in parts if isinstance(part, Tool)]
        if used and self.requests:
            self.note({"type": "tools-used", "tools": sorted(set(used)), "sessionId": self.id})
        rows = super().reply(*parts)
        self.array.replied([row["message"]["content"][0] for row in rows])
        return rows

    def step(self, *parts: Part) -> list[Row]:
        rows = super().step(*parts)
        if any(isinstance(part, Tool) for part in parts):
            if not self.tools_shown:
                self.prompt_snapshot(tools=True)
                self.tools_shown = True
            self.tokens_reminder()
        else:
            self.note({"type": "last-prompt", "lastPrompt": self.last_prompt, "leafUuid": self.parent, "sessionId": self.id})
        return rows

    def reply_row(self, block: Row, message_id: str, usage: Row, stop: str, request: str, place: int) -> Row:
        message = {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage,
            "stop_details": None,
        }
        row: Row = {"message": message, "apiBlockIndex": place}
        if self.request_ref:
            row["requestRef"] = self.request_ref
        row |= {
            "requestId": request,
            "requestedModel": self.model,
            "promptCacheRequested": "5m",
            "type": "assistant",
            "perTurnEffort": None,
            "madeBy": "model",
        }
        return self.link(row)

    def block(self, part: Part) -> Row:
        block = super().block(part)
        return {key: block[key] for key in ("type", "name", "input", "id")} if block["type"] == "tool_use" else block

    def usage(self, prompt: dict[str, int], output: int) -> Row:
        created = prompt["cache_creation_input_tokens"]
        return {
            **prompt,
            "output_tokens": output,
            "output_tokens_details": {"thinking_tokens": 0},
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": created},
            "inference_geo": "",
            "iterations": [],
            "speed": "standard",
            "fallback_credit": None,
        }

    def result(self, call: Row, tool: Tool, **keys: Any) -> Row:
        row = super().result(call, tool, **keys)
        self.array.answer(row["message"]["content"][0])
        if tool.name == "Read" and isinstance(tool.content, str):
            self.reads[tool.input["file_path"]] = tool.outcome["file"]["content"]
        return row

    def result_keys(self, call: Row) -> Row:
        permission = {"decision": "accept", "source": "config", "reasonType": "rule", "ruleSource": "projectSettings"}
        return {"promptId": self.prompt_id, "sourceToolAssistantUUID": call["uuid"], "permissionDecision": permission}

    def record_request(self) -> str:
        """The rows that record a request: its shape when that is new, new messages, the request. Returns its id."""
        assert self.shape is not None
        shape, identifier = name_of(self.shape), self.ids.uuid("request")
        stamp = {"sessionId": self.id, "timestamp": self.clock.stamp(), "version": self.version}
        if not self.shape_sent:
            self.note({"type": "api-request-shape", "shapeHash": shape, **stamp, "shape": self.shape})
            self.shape_sent = True
        for row in self.array.request(identifier, shape, self.model, stamp):
            self.note(row)
        return identifier

    # --- compaction ---

    def compact(
        self,
        trigger: str,
        text: str,
        *,
        kept: list[Row],
        files: tuple[str, ...] = (),
        references: tuple[str, ...] = (),
        instructions: str = "",
    ) -> Row:
        """A compaction that keeps rows verbatim. `kept` are this session's rows; `files` are sent again, `references` only named.

        Manual: boundary, summary, the command's rows, attachments. Automatic with kept rows: the instructions stand between
        boundary and summary.
        """
        before, logical, duration = self.meter.context(), self.parent, self.ids.spread(21_000, 96_000, "duration")
        self.clock.wait(1)
        self.array.waiting, self.parent = [], None
        metadata: Row = {"trigger": trigger, "preTokens": before}
        boundary = self.link(
            {
                "logicalParentUuid": logical,
                "type": "system",
                "subtype": "compact_boundary",
                "content": "Conversation compacted",
                "isMeta": False,
                "level": "info",
                "compactMetadata": metadata,
            }
        )
        self.meter.restart(0, 0)
        self.announced, self.surrounded = True, False
        if trigger == "auto" and kept:
            self.instructions()
        before_summary, self.array.waiting = self.array.waiting, []
        summary = self.summary_row(text, trigger, bool(kept))
        if trigger == "manual":
            self.command_rows(instructions)
        self.restore(files, references)
        if trigger == "auto":
            if not kept:
                self.instructions()
            self.surroundings()
        uuids = [row["uuid"] for row in kept]
        tokens = self.meter.added_rough + sum(rough(self.row_text(row)) for row in kept)
        self.meter.added += sum(billed(self.row_text(row), "result") for row in kept)
        self.meter.added_rough = tokens
        self.dropped += before - tokens
        metadata |= {"postTokens": tokens, "cumulativeDroppedTokens": self.dropped, "durationMs": duration}
        if kept:
            anchor = summary["uuid"]
            metadata["preservedSegment"] = {"headUuid": uuids[0], "anchorUuid": anchor, "tailUuid": uuids[-1]}
            metadata["preservedMessages"] = {"anchorUuid": anchor, "uuids": uuids, "allUuids": uuids}
        metadata["preCompactOrganizationsCoverStart"] = False
        if trigger == "auto":
            metadata["runningTurnPrompt"] = {}
        self.array.compacted(before_summary, summary["message"]["content"], kept)
        return boundary

    def summary_row(self, text: str, trigger: str, tail: bool) -> Row:
        """The summary with its frame."""
        path = f"/home/mira/.agent/projects{self.cwd.replace('/', '-')}/{self.id}.jsonl"
        framed = f"{CONTINUED}\n\n{text}\n\n"
        framed += f"Whatever is missing here can be looked up in the full transcript: {path}"
        if tail:
            framed += "\nThe messages after this one are newer than the summary and stand as they were."
        framed += "\nGo on from where it stopped, without a question or a recap."
        self.meter.add(framed)
        more: Row = (
            {"turnOrigin": "human", "summarizedTurnPromptUuids": []}
            if trigger == "auto"
            else {"sentAtMs": self.clock.epoch_ms(), "rowSource": "local"}
        )
        return self.link(
            {
                "promptId": self.prompt_id,
                "type": "user",
                "message": {"role": "user", "content": framed},
                "isVisibleInTranscriptOnly": True,
                "isCompactSummary": True,
                "turnPosition": {"promptIndex": 0, "turnIndex": self.prompts},
                **more,
            }
        )

    def command_rows(self, instructions: str) -> None:
        start = len(self.rows)
        super().command_rows(instructions)
        for row in self.rows[start:]:
            row["rowSource"] = "harness" if row.get("isMeta") else "local"
            self.array.say(row["message"]["content"])

    def restore(self, files: tuple[str, ...], references: tuple[str, ...]) -> None:
        """What is sent again after a compaction: files, names of large files, the announcements."""
        self.attach(*(attachments.file_again(self.cwd, path, self.reads[path]) for path in files))
        self.attach(*(attachments.file_reference(self.cwd, path) for path in references))
        self.attach(*attachments.listings(), attachments.environment(self.cwd), attachments.model(self.model))

    def row_text(self, row: Row) -> str:
        """What of a row is sent, for its size."""
        if row["type"] == "attachment":
            return "".join(item["content"] for item in row.get("rendered", ()))
        content = row["message"]["content"]
        if isinstance(content, str):
            return content
        parts = (
            block.get("text") or text_of(block.get("content", "")) or block.get("name", "") + compact_json(block.get("input", ""))
            for block in content
        )
        return "".join(parts)

    # --- rewinding ---

    def mark(self) -> Mark:
        """A point of the conversation that the user may go back to."""
        return Mark(self.parent, replace(self.meter, history=list(self.meter.history)), self.array.copy())

    def rewind(self, mark: Mark) -> None:
        """Goes on from a marked point; what was recorded since stays in the file as a dead branch."""
        self.parent, self.meter, self.array = mark.parent, mark.meter, mark.array

    def context_stopped(self, text: str) -> Row:
        """The agent's own last word: an error row of the model `<synthetic>`."""
        message = {
            "id": letters(24, self.sample, "stopped"),
            "container": None,
            "model": "<synthetic>",
            "role": "assistant",
            "type": "message",
            "stop_reason": "stop_sequence",
            "stop_sequence": "",
            "content": [{"type": "text", "text": text}],
            "usage": {
                "input_tokens": 0,
                "output_tokens": 0,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "service_tier": None,
            },
        }
        return self.link(
            {
                "message": message,
                "type": "assistant",
                "apiError": "autocompact_thrashing",
                "error": "invalid_request",
                "isApiErrorMessage": True,
                "madeBy": "other",
            }
        )
