"""Members nominate by command, form and card, are named or not, and withdraw."""

from itertools import count
from typing import Any

import pytest

from bot.app import StewardBot
from bot.services.access import Actor
from bot.services.campaigns import NewCampaign
from domain.campaigns import Campaign
from domain.entries import Entry
from storage import entries
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids, labels, press, shown, submit, suggest

HOUR = 3_600_000
_INTERACTIONS = count(1)
WORK = {"title": "A red kite", "url": "https://kites.example/red", "why": "It flies"}


async def open_campaign(scene: Scene, name: str = "Kites", **changes: Any) -> Campaign:
    """An organizer opens a campaign."""
    terms: dict[str, Any] = {
        "interaction_id": next(_INTERACTIONS),
        "guild_id": scene.guild.id,
        "channel_id": scene.general.id,
        "name": name,
        "text": "",
        "capacity": 10,
        "closes_at": scene.clock.now() + HOUR,
    }
    new = NewCampaign(**terms | changes)
    return await scene.bot.services.campaigns.create(new, organizer(scene), scene.clock.now())


def organizer(scene: Scene) -> Actor:
    return Actor(member_id=scene.owner.id, name="Olga", role_ids=frozenset(), manages_guild=True)


async def all_entries(scene: Scene, who: Any) -> tuple[Entry, ...]:
    """What somebody has entered, in every guild, newest first."""
    return await scene.database.read(
        lambda connection: entries.all_of_author(connection, who.id, guild_id=None, limit=100)
    )


async def entry_of(scene: Scene, who: Any) -> Entry:
    """The one entry that somebody has."""
    (entry,) = await all_entries(scene, who)
    return entry


async def nominate(scene: Scene, who: Any, campaign: Campaign, **changes: str) -> Any:
    """Send the form in."""
    return await submit(scene, who, f"nominate:{campaign.id}", WORK | changes)


@pytest.fixture
async def campaign(scene: Scene) -> Campaign:
    """The one open campaign."""
    await scene.set_up()
    return await open_campaign(scene)


async def test_a_member_nominates_by_the_form_and_gets_a_receipt(
    scene: Scene, campaign: Campaign
) -> None:
    form = await scene.ada.slash(scene.general, "nominate")
    assert form.modal is not None
    assert [row["component"]["custom_id"] for row in form.modal["components"]] == [
        "title",
        "url",
        "why",
    ]
    result = await scene.ada.submit_modal(form, WORK)
    entry = await entry_of(scene, scene.ada)
    assert result.ephemeral
    assert "You have a place in Kites" in shown(result)
    assert entry.reference in shown(result)
    assert "kites.example" in shown(result)
    assert (entry.title, entry.url, entry.why) == tuple(WORK.values())
    assert (entry.campaign_id, entry.author_id, entry.named) == (campaign.id, scene.ada.id, False)


async def test_the_cards_button_shows_the_form_and_so_does_a_name_that_is_typed(
    scene: Scene, campaign: Campaign
) -> None:
    other = await open_campaign(scene, "Paper boats")
    for way, wanted in (
        (await press(scene, scene.ada, f"nominate:{campaign.id}"), campaign),
        (await scene.ada.slash(scene.general, "nominate", campaign="paper-boats"), other),
        (await scene.ada.slash(scene.general, "nominate", campaign="Paper Boats"), other),
    ):
        assert way.modal is not None
        assert way.modal["custom_id"] == f"nominate:{wanted.id}"


async def test_a_form_that_was_open_during_a_restart_still_nominates(
    scene: Scene, campaign: Campaign
) -> None:
    form = await scene.ada.slash(scene.general, "nominate")
    await scene.env.restart_bot(StewardBot(scene.bot.services, scene.clock))
    await scene.ada.submit_modal(form, WORK)
    assert (await entry_of(scene, scene.ada)).title == WORK["title"]


async def test_the_same_submit_delivered_five_times_is_one_entry_and_one_promise(
    scene: Scene, campaign: Campaign
) -> None:
    await submit(scene, scene.ada, f"nominate:{campaign.id}", WORK, times=5)
    await entry_of(scene, scene.ada)
    (now,) = await scene.bot.services.campaigns.live(scene.guild.id)
    assert now.accepted_count == 1


