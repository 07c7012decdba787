"""Calls of a known size, compactions at known tokens, and the settings they are judged by."""

from argparse import Namespace
from typing import Any

from tests.builders import MODEL, Record, boundary, reply
from workbench.cli.settings import settings_from
from workbench.compaction.settings import Settings
from workbench.transcript.session import Session


def given(session: Session, **changed: Any) -> Settings:
    chosen = [f"{name}={value}" for name, value in changed.items()]
    return settings_from(Namespace(profile="articles", settings="none", set=chosen, now=None), session)


def at(number: int, prompt: int, *blocks: Any, output: int = 10) -> Record:
    """A reply to a prompt of so many tokens."""
    made = reply(number, *(blocks or ("done",)))
    usage = {"input_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": prompt, "output_tokens": output}
    made["message"] = {**made["message"], "model": MODEL, "usage": usage}
    return made


def compacted(number: int, tokens: int, trigger: str = "auto") -> Record:
    return boundary(number, metadata={"trigger": trigger, "preTokens": tokens})
