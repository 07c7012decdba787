"""Waiting for another try."""

from workbench.summarizers.retrying import RetryPolicy, pause


def test_each_wait_is_twice_the_one_before_up_to_the_longest():
    policy = RetryPolicy(retries=7)
    assert [policy.wait(tried, None) for tried in range(8)] == [1, 2, 4, 8, 16, 30, 30, None]


def test_a_wish_of_the_server_comes_first_within_bounds():
    policy = RetryPolicy()
    assert [policy.wait(0, asked) for asked in (0.0, 0.5, 120.0, 121.0)] == [0, 0.5, 120, None]


def test_a_wait_ends_by_itself_and_at_once_when_cancelled():
    assert pause(0, lambda: False) is True
    assert pause(3_600, lambda: True) is False
