"""The Steps tab in lines: a stage of the flow, the titles, and where the simulated compaction stands."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text

from ...compaction.debugger import breakpoints
from ...compaction.result import FAILED, OK, SKIPPED, STOPPED
from ...compaction.run import COMPACTED, Run
from ...compaction.stages.clean_reply import EDITED
from ...compaction.stages.notes_path import NAME as NOTES
from ...compaction.stages.verify import fires_again
from ...conversation.wording import counted
from ...workspace.state import Workspace
from ...workspace.steps import Steps, Told
from ...workspace.steps_facts import recorded_next
from ...workspace.steps_flow import AHEAD, DONE, LATER, UNTAKEN, Node
from ...workspace.steps_plan import END, point_words
from .items import kind_words
from .numbers import thousands
from .palette import Palette
from .text import clip, one_line, pad, visible

Cell = tuple[str, str]

FATE_WORDS = {"kept": "stays", "summarised": "replaced by the summary", "dropped": "goes", "cleared": "rewritten", "added": "new"}

SIGNS = {OK: ("●", "success"), SKIPPED: ("○", "muted"), STOPPED: ("■", "warning"), FAILED: ("×", "error")}
OTHER_SIGNS = {LATER: ("·", "muted"), UNTAKEN: ("╌", "muted")}
OUTCOME_WORDS = {OK: "ok", SKIPPED: "skipped", STOPPED: "stopped", FAILED: "failed"}
RUN_STYLES = {"compacted": "success", "skipped": "warning", "failed": "error", "running": "key"}
BREAK = "◉"
TITLE_WIDTH = 18  # cells; in a narrow list what is left beside the tokens
TOKENS_WIDTH = 11


def sign_of(node: Node) -> Cell:
    """What a stage came to, as one character."""
    if node.is_next:
        return "▶", "warning"
    if node.result is None:
        return OTHER_SIGNS.get(node.state, ("▶", "warning"))
    sign, style = SIGNS[node.result.outcome]
    return sign, "error" if node.result.faults else style if node.state == DONE else "muted"


def flow_line(node: Node, told: Told | None, width: int, has_break: bool, palette: Palette) -> Sequence[Segment]:
    """One stage for `width` cells: breakpoint, branch, sign, number, title, tokens; for one not taken, why."""
    sign, style = sign_of(node)
    number = f"{node.number:>3}" if node.number else "   "
    is_bright = node.state == DONE or node.is_next
    cells = [
        (BREAK if has_break else " ", "error"),
        (node.rail, "key" if node.state != UNTAKEN else "muted"),
        (sign, style),
        (number + " ", "muted"),
    ]
    room = width - sum(cell_len(text) for text, _ in cells)
    title_width = max(8, min(TITLE_WIDTH, room - TOKENS_WIDTH))
    cells.append((pad(node.title, title_width), "text" if is_bright else "muted"))
    used = sum(cell_len(text) for text, _ in cells)
    if told is None or (words := _why_passed(node)):
        cells.append((clip(one_line(node.why if told is None else words), width - used), "muted"))
    else:
        cells += _tokens(told, width - used, is_bright)
    return [Segment(text, palette.style(words)) for text, words in cells]


def _why_passed(node: Node) -> str:
    """Why the branch of the notes was not taken, where tokens would say nothing; "" for every other stage."""
    result = node.result
    if result is None or node.name != NOTES or result.outcome == OK:
        return ""
    return result.reason.removeprefix("Not available: ")


def _tokens(told: Told, room: int, is_bright: bool) -> list[Cell]:
    """Both figures are the rough estimator's, or lower bounds, and say so by the sign before them."""
    after = _signed(told, told.after).rjust(TOKENS_WIDTH - 1)
    style = "text" if is_bright else "muted"
    if told.before == told.after:
        return [(pad("", max(0, room - TOKENS_WIDTH)), ""), (after, "muted"), (" ", "")]
    before = f"{_signed(told, told.before)} →" if room >= 2 * TOKENS_WIDTH + 2 else "→"
    return [(pad(before, max(0, room - TOKENS_WIDTH), right=True), "muted"), (after, f"bold {style}"), (" ", "")]


