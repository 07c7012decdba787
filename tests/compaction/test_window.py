"""Window and threshold, by the checks of section 1 and by what real sessions recorded."""

import json
import os
from pathlib import Path

import pytest

from workbench.compaction.models import MODELS
from workbench.compaction.profiles import ARTICLES, OBSERVED, preset_of, resolve
from workbench.compaction.settings import environment_layer, flag_layer
from workbench.compaction.threshold import Threshold, ladder, threshold_of
from workbench.compaction.window import Facts, Fired, Window, window_evidence
from workbench.errors import UsageError

OPUS_45, OPUS_46, OPUS_47 = "claude-opus-4-5-20251101", "claude-opus-4-6", "claude-opus-4-7"


def judged(model=None, *pairs, version="2.1.30", profile=ARTICLES, largest=None, fired=()) -> tuple[Window, Threshold]:
    settings = resolve(profile, preset_of(version), [flag_layer(pairs)])
    window = window_evidence(Facts(model, largest, tuple(Fired(*f) for f in fired)), settings)
    return window, threshold_of(window, model, settings)


def auto(*args, **kwargs) -> int | None:
    return judged(*args, **kwargs)[1].auto


def by_environment(name: str, value: str) -> int | None:
    settings = resolve(layers=[environment_layer({name: value})])
    return threshold_of(window_evidence(Facts(OPUS_45), settings), OPUS_45, settings).auto


def test_a_window_of_200_thousand_fires_at_167_thousand():
    _, threshold = judged(OPUS_45)
    assert (threshold.effective, threshold.auto, threshold.warning, threshold.manual) == (180_000, 167_000, 147_000, 177_000)


def test_a_small_largest_output_makes_the_reserve_smaller():
    _, threshold = judged(OPUS_45, "maxOutputTokens=8192")
    assert (threshold.effective, threshold.auto) == (191_808, 178_808)


def test_a_million_and_a_configured_half_of_it():
    assert auto(OPUS_47) == 967_000
    assert auto(OPUS_47, "autoCompactWindow=500000") == 467_000


@pytest.mark.parametrize("value", ["abc", "0", "-5"])
def test_an_override_that_is_no_positive_number_changes_nothing(value):
    assert by_environment("CLAUDE_CODE_AUTO_COMPACT_WINDOW", value) == 167_000


