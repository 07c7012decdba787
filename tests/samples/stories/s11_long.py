"""A long piece of work, told over four segments: forms in three languages, a plan, todos, skills, queued prompts, two more models.

The user has set CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=40, so 2.1.38 compacts at 72,000 of a 200,000 window.
"""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from collections.abc import Iterator

from ..filler import STATIONS, Dice, listing, tsx_source
from ..session import Files, Part, Session
from ..tools import Think, bash, edit, failed, glob, grep, plan_exit, read, skill, todos, write

HOME = "/home/jun/harbor-booking"
THRESHOLD = 72_000
PLAN = """# Plan: three languages
1. All texts move to `src/texts/{en,ja,ko}.ts`, keyed by screen and purpose
2. A missing text is an error of the build, never an English fallback
3. Widths: measure with `Intl.Segmenter`, since 「桟橋」 is two characters and four columns
4. Screens in the order of use: search, berth, dates, boat, payment, confirmation"""

TEXTS = {
    "searchTitle": ("Find a berth", "桟橋を探す", "선석 찾기"),
    "berthTaken": ("This berth is taken", "この桟橋は予約済みです", "이미 예약된 선석입니다"),
    "arrival": ("Day of arrival", "到着日", "도착일"),
    "departure": ("Day of departure", "出発日", "출발일"),
    "boatLength": ("Length of the boat in metres", "船の全長（メートル）", "선박 길이(미터)"),
    "payNow": ("Pay now", "今すぐ支払う", "지금 결제"),
    "thanks": ("See you soon ⚓", "お待ちしております ⚓", "곧 만나요 ⚓"),
}
SCREENS = ("search", "berth", "dates", "boat", "payment", "confirmation")


def summary(done: str, messages: tuple[str, ...], now: str, following: str, rule: str) -> str:
    """A summary in nine sections."""
    listed = "\n".join(f'   - "{message}"' for message in messages)
    return f"""Analysis:
Jun wants the booking forms in English, Japanese and Korean without a fallback. The work goes screen by screen along an approved plan. {now}

Summary:
1. Primary Request and Intent:
   The booking forms in three languages; a missing text fails the build. {rule}

2. Key Technical Concepts:
   - Texts keyed by screen and purpose
   - Display width by grapheme: wide characters take two columns

3. Files and Code Sections:
   - `src/texts/en.ts`, `src/texts/ja.ts`, `src/texts/ko.ts`: one object each
     ```ts
     export const ja = {{ berthTaken: "この桟橋は予約済みです", arrival: "到着日" }} satisfies Texts;
     ```
   - `src/ui/width.ts`: `columns(text)`

4. Errors and fixes:
   - A label of 7 wide characters broke into two lines: it was measured with `length`. Now with `columns`.
   - Korean particles were glued to a variable; the sentence is one text with a placeholder now.

5. Problem Solving:
   {done}

6. All user messages:
{listed}

7. Pending Tasks:
   - The screens that remain in the plan
   - Screenshots in the three languages

8. Current Work:
   {now}

9. Optional Next Step:
   {following}"""


