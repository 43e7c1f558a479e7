"""What came back, and what it means: the published codes, the back-off, the nonce window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.delivery import (
    Answered,
    Done,
    Effect,
    Fatal,
    NoAnswer,
    NotDone,
    Outcome,
    Parked,
    ReadHistory,
    Rejected,
    Repeat,
    Timing,
    Unknown,
    absent_from,
    backoff_ms,
    classify,
    next_step,
    outlived_nonce,
)

EFFECTS = list(Effect)
OF_A_MESSAGE = {
    Effect.CREATE_MESSAGE,
    Effect.EDIT_MESSAGE,
    Effect.DELETE_MESSAGE,
    Effect.REACT,
}

# Discord's JSON error codes and the status each comes with.
REJECTED = {
    50007: 403,
    50278: 403,
    10007: 404,
    10013: 404,
    50035: 400,
    40005: 413,
    200000: 400,
    240000: 400,
    20009: 400,
    30010: 400,
    90001: 403,
}
PARKED = {50001: 403, 50013: 403, 160005: 400}
NOT_DONE = {50083: 400, 160006: 400, 40003: 429, 20028: 429, 130000: 503}


def answered(status: int, code: int | None = None, retry_after_ms: int | None = None) -> Answered:
    return Answered(status=status, code=code, retry_after_ms=retry_after_ms)


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize(
    ("codes", "outcome"),
    [(REJECTED, Rejected), (PARKED, Parked), (NOT_DONE, NotDone)],
    ids=["rejected", "parked", "not done"],
)
def test_each_code_means_what_the_page_says_whatever_the_call_was_for(
    effect: Effect, codes: dict[int, int], outcome: type[Outcome]
) -> None:
    assert {
        code: type(classify(effect, answered(codes[code], code))) for code in codes
    } == dict.fromkeys(codes, outcome)


@pytest.mark.parametrize("effect", EFFECTS)
def test_only_discords_word_on_new_dms_pauses_them(effect: Effect) -> None:
    paused = classify(effect, answered(429, 40003, 5000))
    assert paused == NotDone(problem="new_dms_paused", retry_after_ms=5000, pauses_new_dms=True)
    for code, status in NOT_DONE.items():
        outcome = classify(effect, answered(status, code, 70))
        assert isinstance(outcome, NotDone)
        assert outcome.pauses_new_dms == (code == 40003)
        assert outcome.retry_after_ms == 70


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_message_that_is_gone_ends_every_call_about_a_message(effect: Effect) -> None:
    outcome = classify(effect, answered(404, 10008))
    if effect in OF_A_MESSAGE:
        assert outcome == Done(message_id=None)
    else:
        assert isinstance(outcome, Rejected)


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_place_that_is_gone_is_what_a_deletion_wanted(effect: Effect) -> None:
    outcome = classify(effect, answered(404, 10003))
    if effect is Effect.DELETE_CHANNEL:
        assert outcome == Done()
    else:
        assert outcome == Rejected(problem="unknown_channel")


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_thread_that_is_there_is_what_starting_one_wanted(effect: Effect) -> None:
    outcome = classify(effect, answered(400, 160004))
    if effect is Effect.START_THREAD:
        assert outcome == Done()
    else:
        assert isinstance(outcome, Rejected)


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("answer", [answered(401), answered(401, 0), answered(403, 40333)])
def test_an_application_that_is_refused_can_do_nothing_more(
    effect: Effect, answer: Answered
) -> None:
    assert isinstance(classify(effect, answer), Fatal)


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("status", [200, 201, 204, 408, 499, 500, 502, 503, 504, 520, 524, 599])
def test_nobody_knows_what_a_server_in_trouble_has_done(effect: Effect, status: int) -> None:
    assert isinstance(classify(effect, answered(status)), Unknown)
    assert isinstance(classify(effect, answered(status, 0)), Unknown)


@pytest.mark.parametrize("effect", EFFECTS)
def test_only_a_request_that_never_left_is_certainly_not_done(effect: Effect) -> None:
    assert classify(effect, NoAnswer(left=False, problem="refused")) == NotDone(problem="refused")
    assert classify(effect, NoAnswer(left=True, problem="reset")) == Unknown(problem="reset")


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_rate_limit_keeps_discords_own_wish(effect: Effect) -> None:
    assert classify(effect, answered(429, retry_after_ms=1234)) == NotDone(
        problem="rate_limited", retry_after_ms=1234
    )
    assert classify(effect, answered(429)) == NotDone(problem="rate_limited")


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_refusal_of_a_kind_we_do_not_know_is_named_by_its_numbers(effect: Effect) -> None:
    assert classify(effect, answered(400, 123456)) == Rejected(problem="http_400_123456")
    assert classify(effect, answered(404)) == Rejected(problem="http_404")
    assert classify(effect, answered(403)) == Parked(problem="forbidden")
    assert classify(effect, answered(413)) == Rejected(problem="too_large")


@given(
    effect=st.sampled_from(EFFECTS),
    status=st.integers(100, 599),
    code=st.none() | st.integers(0, 10**7) | st.sampled_from(sorted({**REJECTED, **PARKED})),
    retry_after_ms=st.none() | st.integers(0, 10**9),
)
def test_every_answer_has_one_outcome_and_none_invents_a_message(
    effect: Effect, status: int, code: int | None, retry_after_ms: int | None
) -> None:
    outcome = classify(effect, answered(status, code, retry_after_ms))
    assert getattr(outcome, "message_id", None) is None
    if isinstance(outcome, Done):
        assert code in {10003, 10008, 160004}
    elif status >= 500 and code not in {**REJECTED, **PARKED, **NOT_DONE, 40333: 0, 10004: 0}:
        assert code in {10003, 50006} or isinstance(outcome, Unknown)


@given(
    tries=st.integers(-5, 10**9),
    base_ms=st.integers(1, 10**5),
    cap_ms=st.integers(1, 10**8),
    jitter=st.floats(0, 1, exclude_max=True),
)
def test_a_back_off_lies_between_half_and_the_whole_of_its_step_and_never_above_the_cap(
    tries: int, base_ms: int, cap_ms: int, jitter: float
) -> None:
    wait = backoff_ms(tries, base_ms=base_ms, cap_ms=cap_ms, jitter=jitter)
    step = min(cap_ms, base_ms * 2 ** min(max(tries, 1) - 1, 40))
    assert step // 2 <= wait <= step <= cap_ms


def test_a_back_off_doubles_until_its_cap() -> None:
    waits = [backoff_ms(tries, base_ms=2000, cap_ms=300_000, jitter=0.0) for tries in range(1, 11)]
    assert waits == [1000, 2000, 4000, 8000, 16000, 32000, 64000, 128_000, 150_000, 150_000]


TIMING = Timing(nonce_window_ms=60_000, settle_ms=30_000)


@pytest.mark.parametrize(
    ("after_ms", "step"),
    [
        (0, Repeat()),
        (49_999, Repeat()),
        (50_000, ReadHistory()),
        (60_000, ReadHistory()),
        (10**12, ReadHistory()),
        (-1, ReadHistory()),
    ],
)
def test_a_doubt_is_repeated_inside_the_nonce_window_less_its_spare_and_read_up_after(
    after_ms: int, step: Repeat | ReadHistory
) -> None:
    first_try_at = 1_767_225_600_000
    assert next_step(first_try_at, first_try_at + after_ms, TIMING) == step
    assert outlived_nonce(first_try_at, first_try_at + after_ms, TIMING) == isinstance(
        step, ReadHistory
    )


def test_a_window_no_longer_than_its_spare_never_repeats() -> None:
    timing = Timing(nonce_window_ms=10_000, settle_ms=0)
    assert all(next_step(0, now, timing) == ReadHistory() for now in (0, 1, 5_000, 10_000))


def test_an_absence_counts_from_the_end_of_the_last_call() -> None:
    assert absent_from(1_000, TIMING) == 31_000
