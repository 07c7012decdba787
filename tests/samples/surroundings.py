"""What an invented agent is told at the start: a system prompt, tool definitions, agents, skills. All of it in our own words."""

from typing import Any

from .filler import VERBS, WORDS, Dice

DEFERRED = ("CalendarList", "CalendarWrite", "NotebookEdit", "TicketRead", "TicketSearch", "WebFetch", "WebSearch")
AGENTS = {
    "explorer": "looks through the code and answers one question; reads only",
    "reviewer": "reads a change and lists what may break",
    "runner": "runs a long command and reports its end",
}
SKILLS = {
    "release-notes": "drafts the notes of a release from the log of commits",
    "fixtures": "makes small data sets for tests in the project's format",
    "migration": "writes a schema change together with its way back",
    "accessibility": "checks a page against the team's list",
}
PRINCIPLES = (
    "Read a file before you change it, and change only what the request needs.",
    "Say what you are about to do in one sentence, then do it.",
    "Run the tests that cover a change; quote the failing line, not the whole log.",
    "Ask before anything that cannot be undone: deleting data, pushing, publishing.",
    "Follow the conventions that the project already has, even where you would choose others.",
    "When a command fails twice in the same way, stop and look for the cause.",
)


def system_prompt(cwd: str) -> str:
    """A system prompt of a few thousand bytes."""
    rules = "\n".join(f"{number}. {rule}" for number, rule in enumerate(PRINCIPLES, 1))
    task = f"You help an engineer with the code in {cwd}. You have tools; their results are what you know."
    return f"{task}\n\n{rules}\n\nAnswers are short and plain."


def tool_definitions(name: str, servers: int = 46) -> list[dict[str, Any]]:
    """Tool definitions: the usual ones and those of connected servers, some 40 KB as JSON."""
    own = [
        _tool(tool, f"{tool} as described in the manual of the project's agent.", ("path", "text"))
        for tool in ("Agent", "Bash", "Edit", "ExitPlanMode", "Glob", "Grep", "Read", "Skill", "TodoWrite", "Write")
    ]
    dice = Dice(f"{name} tools")
    return [*own, *(_server_tool(dice, number) for number in range(servers))]


def _server_tool(dice: Dice, number: int) -> dict[str, Any]:
    verb, noun = dice.pick(VERBS), dice.pick(WORDS)
    words = tuple(dict.fromkeys(dice.pick(WORDS) for _ in range(5)))
    told = (
        f"{verb.title()}s the {noun} of a booking. Give the {words[0]} that the earlier call returned. The answer lists at most "
        f"{dice.number(20, 200)} entries, newest first; a cursor leads to the next page. Fails when the {noun} is closed."
    )
    return _tool(f"mcp__bookings__{verb}_{noun}_{number}", told, words)


def _tool(name: str, told: str, fields: tuple[str, ...]) -> dict[str, Any]:
    properties = {
        field: {"type": "string", "description": f"The {field}, as text without line breaks, at most 200 characters."}
        for field in fields
    }
    return {
        "name": name,
        "description": told,
        "input_schema": {"type": "object", "properties": properties, "required": list(fields[:1])},
    }