async def test_who_is_in_already_sees_where_their_entry_stands(
    scene: Scene, campaign: Campaign
) -> None:
    await nominate(scene, scene.ada, campaign)
    entry = await entry_of(scene, scene.ada)
    for result in (
        await scene.ada.slash(scene.general, "nominate"),
        await scene.ada.slash(scene.general, "nominate", campaign=campaign.slug),
        await press(scene, scene.ada, f"nominate:{campaign.id}"),
    ):
        assert result.modal is None
        assert entry.reference in shown(result)
        assert "Waiting for a reviewer" in shown(result)
        assert result.ephemeral


async def test_an_entry_in_a_campaign_that_takes_no_more_is_still_shown(
    scene: Scene, campaign: Campaign
) -> None:
    await nominate(scene, scene.ada, campaign)
    await scene.bot.services.campaigns.drain(
        scene.guild.id, campaign.id, organizer(scene), scene.clock.now()
    )
    entry = await entry_of(scene, scene.ada)
    assert entry.reference in shown(await scene.ada.slash(scene.general, "nominate"))
    assert "No campaign" not in shown(await scene.ada.slash(scene.general, "nominate"))
    assert "No campaign is open" in shown(await scene.ben.slash(scene.general, "nominate"))


async def test_with_several_open_one_is_chosen(scene: Scene, campaign: Campaign) -> None:
    other = await open_campaign(scene, "Paper boats")
    result = await scene.ada.slash(scene.general, "nominate")
    assert "For which campaign?" in shown(result)
    (row,) = result.response.components
    (select,) = row["components"]
    assert [option["value"] for option in select["options"]] == [str(campaign.id), str(other.id)]
    form = await press(
        scene,
        scene.ada,
        "which-campaign",
        data={"custom_id": "which-campaign", "component_type": 3, "values": [str(other.id)]},
    )
    assert form.modal is not None
    assert form.modal["custom_id"] == f"nominate:{other.id}"


async def test_the_form_is_not_shown_for_what_would_be_refused(scene: Scene) -> None:
    await scene.set_up()
    nothing = await scene.ada.slash(scene.general, "nominate")
    full = await open_campaign(scene, capacity=1)
    await nominate(scene, scene.ben, full)
    for result, words in (
        (nothing, "No campaign is open"),
        (await press(scene, scene.ada, f"nominate:{full.id}"), "Every place in Kites is taken"),
        (await press(scene, scene.ada, "nominate:999"), "no such campaign"),
        (await press(scene, scene.ada, "nominate:x"), "button"),
        (await scene.ada.slash(scene.general, "nominate", campaign="no-such"), "no such campaign"),
    ):
        assert result.modal is None
        assert words in shown(result)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"url": "javascript:alert(1)"}, "no link that can be shown"),
        ({"url": "https://me:secret@kites.example"}, "no link that can be shown"),
        ({"title": "\u200b"}, "no readable text"),
    ],
)
async def test_a_refused_form_gives_back_what_was_typed(
    scene: Scene, campaign: Campaign, changes: dict[str, str], words: str
) -> None:
    result = await nominate(scene, scene.ada, campaign, **changes)
    assert words in shown(result)
    assert WORK["why"] in shown(result)
    assert await all_entries(scene, scene.ada) == ()


async def test_the_deadline_passes_while_the_form_is_open(scene: Scene, campaign: Campaign) -> None:
    form = await scene.ada.slash(scene.general, "nominate")
    scene.clock.advance(HOUR)
    result = await scene.ada.submit_modal(form, WORK)
    assert "ended" in shown(result)
    assert WORK["why"] in shown(result)
    assert await all_entries(scene, scene.ada) == ()


async def test_another_servers_campaigns_and_entries_are_out_of_reach(
    scene: Scene, campaign: Campaign
) -> None:
    await nominate(scene, scene.ada, campaign)
    entry = await entry_of(scene, scene.ada)
    elsewhere = scene.env.create_guild(name="Elsewhere")
    elsewhere.add_member(scene.env.create_user("eve"))
    there = {"guild_id": str(elsewhere.id)}
    for result in (
        await press(scene, scene.ada, f"nominate:{campaign.id}", **there),
        await submit(scene, scene.ada, f"nominate:{campaign.id}", WORK, **there),
        await press(scene, scene.ada, f"withdraw-mine:{campaign.id}", **there),
        await press(scene, scene.ada, f"withdraw-entry:{entry.id}", **there),
        await press(scene, scene.ada, f"name-me:{entry.id}:1", **there),
    ):
        assert "There is no such" in shown(result)
        assert campaign.name not in shown(result)
    assert await entry_of(scene, scene.ada) == entry


