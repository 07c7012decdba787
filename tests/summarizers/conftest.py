"""The fake API with the environment that leads to it, and requests to put to it."""

from collections.abc import Iterator

import pytest

from tests.summarizers.fake_api import FakeApi, serving


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    with serving() as fake:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield fake
