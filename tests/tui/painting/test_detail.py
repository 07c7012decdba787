"""The selected message as a user reads it: calls as their tools mean them, results in their language, pictures in words."""

from typing import Any

import pytest

from tests.workspace.making import call, result
from workbench.conversation.block import Block, read_block
from workbench.tui.painting.detail import block_document
from workbench.tui.painting.document import Document
from workbench.workspace.state import JSON, RAW, TEXT

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAC09K7GAAAAEElEQVR4nGNgYGD4z4AFAAAXAAE="


def shown(body: dict[str, Any], form: str = TEXT, raw: bytes | None = None, of: dict[str, Any] | None = None) -> Document:
    return block_document(read_block(body), form, raw, read_block(of) if of else None)


def styles(document: Document) -> set[str]:
    return {span.style for paragraph in document.paragraphs for span in paragraph.spans}


def test_a_command_is_a_command() -> None:
    document = shown(call("a", "Bash", command="for f in *; do echo $f; done", timeout=5))
    assert document.text == "command: for f in *; do echo $f; done\ntimeout: 5"
    assert "assistant" in styles(document)


def test_an_edit_is_what_it_changes() -> None:
    document = shown(call("a", "Edit", file_path="/x.py", old_string="a\nb", new_string="a\nc"))
    assert document.text == "file_path: /x.py\n  a\n- b\n+ c"


def test_several_edits_of_one_call() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}]
    assert shown(call("a", "MultiEdit", file_path="/x", edits=edits)).text.split("\n")[1:] == [
        "edits", "edit 1 of 2", "- a", "+ b", "edit 2 of 2", "- c", "+ ",
    ]  # fmt: skip


def test_a_file_is_written_in_its_language() -> None:
    assert "assistant" in styles(shown(call("a", "Write", file_path="/x.go", content="package main\n\nfunc main() {}\n")))


def test_todos_are_ticked() -> None:
    todos = [{"content": "read", "status": "completed"}, {"content": "write", "status": "pending"}]
    assert shown(call("a", "TodoWrite", todos=todos)).text == "todos\n☑ read\n☐ write"


@pytest.mark.parametrize(
    "given", [{}, [1], "text", None, {"old_string": 1}, {"edits": "no"}, {"todos": [1]}, {"deep": {"er": [1]}}]
)
def test_any_input_is_shown(given: object) -> None:
    assert shown({"type": "tool_use", "id": "a", "name": "Odd", "input": given}).text


def test_lines_of_a_file_come_in_its_language_by_the_call_or_by_the_record() -> None:
    read = result("a", "     1→def f():\n     2→    pass")
    assert "assistant" in styles(shown(read, of=call("a", "Read", file_path="/x.py")))
    assert "assistant" in styles(shown(read, raw=b'{"toolUseResult":{"file":{"filePath":"/x.py"}}}'))
    assert styles(shown(read)) == {"muted"}
    assert styles(shown(result("a", "Changed /x.py: 1 passage"), of=call("a", "Edit", file_path="/x.py"))) == set()


def test_a_path_within_the_text_of_a_result_is_no_field_of_the_record() -> None:
    assert styles(shown(result("a", "     1→def"), raw=b'{"content":"{\\"filePath\\":\\"/x.py\\"}"}')) == {"muted"}


def test_an_error_is_an_error() -> None:
    assert [p.style for p in shown(result("a", "no such file", error=True)).paragraphs] == ["error"]


def test_pictures_are_described() -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    assert shown(picture).text.startswith("image: image/png 4×3 pixels, ")
    two = {"type": "tool_result", "tool_use_id": "a", "content": [picture, {"type": "text", "text": "see"}, picture]}
    assert [line.split(",")[0] for line in shown(two).text.split("\n")] == [
        "see", "image 1 of 2: image/png 4×3 pixels", "image 2 of 2: image/png 4×3 pixels",
    ]  # fmt: skip


def test_what_else_a_result_holds_is_not_lost() -> None:
    assert (
        '"tool_name": "Grep"' in shown({"type": "tool_result", "content": [{"type": "tool_reference", "tool_name": "Grep"}]}).text
    )


def test_an_empty_result() -> None:
    assert "an empty result" in shown(result("a", "")).text
    assert "an empty result" in shown({"type": "tool_result", "tool_use_id": "a"}).text


def test_json_and_record_in_colours() -> None:
    assert "key" in styles(shown(call("a"), JSON))
    assert "key" in styles(shown(call("a"), RAW, b'{"type":"assistant"}'))
    assert "no record" in block_document(Block("text"), RAW).text
