"""A screenshot in a prompt, one in a result, and a sub-agent with its own file."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

import base64

from ..filler import tsx_source
from ..meter import image_tokens
from ..newest import NewestSession
from ..picture import booking_form
from ..session import Files, Session
from ..tools import Tool, bash, edit, grep, read, screenshot

HOME = "/home/jun/harbor-booking"
RULES = "# harbor-booking\n- React 19, no state library.\n- A change of layout needs a screenshot."
AGENT = "a3f9c1d07be24685"
TASK = "Find every place that positions a button inside a form with a negative margin. Answer with file and line, nothing else."
ANSWER = "src/booking/Actions.tsx:31: margin-top: -36px (the booking form)\nsrc/login/Actions.tsx:12: margin-top: -4px (harmless)"


def build() -> Files:
    """The session, and the sub-agent's file beside it."""
    s = NewestSession(
        "08-images-and-sub-agents",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-12T10:15:00Z",
        slug="bright-quay",
        rules=RULES,
        overhead=24_800,
    )
    before, after = booking_form(fault=True), booking_form(fault=False)
    tokens = image_tokens(400, 300)
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(before).decode()}}
    s.meter.add_tokens(tokens)
    s.prompt(
        [{"type": "text", "text": "The red button lies over the last field, see the picture. Please fix it."}, image],
        imagePasteIds=[1],
    )
    s.last_prompt = "The red button lies over the last field, see the picture. Please fix it."
    helper = sub_agent(s.id)
    spent = helper.meter.prompt + helper.meter.output
    outcome = {
        "status": "completed",
        "prompt": TASK,
        "agentId": AGENT,
        "content": [{"type": "text", "text": ANSWER}],
        "totalDurationMs": 21_480,
        "totalTokens": spent,
        "totalToolUseCount": 2,
        "usage": helper.rows[-1]["message"]["usage"],
    }
    s.step(
        "The button of the booking form overlaps the field by 17 pixels. I'll have the places searched that could do that.",
        Tool(
            "Agent",
            {"description": "Find negative margins", "prompt": TASK, "subagent_type": "explorer"},
            [{"type": "text", "text": ANSWER}],
            outcome,
        ),
    )
    s.step(read(f"{HOME}/src/booking/Actions.tsx", tsx_source("08 actions", 2_800)))
    s.step(edit(f"{HOME}/src/booking/Actions.tsx", 'marginTop: "-36px"', 'marginTop: "1rem"'))
    s.step(bash("npm run shot -- booking", "wrote shots/booking.png (400x300)"))
    s.step("Now look at it.", screenshot(f"{HOME}/shots/booking.png", after, tokens))
    s.step("The button stands below the fields again, in the blue of the other forms.")
    s.turn_end()
    name = "08-images-and-sub-agents"
    return {f"{name}.jsonl": s.file(), f"{name}/subagents/agent-{AGENT}.jsonl": helper.file()}


def sub_agent(parent_id: str) -> Session:
    """The sub-agent's session: every row is a sidechain row and carries the parent's session id."""
    s = NewestSession(
        "08-sub-agent",
        cwd=HOME,
        model="claude-haiku-4-5-20251001",
        start="2026-11-12T10:15:20Z",
        slug="bright-quay",
        rules=RULES,
        overhead=11_900,
    )
    s.id, s.agent = parent_id, AGENT
    Session.prompt(s, TASK)
    Session.step(
        s,
        grep(
            "margin",
            'src/booking/Actions.tsx:31:  marginTop: "-36px",\nsrc/login/Actions.tsx:12:  marginTop: "-4px",\nsrc/ui/Card.tsx:9:  margin: "1rem",',
        ),
    )
    Session.step(s, read(f"{HOME}/src/booking/Actions.tsx", tsx_source("08 actions", 2_800)))
    Session.step(s, ANSWER)
    return s
