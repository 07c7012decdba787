"""Settings remember where each number comes from, and say what did not count."""

import pytest

from workbench.compaction.profiles import ARTICLES, OBSERVED, PROFILES, preset_named, preset_of, resolve
from workbench.compaction.settings import ENVIRONMENT, FILE, Layer, Settings, Value, environment_layer, flag_layer
from workbench.errors import UsageError


def of_flags(*pairs: str, profile: str = ARTICLES) -> Settings:
    return resolve(profile, layers=[flag_layer(pairs)])


def of_environment(profile: str = ARTICLES, **variables: str) -> Settings:
    return resolve(profile, layers=[environment_layer(variables)])


def test_a_stronger_layer_wins_and_every_value_names_its_layer():
    file = Layer(FILE, {"minTokens": 2_000, "keepRecent": 3})
    settings = resolve(ARTICLES, preset_of("2.1.7"), [file, flag_layer(["minTokens=4000"])])
    assert settings["minTokens"] == Value(4_000, "flag")
    assert settings["keepRecent"] == Value(3, "file")
    assert settings["summaryReserve"] == Value(32_000, "preset", "until-2.1.20")
    assert settings["maxRetries"] == Value(3, "profile", "articles")
    assert settings["thrashTurns"] == Value(3, "default")


def test_an_unknown_name_is_refused_naming_the_nearest():
    with pytest.raises(UsageError, match="There is no setting 'minToken'; the nearest is minTokens"):
        of_flags("minToken=5")


def test_a_setting_without_a_value_is_refused():
    with pytest.raises(UsageError, match="NAME=VALUE"):
        of_flags("minTokens")


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("AUTOCOMPACT_BUFFER_TOKENS", "autocompactBuffer"),
        ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "autoCompactWindow"),
        ("MAX_CONSECUTIVE_AUTOCOMPACT_FAILURES", "maxConsecutiveFailures"),
        ("MAX_PTL_RETRIES", "maxRetries"),
        ("POST_COMPACT_MAX_FILES_TO_RESTORE", "restoreMaxFiles"),
        ("POST_COMPACT_TOKEN_BUDGET", "restoreTokenBudget"),
        ("POST_COMPACT_MAX_TOKENS_PER_FILE", "restoreTokensPerFile"),
        ("POST_COMPACT_MAX_TOKENS_PER_SKILL", "skillTokens"),
        ("POST_COMPACT_SKILLS_TOKEN_BUDGET", "skillsTokenBudget"),
    ],
)
def test_the_spellings_of_the_articles_are_understood(spelling, name):
    settings = of_flags(f"{spelling}=150000")
    assert settings[name] == Value(150_000, "flag", spelling)


def test_one_spelling_may_stand_for_two_numbers():
    settings = of_flags("MAX_OUTPUT_TOKENS_FOR_SUMMARY=9000")
    assert (settings.number("summaryReserve"), settings.number("summaryMaxTokens")) == (9_000, 9_000)


def test_a_remote_override_counts_field_by_field_where_it_is_a_positive_number():
    remote = {"tengu_sm_compact_config": {"minTokens": 4_000, "minTextBlockMessages": -2, "maxTokens": "many"}}
    settings = resolve(layers=[Layer(FILE, remote)])
    assert settings.number("minTokens") == 4_000
    assert settings.number("minTextBlockMessages") == 5
    assert settings.number("maxTokens") == 40_000
    assert [i.sentence for i in settings.ignored] == [
        "minTextBlockMessages=-2 (file) is ignored: it is not positive.",
        "maxTokens=many (file) is ignored: it is not a number.",
    ]


def test_groups_open_into_their_settings_and_are_no_values():
    settings = resolve(
        layers=[Layer(FILE, {"timeBased": {"enabled": True, "gapThresholdMinutes": 30}, "thinking": {"open_turn": "drop_block"}})]
    )
    assert settings.on("timeBased.enabled") and settings.real("gapThresholdMinutes") == 30
    assert settings.text("thinking.open_turn") == "drop_block"
    with pytest.raises(UsageError, match="is a group of settings"):
        of_flags("timeBased=5")


