"""The table of models answers for every way an id is written."""

import pytest

from workbench.compaction.models import MODELS, lookup, name_of, with_models
from workbench.errors import UsageError


@pytest.mark.parametrize(
    ("model_id", "name"),
    [
        ("claude-opus-4-5-20251101", "Opus 4.5"),
        ("claude-opus-4-6", "Opus 4.6"),
        ("claude-opus-4-6[1m]", "Opus 4.6"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "Sonnet 4.5"),
        ("anthropic/claude-sonnet-4.6", "Sonnet 4.6"),
        ("claude-haiku-4-5@20251001", "Haiku 4.5"),
        ("claude-opus-5", "Opus 5"),
        ("claude-opus-5-20260801", "Opus 5"),
        ("Fable 5.2", "Fable 5.2"),
    ],
)
def test_ids_are_found_however_they_are_written(model_id, name):
    model = lookup(model_id)
    assert model is not None and model.name == name


@pytest.mark.parametrize(
    "model_id", ["claude-opus-4-20250514", "claude-3-5-sonnet-20241022", "sonnet", "<synthetic>", "gpt-9", "", None]
)
def test_what_is_not_in_the_table_is_unknown(model_id):
    assert lookup(model_id) is None


def test_the_agent_works_with_200_thousand_up_to_4_6():
    windows = {m.name: (m.window, m.max_output, m.agent_window) for m in MODELS}
    assert windows["Opus 4.6"] == (1_000_000, 128_000, 200_000)
    assert windows["Opus 4.5"] == (200_000, 64_000, 200_000)
    assert windows["Opus 4.7"] == (1_000_000, 128_000, 1_000_000)


def test_a_call_costs_by_kind_of_token_and_a_long_prompt_may_be_dearer():
    opus, haiku = lookup("claude-opus-4-5"), lookup("claude-haiku-5-5")
    assert opus is not None and haiku is not None
    assert opus.price.dollars(input=1_000, output=2_000, write_5m=4_000, read=100_000) == pytest.approx(
        0.005 + 0.05 + 0.025 + 0.05
    )
    assert haiku.price_of(100_000).input == 0.10
    assert haiku.price_of(100_001).input == 0.50


def test_a_users_row_comes_first_and_inherits_what_it_leaves_out():
    table = with_models({"claude-opus-4-5": {"agent_window": 150_000}})
    assert lookup("claude-opus-4-5-20251101", table).agent_window == 150_000
    assert lookup("claude-opus-4-5-20251101", table).price.output == 25


def test_a_users_row_must_be_complete_for_a_new_model_and_hold_known_fields():
    with pytest.raises(UsageError, match="needs a number for input"):
        with_models({"opus-9": {"window": 5}})
    with pytest.raises(UsageError, match="has a field 'widow'"):
        with_models({"opus-4-5": {"widow": 5}})


def test_a_name_is_made_for_people():
    assert name_of("claude-haiku-4-5-20251001") == "Haiku 4.5"
    assert name_of("local-model[1m]") == "local-model"