def screen_work(name: str, screens: tuple[str, ...]) -> Iterator[tuple[Part, ...]]:
    """The small steps of moving texts, screen after screen."""
    dice = Dice(f"11 {name}")
    for turn in range(400):
        screen = screens[turn // 12 % len(screens)]
        key = dice.pick(tuple(TEXTS))
        english, japanese, korean = TEXTS[key]
        file = f"{HOME}/src/booking/{screen}/{dice.pick(STATIONS).split()[0]}Field.tsx"
        match turn % 8:
            case 0:
                yield (
                    f"The texts of `{screen}`, part {turn // 8 + 1}.",
                    grep(f'"{english[:8]}', f'{file}:{dice.number(9, 90)}: label="{english}"'),
                )
            case 1:
                yield (read(file, tsx_source(f"{name} {turn}", 3_000 + 140 * (turn % 9))),)
            case 2:
                yield (edit(file, f'label="{english}"', f"label={{texts.{key}}}"),)
            case 3:
                yield (edit(f"{HOME}/src/texts/ja.ts", "// end", f'{key}{turn}: "{japanese}",\n// end'),)
            case 4:
                yield (edit(f"{HOME}/src/texts/ko.ts", "// end", f'{key}{turn}: "{korean}",\n// end'),)
            case 5:
                yield (
                    Think(f"{japanese} is wider than {english}; check the width."),
                    bash(
                        f"node tools/width.mjs {key}{turn}",
                        f"en {len(english)}  ja {2 * len(japanese)}  ko {2 * len(korean)}  limit 28  ✓",
                    ),
                )
            case 6 if turn % 3 == 0:
                yield (
                    failed(
                        "npm run build",
                        f"src/texts/ko.ts:{40 + turn}:3 - error TS1360: property '{key}{turn}' is missing\n{korean}",
                    ),
                )
            case 6:
                yield (
                    bash(
                        "npm run build",
                        f"built in {dice.number(2, 9)}.{dice.number(10, 99)}s  ja.js {dice.number(20, 44)} kB  ko.js {dice.number(20, 44)} kB",
                    ),
                )
            case _:
                yield (
                    bash(
                        f"npm test -- {screen}",
                        "\n".join(
                            f"  ✓ {screen}: {dice.pick(tuple(texts[1] for texts in TEXTS.values()))} ({dice.number(1, 60)} ms)"
                            for _ in range(9)
                        ),
                    ),
                )


def build() -> Files:
    """Boundaries: automatic at 72,000, manual, automatic; some 250 calls of three models."""
    s = Session(
        "11-long",
        version="2.1.38",
        cwd=HOME,
        model="claude-opus-4-6",
        overhead=43_400,
        start="2026-02-28T08:05:00Z",
        branch="languages",
        slug="many-voiced-harbor",
    )
    s.hook("SessionStart", "SessionStart:startup", "node tools/hooks/session.mjs")
    s.snapshot()
    wish = "予約フォームを日本語と韓国語に対応させてください。英語へのフォールバックは禁止です。Plan first, please. 🙏"
    s.prompt(wish, permissionMode="plan")
    s.step(
        Think("Plan mode: read only. How many texts are there?"),
        "まず現状を確認します。",
        glob("src/booking/**/*.tsx", *listing("11", 30, "src/booking", "tsx")),
    )
    s.step(
        grep(
            'label="',
            "\n".join(
                f'src/booking/{screen}/Form.tsx:{12 + place}: label="{text[0]}"'
                for place, (screen, text) in enumerate(zip(SCREENS, TEXTS.values(), strict=False))
            ),
        )
    )
    s.step(read(f"{HOME}/src/ui/Field.tsx", tsx_source("11 field", 2_600)))
    s.step("The plan:", plan_exit(PLAN))
    s.step(todos("[>] search", "[ ] berth", "[ ] dates", "[ ] boat", "[ ] payment", "[ ] confirmation"))
    s.step(
        write(
            f"{HOME}/src/texts/ja.ts",
            "export const ja = {\n"
            + "\n".join(f'  {key}: "{text[1]}",' for key, text in TEXTS.items())
            + "\n// end\n} satisfies Texts;",
        )
    )
    s.step(
        write(
            f"{HOME}/src/texts/ko.ts",
            "export const ko = {\n"
            + "\n".join(f'  {key}: "{text[2]}",' for key, text in TEXTS.items())
            + "\n// end\n} satisfies Texts;",
        )
    )
    s.step("検索画面から始めます。The files for the three languages are there; next I move the texts of the search screen.")
    s.turn_end()
    s.snapshot()
    formal = "Japanese texts always in the polite form (です・ます), never plain. 絵文字 only in the thank-you line."
    s.prompt(formal)
    s.step(
        "わかりました。です・ます、絵文字は最後の行だけ。",
        skill("accessibility", "The list of the team: labels, contrast, focus, language attribute."),
    )
    work = screen_work("first", SCREENS)
    for turn in range(24):
        s.step(*next(work))
        if turn % 6 == 5:
            s.hook("PostToolUse", "PostToolUse:Edit", "node tools/hooks/format.mjs")
    s.queued("enqueue", "also set lang= on the root element")
    s.step(*next(work))
    s.queued("dequeue")
    s.snapshot()
    queued = "also set lang= on the root element"
    s.prompt(queued)
    s.step(edit(f"{HOME}/src/root.tsx", "<html>", "<html lang={language}>"))
    s.work_until(THRESHOLD, work)
    s.auto_compact(
        summary(
            "The search and berth screens are done.",
            (wish, formal, queued),
            "The texts of the dates screen were being moved.",
            "Go on with the dates screen.",
            "Japanese in the polite form; emoji only in the thank-you line.",
        )
    )
    s.model = "claude-sonnet-4-5-20250929"
    work = screen_work("second", ("dates", "boat"))
    for _ in range(56):
        s.step(*next(work))
    s.shell_progress("running 61 tests", 3)
    s.shell_progress("running 61 tests\n40 passed", 6)
    s.step("日付と船の画面が終わりました。Dates and boat are done; `ko` still misses two texts.")
    s.turn_end()
    s.snapshot()
    korean = "한국어 문장은 조사 때문에 변수 앞뒤를 나누지 마세요. One sentence, one text."
    s.prompt(korean)
    s.step(
        "네, 문장마다 텍스트 하나로 하겠습니다.", edit(f"{HOME}/src/texts/ko.ts", '"까지" + date', '"{date}까지 예약 가능합니다"')
    )
    s.turn_end(12)
    s.manual_compact(
        summary(
            "Search, berth, dates and boat are done.",
            (wish, formal, queued, korean),
            "Korean sentences were being joined into single texts.",
            "The payment screen.",
            "Japanese in the polite form; a Korean sentence is one text.",
        ),
        "keep the rules about Japanese and Korean",
    )
    s.hook("SessionStart", "SessionStart:compact", "node tools/hooks/session.mjs")
    s.snapshot()
    s.prompt("支払い画面へ進んでください。")
    s.step(todos("[x] search", "[x] berth", "[x] dates", "[x] boat", "[>] payment", "[ ] confirmation"))
    s.step(
        "Screens that show money need the fixtures first.",
        skill("fixtures", "Amounts in three currencies: ¥12,800, ₩118,000, €79.50."),
    )
    s.work_until(THRESHOLD, screen_work("third", ("payment", "confirmation")))
    s.auto_compact(
        summary(
            "All screens but confirmation are done.",
            (korean, "支払い画面へ進んでください。"),
            "The confirmation screen was being moved.",
            "Finish the confirmation screen.",
            "A Korean sentence is one text.",
        )
    )
    s.model = "claude-haiku-4-5-20251001"
    work = screen_work("fourth", ("confirmation",))
    for _ in range(22):
        s.step(*next(work))
    s.step(edit(f"{HOME}/src/texts/ja.ts", 'thanks: "お待ちしております ⚓"', 'thanks: "またね 👋"'))
    s.step("All six screens are in three languages. ✅")
    s.turn_end()
    s.snapshot()
    s.prompt("「またね」は丁寧ではありません。です・ます調でお願いしたはずです。😕")
    s.step(
        "申し訳ありません。「お待ちしております ⚓」に戻します。",
        edit(f"{HOME}/src/texts/ja.ts", 'thanks: "またね 👋"', 'thanks: "お待ちしております ⚓"'),
    )
    s.step("丁寧な表現に直しました。")
    s.system(
        "stop_hook_summary",
        hookCount=1,
        hookInfos=[{"command": "node tools/hooks/stop.mjs"}],
        hookErrors=[],
        preventedContinuation=False,
        stopReason="",
        hasOutput=False,
        level="suggestion",
        toolUseID=s.ids.uuid("hook"),
    )
    s.turn_end()
    return {"11-long.jsonl": s.file()}
