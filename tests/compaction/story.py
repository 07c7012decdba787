"""A session told in a few words and read as the program reads one: to test what a working set is put together from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench.compaction.reconstruct import working_set
from workbench.compaction.working_set import SeenFile, WorkingSet
from workbench.storage import MemoryFile, read_index
from workbench.transcript.session import Session

HERE = "/home/ada/mill"


class Story:
    """Rows that hang one on the other; each method adds some."""

    def __init__(self) -> None:
        self.records: list[Mapping[str, Any]] = []
        self.calls = 0

    def row(self, kind: str, **fields: object) -> str:
        number = len(self.records)
        parent = f"row-{number - 1}" if number else None
        uuid = f"row-{number}"
        self.records.append({"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": False, "cwd": HERE, **fields})
        return uuid

    def says(self, text: str, **fields: object) -> Story:
        self.row("user", message={"role": "user", "content": text}, **fields)
        return self

    def replies(self, text: str = "So be it.") -> Story:
        self.row("assistant", message={"id": f"msg_{len(self.records)}", "role": "assistant", "content": [_text(text)]})
        return self

    def call(
        self, name: str, given: Mapping[str, Any], text: str = "done", detail: object = None, *, failed: bool = False
    ) -> Story:
        """A call and its result; `detail` is what the agent records of the result for itself."""
        self.calls += 1
        call = {"type": "tool_use", "id": f"call_{self.calls}", "name": name, "input": given}
        self.row("assistant", message={"id": f"msg_{len(self.records)}", "role": "assistant", "content": [call]})
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": text, **({"is_error": True} if failed else {})}
        extra = {} if detail is None else {"toolUseResult": detail}
        self.row("user", message={"role": "user", "content": [result]}, **extra)
        return self

    def reads(self, path: str, text: str, first: int = 1, total: int | None = None, **fields: object) -> Story:
        count = text.count("\n") + 1
        file = {"filePath": path, "content": text, "numLines": count, "startLine": first, "totalLines": total or count}
        return self.call("Read", {"file_path": path}, fields.pop("shown", text), {"type": "text", "file": file})

    def edits(self, path: str, old: str, new: str, *, everywhere: bool = False, **detail: object) -> Story:
        given = {"file_path": path, "old_string": old, "new_string": new, "replace_all": everywhere}
        told = {"filePath": path, "oldString": old, "newString": new, "replaceAll": everywhere, **detail}
        return self.call("Edit", given, "edited", told)

    def writes(self, path: str, text: str) -> Story:
        return self.call("Write", {"file_path": path, "content": text}, "written", {"filePath": path, "content": text})

    def attached(self, kind: str, rendered: str | None = None, **fields: object) -> Story:
        sent = {} if rendered is None else {"rendered": [{"content": rendered}], "renderedRole": "user"}
        self.row("attachment", attachment={"type": kind, **fields}, **sent)
        return self

    def compacted(self, **metadata: object) -> Story:
        last = f"row-{len(self.records) - 1}"
        self.row("system", subtype="compact_boundary", logicalParentUuid=last, compactMetadata=metadata)
        self.records[-1] = {**self.records[-1], "parentUuid": None}
        return self.says("The summary.", isCompactSummary=True)

    def cleared(self, *ids: str) -> Story:
        self.row("system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": list(ids)})
        return self

    @property
    def session(self) -> Session:
        return read_index(MemoryFile("\n".join(json.dumps(r) for r in self.records).encode()))

    @property
    def set(self) -> WorkingSet:
        """The working set at the end of the session."""
        session = self.session
        return working_set(tuple(session.rows(session.chain.places)), session.body)

    @property
    def files(self) -> dict[str, SeenFile]:
        return {f.path: f for f in self.set.files}


def _text(text: str) -> Mapping[str, str]:
    return {"type": "text", "text": text}