def _signed(told: Told, tokens: int) -> str:
    """Nothing is known where nothing was to be estimated from."""
    if not tokens:
        return "-"
    return f"{'≥' if told.result.is_lower_bound else '~'}{tokens:,}"


def line_of(cells: Sequence[Cell], width: int, palette: Palette) -> Text:
    """Cells one behind the other, clipped."""
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text


def status_line(workspace: Workspace, width: int, palette: Palette) -> Text:
    """Plan, breakpoints, settings, and where the run stands; what matters most comes first."""
    steps = workspace.steps
    if steps is None:
        return Text("")
    cells: list[Cell] = [(" ", ""), *_standing(steps)]
    wish = steps.wish
    if steps.run is not None and EDITED in steps.run.replies:
        cells.append(("   summary edited", "added"))
    if wish.point.kind == END and steps.opened is not None and steps.opened is not workspace.opened:
        cells.append(("   the session has grown since: R starts anew", "warning"))
    point = point_words(wish.point, steps.opened)
    cells += [("   variant ", "muted"), (wish.variant, "text"), (f" {_trigger(steps)}", "muted")]
    cells += [("   at " if wish.point.kind == END else "   before ", "muted"), (point, "text")]
    if steps.breakpoints and steps.run is not None:
        words = ", ".join(b.words for b in breakpoints(steps.run.plan))
        cells += [(f"   {BREAK} ", "error"), (words, "warning")]
    if wish.edits:
        cells += [("   settings ", "muted"), (f"{len(wish.edits)} changed", "warning")]
    cells += [("   summarizer ", "muted"), (one_line(wish.summarizer, 40), "text")]
    if wish.pivot:
        cells += [("   pivot ", "muted"), (wish.pivot[:8], "text")]
    cells += [("   profile ", "muted"), (wish.profile, "text")]
    return line_of(cells, width, palette)


def _trigger(steps: Steps) -> str:
    trigger = steps.run.plan.trigger if steps.run is not None else steps.wish.trigger
    return {"auto": "by itself", "manual": "by hand"}.get(trigger, "")


def _standing(steps: Steps) -> list[Cell]:
    run = steps.run
    if steps.job:
        return [(f"{steps.job}… ", "warning"), ("Esc stops", "muted")]
    if steps.problem:
        return [(steps.problem, "error")]
    if run is None:
        return [("reading where it starts…", "muted")]
    if run.is_over and not run.ahead:
        doubt = _doubt(steps, run)
        style = "warning" if doubt else RUN_STYLES[run.outcome]
        return [(run.outcome, f"bold {style}"), *_sizes(steps), (f"  {doubt}" if doubt else "", "warning")]
    if run.waiting is not None:
        return [("▶ ", "warning"), ("waits for an answer: ", "warning"), (run.waiting.purpose, "text")]
    following = next((n for n in steps.nodes if n.is_next), None)
    title = f"{following.number} {following.title}" if following is not None else ""
    cells = [("▶ ", "warning"), (title, "bold text"), (" is next", "muted")]
    if steps.halted:
        cells += [("   " + steps.halted, "warning")]
    return cells


def _doubt(steps: Steps, run: Run) -> str:
    """Why a compaction that went well is of little use; "" where it is not."""
    if run.outcome != COMPACTED:
        return ""
    if fires_again(run.ground, run.work):
        return "fires again"
    told = steps.told
    return "nothing is freed" if told and told[len(run.results) - 1].after >= told[0].before else ""