def test_an_override_never_makes_it_later():
    assert by_environment("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "900000") == 167_000


@pytest.mark.parametrize(
    ("percent", "expected"),
    [("50", 90_000), ("50%", 90_000), ("95", 167_000), ("0", 167_000), ("101", 167_000), ("abc", 167_000), ("33.333", 59_999)],
)
def test_a_percentage_of_the_effective_window(percent, expected):
    assert by_environment("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", percent) == expected


@pytest.mark.parametrize(
    ("version", "expected"), [("2.1.7", 155_000), ("2.1.20", 155_000), ("2.1.21", 167_000), ("2.1.49", 167_000), (None, 167_000)]
)
def test_the_version_sets_the_reserve(version, expected):
    _, threshold = judged(OPUS_45, version=version)
    assert threshold.auto == expected
    assert threshold.preset == preset_of(version).name


@pytest.mark.parametrize(
    ("pair", "named"),
    [
        ("window=33000", "raise window"),
        ("autoCompactWindow=500", "raise autoCompactWindow"),
        ("autoCompactPercent=0.0001", "raise autoCompactPercent"),
    ],
)
def test_a_threshold_of_nothing_is_refused_naming_what_to_change(pair, named):
    with pytest.raises(UsageError, match=named):
        judged(OPUS_45, pair)


def test_one_token_of_threshold_is_enough():
    assert auto(OPUS_45, "window=33001") == 1


# evidence


def test_claims_go_from_the_setting_to_the_suffix_to_the_table_to_the_usual_window():
    assert judged(OPUS_46)[0].source == "model"
    assert judged(OPUS_46 + "[1m]")[0].tokens == 1_000_000
    window, _ = judged(OPUS_46 + "[1m]", "window=400000")
    assert (window.tokens, window.source) == (400_000, "setting")
    assert window.overruled == (
        "1,000,000 by the suffix [1m] of claude-opus-4-6[1m] gives way to the setting window (flag).",
        "200,000 by the agent's window for Opus 4.6 gives way to the setting window (flag).",
    )
    unknown, _ = judged("somebody-elses-model")
    assert (unknown.tokens, unknown.source, unknown.guess) == (200_000, "default", True)
    assert "somebody-elses-model is not in the table" in unknown.why


def test_a_call_that_went_through_overrules_a_smaller_window():
    window, threshold = judged(OPUS_46, largest=324_458)
    assert (window.tokens, window.source, threshold.auto) == (1_000_000, "call", 967_000)
    assert window.proven_by == "a call of 324,458 tokens that went through"
    assert window.overruled[0].startswith("200,000 by the agent's window for Opus 4.6 is overruled by a call")


def test_a_call_overrules_even_a_setting_and_says_so():
    window, _ = judged(OPUS_46, "window=150000", largest=168_103)
    assert window.tokens >= 168_103
    assert any("150,000 by the setting window (flag) is overruled" in s for s in window.overruled)


def test_a_call_within_the_window_proves_nothing_new():
    window, _ = judged(OPUS_45, largest=200_000)
    assert (window.tokens, window.source, window.proven_by, window.overruled) == (200_000, "model", None, ())


@pytest.mark.parametrize("tokens", [167_000, 168_139, 187_000])
def test_an_automatic_compaction_of_a_large_model_proves_a_configured_window(tokens):
    window, threshold = judged(OPUS_47, version="2.1.332", fired=[("auto", tokens, "2.1.332")])
    assert (window.tokens, window.source, window.guess, threshold.auto) == (200_000, "boundary", True, 167_000)
    assert "1,000,000 by the agent's window for Opus 4.7 is overruled" in window.overruled[0]
    assert window.proven_by == f"an automatic compaction at {tokens:,} tokens"


def test_a_compaction_under_every_threshold_was_reactive_and_proves_nothing():
    window, threshold = judged(OPUS_47, version="2.1.332", fired=[("auto", 25_023, "2.1.332")])
    assert (window.tokens, threshold.auto) == (1_000_000, 967_000)
    assert window.overruled == ("The automatic compaction at 25,023 was reactive: no threshold is so low.",)


def test_a_manual_compaction_proves_nothing():
    assert judged(OPUS_47, fired=[("manual", 120_000, "2.1.49"), (None, None, None)])[0].source == "model"


def test_an_old_compaction_is_judged_by_the_reserve_of_its_own_version():
    window, threshold = judged(OPUS_45, version="2.1.30", fired=[("auto", 155_241, "2.1.7"), ("auto", 168_483, "2.1.30")])
    assert (window.tokens, window.source, threshold.auto) == (200_000, "model", 167_000)


def test_a_configured_percentage_explains_an_early_compaction():
    window, threshold = judged(OPUS_45, "autoCompactPercent=50", fired=[("auto", 91_000, "2.1.30")])
    assert (window.tokens, threshold.auto, threshold.source) == (200_000, 90_000, "percent")


def test_what_no_window_explains_still_bounds_the_threshold():
    window, threshold = judged(OPUS_45, largest=119_000, fired=[("auto", 120_000, "2.1.30")])
    assert (window.tokens, threshold.auto, threshold.source) == (200_000, 120_000, "boundary")


def test_a_trial_by_setting_stands_against_what_a_compaction_suggests():
    window, threshold = judged(OPUS_47, "window=1000000", fired=[("auto", 168_139, "2.1.332")])
    assert threshold.auto == 967_000
    assert "the setting stands all the same" in window.overruled[-1]


def test_a_smaller_buffer_on_trial_is_no_evidence_against_the_window():
    window, threshold = judged(OPUS_45, "autocompactBuffer=5000", fired=[("auto", 168_139, "2.1.30")])
    assert (window.tokens, threshold.auto) == (200_000, 175_000)


# today's agent


def test_today_nothing_fires_without_a_configured_window():
    _, threshold = judged(OPUS_47, profile=OBSERVED, version="2.1.332")
    assert (threshold.auto, threshold.warning, threshold.source) == (None, None, "never")
    assert "autoCompactWindow" in threshold.why
    assert auto(OPUS_47, "autoCompactPercent=50", profile=OBSERVED) is None


@pytest.mark.parametrize(("window", "expected"), [("200000", 167_000), ("100000", 67_000), ("100", 67_000), ("500k", 467_000)])
def test_today_a_configured_window_fires(window, expected):
    assert auto(OPUS_47, f"autoCompactWindow={window}", profile=OBSERVED) == expected


def test_today_a_recorded_compaction_shows_that_a_window_was_configured():
    assert auto("claude-haiku-4-5-20251001", profile=OBSERVED, version="2.1.332", fired=[("auto", 168_139, "2.1.332")]) == 167_000


# the picture


def test_the_ladder_goes_down_from_the_window_to_the_warning_with_the_source_of_each_number():
    settings = resolve(ARTICLES, preset_of("2.1.7"), [flag_layer(["autoCompactWindow=190000"])])
    window = window_evidence(Facts(OPUS_45), settings)
    rungs = ladder(window, threshold_of(window, OPUS_45, settings), settings)
    assert [(r.name, r.tokens, r.is_step) for r in rungs] == [
        ("window", 200_000, False),
        ("configured window", 190_000, False),
        ("reserve", 32_000, True),
        ("effective window", 158_000, False),
        ("manual limit", 155_000, False),
        ("buffer", 13_000, True),
        ("threshold", 145_000, False),
        ("warning", 125_000, False),
    ]
    assert rungs[1].source == "flag" and rungs[2].source == "preset until-2.1.20"
    assert rungs[6].there == "getAutoCompactThreshold"


def test_the_ladder_ends_early_where_nothing_fires():
    settings = resolve(OBSERVED)
    window = window_evidence(Facts(OPUS_47), settings)
    assert [r.name for r in ladder(window, threshold_of(window, OPUS_47, settings), settings)][-1] == "manual limit"


def test_every_model_of_the_table_has_a_threshold():
    for model in MODELS:
        assert auto(f"claude-{model.name.lower().replace(' ', '-').replace('.', '-')}") == model.agent_window - 33_000


SHARED = Path(os.environ.get("WORKBENCH_SHARED", ""))


@pytest.mark.shared
@pytest.mark.skipif(not (SHARED / "real" / "expected.json").is_file(), reason="WORKBENCH_SHARED names no folder of real sessions")
def test_no_real_session_compacted_under_the_threshold_of_its_version():
    sessions = json.loads((SHARED / "real" / "expected.json").read_text())
    fired = [
        (s["file"].split("-v")[1].removesuffix(".jsonl"), s, b["pre_tokens"])
        for s in sessions
        for b in s["boundaries"]
        if b["trigger"] == "auto"
    ]
    assert len(fired) == 11
    for version, session, tokens in fired:
        window, threshold = judged(
            OPUS_45, version=version, largest=session["max_context_tokens"], fired=[("auto", tokens, version)]
        )
        assert window.source == "model" and threshold.auto is not None and tokens >= threshold.auto, session["file"]