async def test_nominating_works_in_a_server_only(scene: Scene, campaign: Campaign) -> None:
    for result in (
        await press(scene, scene.ada, f"nominate:{campaign.id}", in_dm=True),
        await submit(scene, scene.ada, f"nominate:{campaign.id}", WORK, in_dm=True),
    ):
        assert "works in a server" in shown(result)
    assert await all_entries(scene, scene.ada) == ()


async def test_an_author_withdraws_by_the_card_the_receipt_or_the_command(
    scene: Scene, campaign: Campaign
) -> None:
    for who, how in ((scene.ada, "card"), (scene.ben, "receipt"), (scene.cleo, "command")):
        await nominate(scene, who, campaign)
        entry = await entry_of(scene, who)
        for _ in range(2):
            if how == "card":
                result = await press(scene, who, f"withdraw-mine:{campaign.id}")
            elif how == "receipt":
                result = await press(scene, who, f"withdraw-entry:{entry.id}")
            else:
                result = await who.slash(scene.general, "withdraw", entry=entry.reference.lower())
            assert f"{entry.reference} is withdrawn" in shown(result)
        assert (await entry_of(scene, who)).state_name == "withdrawn"


async def test_nobody_withdraws_what_is_somebody_elses_or_nothing(
    scene: Scene, campaign: Campaign
) -> None:
    await nominate(scene, scene.ada, campaign)
    entry = await entry_of(scene, scene.ada)
    for result, words in (
        (await press(scene, scene.ben, f"withdraw-mine:{campaign.id}"), "You have no entry"),
        (await press(scene, scene.ben, f"withdraw-entry:{entry.id}"), "isn't yours"),
        (await scene.ben.slash(scene.general, "withdraw", entry=entry.reference), "isn't yours"),
        (await scene.ben.slash(scene.general, "withdraw", entry="E00000"), "no such entry"),
    ):
        assert words in shown(result)
    assert await entry_of(scene, scene.ada) == entry


async def test_an_author_is_named_or_not_as_they_say(scene: Scene, campaign: Campaign) -> None:
    receipt = await nominate(scene, scene.ada, campaign)
    entry = await entry_of(scene, scene.ada)
    assert "Show my name" in labels(receipt)
    assert f"name-me:{entry.id}:1" in custom_ids(receipt)
    result = await scene.ada.click(receipt.response, label="Show my name")
    assert (await entry_of(scene, scene.ada)).named
    assert "Your name is shown with it" in shown(result)
    result = await scene.ada.click(result.response, label="Don't show my name")
    assert not (await entry_of(scene, scene.ada)).named
    assert "not shown" in shown(result)
    for who, forged in ((scene.ben, "1"), (scene.ada, "2"), (scene.ada, "")):
        await press(scene, who, f"name-me:{entry.id}:{forged}")
    assert not (await entry_of(scene, scene.ada)).named


def typing(command: str, option: str, value: str = "") -> dict[str, Any]:
    """What a client sends while an option is typed."""
    return {
        "name": command,
        "options": [{"name": option, "type": 3, "value": value, "focused": True}],
    }


async def choices(scene: Scene, who: Any, command: str, option: str, value: str = "") -> list[str]:
    result = await suggest(scene, who, typing(command, option, value))
    return [choice["value"] for choice in result.autocomplete_choices or []]


async def test_only_ones_own_unfinished_entries_are_suggested(
    scene: Scene, campaign: Campaign
) -> None:
    many = [await open_campaign(scene, f"Number {number}") for number in range(26)]
    for number, one in enumerate(many):
        await nominate(scene, scene.ada, one, title=f"Work {number}")
    await nominate(scene, scene.ben, campaign)
    await press(scene, scene.ada, f"withdraw-mine:{many[-1].id}")
    own = await all_entries(scene, scene.ada)
    assert await choices(scene, scene.ada, "withdraw", "entry") == [
        entry.reference for entry in own[1:]
    ]
    assert await choices(scene, scene.ada, "withdraw", "entry", "work 0") == [own[-1].reference]
    assert len(await choices(scene, scene.ada, "nominate", "campaign")) == 25
    assert await choices(scene, scene.ada, "nominate", "campaign", "kite") == ["kites"]


async def test_titles_forge_nothing(scene: Scene, campaign: Campaign) -> None:
    result = await nominate(scene, scene.ada, campaign, title="@everyone <@1> # [x](https://y.z)")
    for forged in ("@everyone ", "<@1>", "](https://y.z)"):
        assert forged not in shown(result).replace("\\@", "")