@pytest.mark.parametrize(("text", "window"), [("500000", 500_000), ("120000 tokens", 120_000), ("500k", 500), (" 7", 7)])
def test_articles_read_a_leading_integer(text, window):
    assert of_environment(CLAUDE_CODE_AUTO_COMPACT_WINDOW=text).number("autoCompactWindow") == window


@pytest.mark.parametrize("text", ["abc", "0", "-5", "k5"])
def test_a_window_that_is_no_positive_number_is_ignored_and_shown(text):
    settings = of_environment(CLAUDE_CODE_AUTO_COMPACT_WINDOW=text)
    assert settings["autoCompactWindow"].value is None
    assert [(i.name, i.given, i.source) for i in settings.ignored] == [("CLAUDE_CODE_AUTO_COMPACT_WINDOW", text, ENVIRONMENT)]


@pytest.mark.parametrize(
    ("text", "window"),
    [("500k", 500_000), ("1M", 1_000_000), ("5M", 1_000_000), ("100", 100_000), ("200000", 200_000), ("abc", None), ("0", None)],
)
def test_todays_agent_reads_suffixes_and_clamps(text, window):
    assert of_environment(OBSERVED, CLAUDE_CODE_AUTO_COMPACT_WINDOW=text)["autoCompactWindow"].value == window


@pytest.mark.parametrize(
    ("text", "percent"), [("50", 50), ("50%", 50), ("12.5x", 12.5), ("100", 100), ("0", None), ("101", None), ("abc", None)]
)
def test_percent_is_a_leading_float_up_to_100(text, percent):
    assert of_environment(CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=text)["autoCompactPercent"].value == percent


def test_other_environment_variables_are_none_of_our_business():
    assert of_environment(PATH="/bin", DISABLE_COMPACT="1").on("DISABLE_COMPACT")


def test_the_form_lists_every_setting_with_default_current_value_and_source():
    lines = {line.setting.name: line for line in of_flags("keepRecent=2").lines()}
    assert lines["keepRecent"].is_changed and lines["keepRecent"].setting.default == 5
    assert not lines["minTokens"].is_changed
    assert all(line.setting.about and line.setting.group for line in lines.values())


def test_the_profiles_differ_in_exactly_the_settings_they_state():
    articles, observed = resolve(ARTICLES), resolve(OBSERVED)
    assert set(PROFILES[ARTICLES]) == set(PROFILES[OBSERVED])
    assert {n for n in articles if articles[n].value != observed[n].value} == set(PROFILES[OBSERVED])
    assert observed.number("summaryMaxTokens") == 32_000
    assert all(articles[line.setting.name].value == line.setting.default for line in articles.lines())


def test_profiles_and_presets_are_found_by_name_or_the_nearest_is_named():
    with pytest.raises(UsageError, match="the nearest is articles"):
        resolve("article")
    assert preset_named("2.1.9") is preset_named("until-2.1.20")
    with pytest.raises(UsageError, match="nearest is until-2"):
        preset_named("until")


@pytest.mark.parametrize(
    ("version", "name", "guess"),
    [
        ("1.0.31", "until-2.1.20", False),
        ("2.1.20", "until-2.1.20", False),
        ("2.1.21", "2.1.21-2.1.24", True),
        ("2.1.24", "2.1.21-2.1.24", True),
        ("2.1.25", "since-2.1.25", False),
        ("2.1.332", "since-2.1.25", False),
        ("[REDACTED]", "unknown-version", True),
        (None, "unknown-version", True),
    ],
)
def test_the_recorded_version_chooses_the_preset(version, name, guess):
    assert (preset_of(version).name, preset_of(version).guess) == (name, guess)


def test_asking_for_the_wrong_kind_is_a_mistake_of_the_program():
    with pytest.raises(TypeError, match="no switch"):
        resolve().on("minTokens")
    with pytest.raises(TypeError, match="no whole number"):
        resolve().number("reactive")
