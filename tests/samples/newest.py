"""Records an invented session in the format of 2.1.332: attachments with their text, kept rows, the requests themselves."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from .identity import digest, letters
from .meter import Meter, billed, compact_json, rough
from .session import CONTINUED, Part, Row, Session, text_of
from .surroundings import AGENTS, DEFERRED, SKILLS, system_prompt, tool_definitions
from .tools import Tool


def reminder(text: str) -> str:
    """A text as the agent sends it beside a prompt or a result."""
    return f"<system-reminder>\n{text}\n</system-reminder>"


def user_message(items: list[Row]) -> Row:
    """One user message: results first, reminders folded into the last of them; without results they stand before the text."""
    results = [dict(item["result"]) for item in items if "result" in item]
    said = [block for item in items for block in item.get("said", ())]
    reminders = [item for item in items if "text" in item]
    fold = bool(results) and not said and isinstance(results[-1]["content"], str)
    folded = [item["text"] for item in reminders if fold and not item["beside"]]
    loose = [{"type": "text", "text": item["text"]} for item in reminders if not fold or item["beside"]]
    if folded:
        results[-1]["content"] = "\n\n".join([results[-1]["content"], *folded])
    return {"role": "user", "content": [*results, *loose, *said]}


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a conversation stood: its last row, its numbers, its array."""

    parent: str | None
    meter: Meter
    messages: tuple[Row, ...]
    waiting: tuple[Row, ...]


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
        self.waiting: list[Row] = []  # reminders that the next user message will carry
        self.messages: list[Row] = []  # the array as sent so far
        self.sent: list[str] = []  # hashes of the previous request
        self.reply_hash: str | None = None
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
        self.say(text)
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

    def attach(self, kind: str, sent: str | None, role: str = "system", beside: bool = False, **keys: Any) -> Row:
        """An attachment row; `sent` is what the model sees of it, None for nothing."""
        row: Row = {"attachment": {"type": kind, **keys}, "type": "attachment"}
        if sent is not None:
            rendered = reminder(sent)
            row |= {"rendered": [{"content": rendered}], "renderedRole": role}
            self.meter.add(rendered)
            self.waiting.append({"text": rendered, "beside": beside})
        if beside:
            row["renderedBesideToolResult"] = True
        return self.link(row)

    def announce(self) -> None:
        """What the first prompt is told about the machine, the tools, the agents and the skills."""
        where = {
            "workingDirectory": self.cwd,
            "isWorktree": False,
            "isGitRepo": True,
            "additionalWorkingDirectories": [],
            "platform": "linux",
            "shell": "bash",
            "osVersion": "Linux 6.8.0",
        }
        self.attach("environment", f"Working folder: {self.cwd}, a git repository. Linux, bash.", snapshot=where)
        self.attach(
            "model",
            f"The model is {self.model}.",
            identity={"modelId": self.model, "marketingName": "Sonnet", "knowledgeCutoff": "unknown"},
            text=f"The model is {self.model}.",
        )
        self.announce_tools()
        self.announced = True

    def announce_tools(self) -> None:
        """The listings that start again from nothing after a compaction."""
        names, lines = list(DEFERRED), list(DEFERRED)
        self.attach(
            "deferred_tools_delta",
            "More tools, to be searched for by name: " + ", ".join(DEFERRED),
            addedNames=names,
            addedLines=lines,
            removedNames=[],
            wireHiddenNames=[],
            readdedNames=[],
            pendingMcpServers=[],
            needsAuthMcpServers=[],
            failedMcpServers=[],
        )
        agents = [f"{name}: {use}" for name, use in AGENTS.items()]
        self.attach(
            "agent_listing_delta",
            "Agents that can be started:\n" + "\n".join(agents),
            addedTypes=list(AGENTS),
            addedLines=agents,
            builtInTypes=list(AGENTS),
            builtInPluginTypes=[],
            removedTypes=[],
            isInitial=True,
            showConcurrencyNote=True,
        )
        skills = "\n".join(f"- {name}: {use}" for name, use in SKILLS.items())
        self.attach(
            "skill_listing",
            "Skills that can be invoked:\n" + skills,
            content=skills,
            skillCount=len(SKILLS),
            isInitial=True,
            names=list(SKILLS),
            digests=[digest(name).hex()[:16] for name in SKILLS],
        )

    def surroundings(self) -> None:
        """What stands last among the attachments: the remote session and the snapshot of the system prompt."""
        self.attach(
            "remote_session_change",
            "No remote session is connected.",
            role="user",
            beside=True,
            url=None,
            commit="",
            pr="",
            sendUserFileHint=False,
            managedCommit=False,
            managedPr=False,
        )
        self.prompt_snapshot(False)
        self.surrounded, self.tools_shown = True, False

    def instructions(self) -> None:
        """The project's own rules and the date; an automatic compaction that keeps rows puts them before its summary."""
        self.note({"type": "atis-latch", "atis": "", "sessionId": self.id})
        files = [{"path": f"{self.cwd}/CLAUDE.md", "type": "Project", "content": self.rules}]
        self.attach("instructions", f"Rules of the project ({self.cwd}/CLAUDE.md):\n{self.rules}", role="user", files=files)
        self.attach("session_context", None, context={})
        day = self.clock.stamp()[:10]
        self.attach("date", f"Today is {day}.", date=day)

    def prompt_snapshot(self, tools: bool) -> None:
        """The system prompt as it is sent, where the shape of the requests is recorded."""
        if self.shape:
            held: Row = {"systemPrompt": self.shape["system"][0]["text"]}
            if tools:
                held |= {"tools": f"{len(self.shape['tools'])} definitions, see the request's shape", "cliPrefix": ""}
            self.attach(
                "prompt_snapshot", None, **held, reminderFold=False, echoWireToolInputs=False, contextRendering="announced"
            )

    def tokens_reminder(self) -> None:
        """How full the window is, as the agent tells the model."""
        text = f"About {self.meter.context() // 1000}k tokens are in use."
        self.attach("total_tokens_reminder", text, text=text)

    def say(self, text: str | list[Row]) -> None:
        """Puts a user text into the array."""
        self.waiting.append({"said": [{"type": "text", "text": text}] if isinstance(text, str) else text})

    # --- calls ---

    def reply(self, *parts: Part) -> list[Row]:
        self.flush()
        self.request_ref = self.record_request() if self.requests else None
        used = [part.name for part in parts if isinstance(part, Tool)]
        if used and self.requests:
            self.note({"type": "tools-used", "tools": sorted(set(used)), "sessionId": self.id})
        rows = super().reply(*parts)
        message = {"role": "assistant", "content": [row["message"]["content"][0] for row in rows]}
        self.messages.append(message)
        self.reply_hash = self.hash(message)
        return rows

    def step(self, *parts: Part) -> list[Row]:
        rows = super().step(*parts)
        if any(isinstance(part, Tool) for part in parts):
            if not self.tools_shown:
                self.prompt_snapshot(True)
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
        self.waiting.append({"result": row["message"]["content"][0]})
        if tool.name == "Read" and isinstance(tool.content, str):
            self.reads[tool.input["file_path"]] = tool.outcome["file"]["content"]
        return row

    def result_keys(self, call: Row) -> Row:
        permission = {"decision": "accept", "source": "config", "reasonType": "rule", "ruleSource": "projectSettings"}
        return {"promptId": self.prompt_id, "sourceToolAssistantUUID": call["uuid"], "permissionDecision": permission}

    # --- the array and the recorded requests ---

    def flush(self) -> None:
        """Makes the waiting items into one user message at the end of the array."""
        if self.waiting:
            self.messages.append(user_message(self.waiting))
        self.waiting = []

    def hash(self, message: Row) -> str:
        """The name of a message in a recorded request."""
        return hashlib.sha256(compact_json(message).encode()).hexdigest()

    def record_request(self) -> str:
        """The rows that record a request: the shape when it is new, the messages that are new, the request. Returns its id."""
        assert self.shape is not None
        shape_hash = hashlib.sha256(compact_json(self.shape).encode()).hexdigest()
        stamp = {"sessionId": self.id}
        if not self.shape_sent:
            self.note(
                {
                    "type": "api-request-shape",
                    **stamp,
                    "shapeHash": shape_hash,
                    "timestamp": self.clock.stamp(),
                    "version": self.version,
                    "shape": self.shape,
                }
            )
            self.shape_sent = True
        hashes = [self.hash(message) for message in self.messages]
        keep = next(
            (at for at, (old, new) in enumerate(zip(self.sent, hashes, strict=False)) if old != new),
            min(len(self.sent), len(hashes)),
        )
        for name, message in zip(hashes[keep:], self.messages[keep:], strict=True):
            if name != self.reply_hash:
                self.note({"type": "api-request-blob", **stamp, "hash": name, "message": message})
        identifier = self.ids.uuid("request")
        last = self.messages[-1]["content"]
        marks = [["system", 0], ["messages", len(self.messages) - 1, "content", len(last) - 1]]
        parameters = {
            "model": self.model,
            "betas": ["interleaved-thinking-2025-05-14"],
            "max_tokens": 32000,
            "thinking": {"budget_tokens": 31999, "type": "enabled", "display": "omitted"},
            "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
        }
        self.note(
            {
                "type": "api-request",
                **stamp,
                "id": identifier,
                "timestamp": self.clock.stamp(),
                "version": self.version,
                "querySource": "repl_main_thread",
                "shapeHash": shape_hash,
                "params": parameters,
                "thread": {"type": "none"},
                "echoWireToolInputs": False,
                "keep": keep,
                "tail": hashes[keep:],
                "cacheControl": [{"path": path, "value": {"type": "ephemeral"}} for path in marks],
                "requestDigest": hashlib.sha256("".join(hashes).encode()).hexdigest(),
            }
        )
        self.sent = hashes
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
        self.waiting, self.parent = [], None
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
        before_summary, self.waiting = self.waiting, []
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
        self.array_after(before_summary, summary, kept)
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
            self.say(row["message"]["content"])

    def restore(self, files: tuple[str, ...], references: tuple[str, ...]) -> None:
        """What is sent again after a compaction: files, names of large files, the announcements."""
        for path in files:
            text = self.reads[path]
            lines = text.count("\n") + 1
            held = {"filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
            self.attach(
                "file",
                f"{path} as it was last read:\n{text}",
                role="user",
                filename=path,
                content={"type": "text", "file": held},
                displayPath=path.removeprefix(self.cwd + "/"),
            )
        for path in references:
            self.attach(
                "compact_file_reference",
                f"{path} was read before; it is too large to be sent again.",
                filename=path,
                displayPath=path.removeprefix(self.cwd + "/"),
            )
        self.announce_tools()
        self.attach(
            "environment", f"Working folder: {self.cwd}, a git repository. Linux, bash.", snapshot={"workingDirectory": self.cwd}
        )
        self.attach("model", f"The model is {self.model}.", identity={"modelId": self.model}, text=f"The model is {self.model}.")

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

    def array_after(self, before: list[Row], summary: Row, kept: list[Row]) -> None:
        """The array from here on: the summary, the kept rows, and what waits to be sent with the next user message."""
        text = summary["message"]["content"]
        first = (
            user_message([*before, {"said": [{"type": "text", "text": text}]}]) if before else {"role": "user", "content": text}
        )
        self.messages, self.reply_hash = [first], None
        pending: list[Row] = []
        reply_id = None
        for row in kept:
            if row["type"] == "assistant":
                if pending:
                    self.messages.append(user_message(pending))
                    pending = []
                if row["message"]["id"] != reply_id:
                    self.messages.append({"role": "assistant", "content": []})
                    reply_id = row["message"]["id"]
                self.messages[-1]["content"].extend(row["message"]["content"])
            elif row["type"] == "user":
                pending += [{"result": block} for block in row["message"]["content"]]
            else:
                pending += [{"text": item["content"], "beside": False} for item in row.get("rendered", ())]
        self.waiting = pending + self.waiting
        if not kept:
            self.waiting.insert(0, {"said": self.messages.pop()["content"]})
            self.waiting[0]["said"] = [{"type": "text", "text": text}]

    # --- rewinding ---

    def mark(self) -> Mark:
        """A point of the conversation that the user may go back to."""
        meter = replace(self.meter, history=list(self.meter.history))
        return Mark(self.parent, meter, tuple(self.messages), tuple(self.waiting))

    def rewind(self, mark: Mark) -> None:
        """Goes on from a marked point; what was recorded since stays in the file as a dead branch."""
        self.parent, self.meter = mark.parent, mark.meter
        self.messages, self.waiting = list(mark.messages), list(mark.waiting)

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