def _sizes(steps: Steps) -> list[Cell]:
    if not steps.told or steps.run is None:
        return []
    first, last = steps.told[0].before, steps.told[len(steps.run.results) - 1].after
    if not first and not last:
        return []  # no message to estimate from
    is_bound = steps.told[0].result.is_lower_bound
    kind = (" lower bounds", "lower-bound") if is_bound else (" est. rough", "estimated")
    cells: list[Cell] = [(f"  {thousands(first)} → {thousands(last)}", "text"), kind]
    figure = steps.next_call
    if figure is not None and figure.tokens is not None:
        cells += [(f" · {thousands(figure.tokens)}", "text"), (" est. calibrated", "estimated")]
    recorded = recorded_next(steps)
    return cells if recorded is None else [*cells, (f" · {thousands(recorded)}", "text"), (" recorded", "exact")]


def stage_title(steps: Steps | None, width: int, palette: Palette) -> Text:
    """Over the explanation: the stage, its outcome, its section of the specification."""
    if steps is None or steps.node is None:
        return Text("")
    node = steps.node
    cells: list[Cell] = [(f" {node.title}", "bold text"), ("  ", "")]
    if node.result is not None:
        style = "error" if node.result.outcome == FAILED else SIGNS[node.result.outcome][1]
        cells.append((OUTCOME_WORDS[node.result.outcome], style))
        cells += [("   gone back over; still valid", "muted")] if node.state == AHEAD else []
        cells.append((f"   spec {node.result.section}" if node.result.section else "", "muted"))
    elif node.state == UNTAKEN:
        cells.append(("not taken", "muted"))
    else:
        cells.append(("comes next" if node.is_next else "comes later", "warning" if node.is_next else "muted"))
    return line_of(cells, width, palette)


def message_title(steps: Steps | None, width: int, palette: Palette) -> Text:
    """Over the selected message: which it is, on which side, its size."""
    item = None if steps is None else steps.item
    if steps is None or item is None:
        return line_of([(" messages left out" if steps is not None and steps.listed else "", "bold text")], width, palette)
    kind, style = kind_words(item)
    cells = [(f" message {item.message}", "bold text"), (f" {item.role} · ", "muted"), (kind, style)]
    if item.row is not None and item.row.line is not None:
        cells.append((f" · line {item.row.line:,}", "muted"))
    elif item.row is not None:
        cells.append((" · made by this run", "added"))
    cells += [(f" · {thousands(item.block.tokens)} tokens", "muted"), (" rough", "estimated")]
    if item.fate:
        cells.append((f"   {FATE_WORDS[item.fate]}", item.fate))
    return line_of([*cells, ("   Esc: back to the stages", "muted")], width, palette)


def arrays_title(steps: Steps | None, width: int, palette: Palette) -> Text:
    """Over the messages: what the stage did to them, and its faults."""
    if steps is None or steps.node is None:
        return Text("")
    node, arrays = steps.node, steps.arrays
    cells: list[Cell] = [(" before | after", "bold text") if node.result is not None else (" the array", "bold text")]
    if arrays is None:
        return line_of([*cells, ("  being aligned…", "muted")], width, palette)
    if node.result is None:
        words = "as the run left it" if node.state == UNTAKEN else "as this stage will find it"
        cells.append((f"  {counted(arrays.after, 'message')}, {words}", "muted"))
        return line_of(cells, width, palette)
    cells.append((f"  of {node.number} {node.title}: ", "muted"))
    if arrays.is_same:
        cells.append((f"identical, {counted(arrays.after, 'message')}", "text"))
    else:
        cells += [(f"{thousands(arrays.before)} → {counted(arrays.after, 'message')}", "text")]
        counts = ((arrays.removed, "went", "dropped"), (arrays.added, "came", "added"), (arrays.changed, "changed", "cleared"))
        cells += [(f"  {thousands(number)} {word}", style) for number, word, style in counts if number]
    cells += [("   d ", "bold key"), ("diff" if not steps.diff else "whole", "muted")]
    faults = node.result.faults
    cells.append(("   faults after it: ", "muted"))
    cells.append((f"{len(faults)}: {faults[0].sentence}", "error") if faults else ("none", "success"))
    return line_of(cells, width, palette)
