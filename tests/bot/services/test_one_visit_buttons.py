"""Buttons that work once: for one person, for a while, and never in the place of another."""

import asyncio
from functools import partial

import pytest

from bot.services.buttons import CONFIRM_MS, YES_MS, Visit, arm, ask, look, use
from domain.errors import Refused
from storage import buttons
from tests.bot.services.fair import GUILD, NOW, Fair, code

WHO, OTHER = 5, 6
VISIT = Visit(subject="campaign:1", guild_id=GUILD, member_id=WHO)


async def first(fair: Fair, visit: Visit = VISIT) -> tuple[str, str]:
    pair = await fair.database.write(lambda c: ask(c, visit, "close", NOW))
    return pair.onward, pair.back


async def test_a_confirmation_takes_two_steps_and_only_the_last_one_acts(fair: Fair) -> None:
    confirm, dismiss = await first(fair)
    sure = await fair.confirmations.confirm(confirm, WHO, NOW)
    assert sure.act == "close"
    for token in (confirm, dismiss):
        with pytest.raises(Refused, match="button_used"):
            await fair.confirmations.confirm(token, WHO, NOW)
    used = await fair.database.write(lambda c: use(c, sure.onward, WHO, NOW, action="yes:close"))
    assert used.subject == "campaign:1"
    with pytest.raises(Refused, match="button_used"):
        await fair.confirmations.back_out(sure.back, WHO, NOW)


async def test_who_backs_out_can_not_go_on(fair: Fair) -> None:
    confirm, dismiss = await first(fair)
    await fair.confirmations.back_out(dismiss, WHO, NOW)
    with pytest.raises(Refused, match="button_used"):
        await fair.confirmations.confirm(confirm, WHO, NOW)
    confirm, _ = await first(fair)
    sure = await fair.confirmations.confirm(confirm, WHO, NOW)
    await fair.confirmations.back_out(sure.back, WHO, NOW)
    with pytest.raises(Refused, match="button_used"):
        await fair.database.write(lambda c: use(c, sure.onward, WHO, NOW, action="yes:close"))


async def test_the_questions_last_a_day_and_then_ten_minutes(fair: Fair) -> None:
    confirm, _ = await first(fair)
    with pytest.raises(Refused, match="stale_button"):
        await fair.confirmations.confirm(confirm, WHO, NOW + CONFIRM_MS)
    last = NOW + CONFIRM_MS - 1
    sure = await fair.confirmations.confirm(confirm, WHO, last)
    with pytest.raises(Refused, match="stale_button"):
        await fair.confirmations.see(sure.onward, WHO, last + YES_MS)
    assert (await fair.confirmations.see(sure.onward, WHO, last + YES_MS - 1)).state == "live"


async def test_yes_is_never_pressed_by_way_of_confirm(fair: Fair) -> None:
    confirm, _ = await first(fair)
    with pytest.raises(Refused, match="stale_button"):
        await fair.database.write(lambda c: use(c, confirm, WHO, NOW, action="yes:close"))
    with pytest.raises(Refused, match="stale_button"):
        await fair.confirmations.back_out(confirm, WHO, NOW)
    assert (await fair.confirmations.confirm(confirm, WHO, NOW)).act == "close"


async def test_a_foreign_button_says_so_and_stays(fair: Fair) -> None:
    confirm, _ = await first(fair)
    with pytest.raises(Refused, match="not_your_button"):
        await fair.confirmations.confirm(confirm, OTHER, NOW)
    await fair.confirmations.confirm(confirm, WHO, NOW)


async def test_a_newer_visit_voids_the_older_one_of_the_same_person_and_subject(
    fair: Fair,
) -> None:
    older, _ = await first(fair)
    others, _ = await first(fair, Visit(subject="campaign:1", guild_id=GUILD, member_id=OTHER))
    elsewhere, _ = await first(fair, Visit(subject="campaign:2", guild_id=GUILD, member_id=WHO))
    newer, _ = await first(fair)
    with pytest.raises(Refused, match="stale_button"):
        await fair.confirmations.confirm(older, WHO, NOW)
    for token, who in ((others, OTHER), (elsewhere, WHO), (newer, WHO)):
        assert (await fair.confirmations.confirm(token, who, NOW)).act == "close"


async def test_pressed_many_times_at_once_it_works_once(fair: Fair) -> None:
    confirm, _ = await first(fair)
    outcomes = await asyncio.gather(
        *(fair.confirmations.confirm(confirm, WHO, NOW) for _ in range(20)), return_exceptions=True
    )
    codes = [code(outcome) for outcome in outcomes]
    assert codes.count(None) == 1
    assert codes.count("button_used") == 19


async def test_what_a_button_carries_is_erased_with_its_use(fair: Fair) -> None:
    tokens = await fair.database.write(
        lambda c: arm(c, VISIT, {"a": "secret", "b": "secret"}, until=NOW + 1)
    )
    assert len(set(tokens.values())) == 2
    seen = await fair.database.read(lambda c: look(c, tokens["a"], WHO, NOW))
    assert seen.payload == "secret"
    await fair.database.write(lambda c: use(c, tokens["a"], WHO, NOW, action="a"))
    for token in tokens.values():
        kept = await fair.database.read(partial(buttons.find, token=token))
        assert kept is not None
        assert (kept.state, kept.payload) == ("used", None)


async def test_a_persons_buttons_can_all_be_voided(fair: Fair) -> None:
    mine, _ = await first(fair)
    others, _ = await first(fair, Visit(subject="campaign:1", guild_id=GUILD, member_id=OTHER))
    await fair.database.write(lambda c: buttons.void_all(c, GUILD, WHO))
    with pytest.raises(Refused, match="stale_button"):
        await fair.confirmations.confirm(mine, WHO, NOW)
    assert (await fair.confirmations.confirm(others, OTHER, NOW)).act == "close"
