"""What happens on the tour: a day at a help desk, with the wire cut and the bot killed in it.

Nothing is canned. Each step waits, with a bound, for what the bot must do, and raises `Misbehaved`
when it doesn't.
"""

import asyncio
from collections.abc import Callable

from sandbox.entities import Channel, Message
from sandbox.people import Person
from sandbox.tour_reading import Reading, called
from sandbox.tour_screen import Screen
from sandbox.tour_town import Misbehaved, Town, has_button
from sandbox.truth import Exchange

_MESSAGES = "POST /channels/{channel_id}/messages"


class Story:
    """One telling. `asked` are the people who have a receipt.

    `due` is how many messages each of them, by id, is to get in their direct messages.
    """

    def __init__(self, town: Town, screen: Screen) -> None:
        self._town = town
        self._screen = screen
        self._reading = Reading(town.sandbox.world)
        self.asked: list[Person] = []
        self.due: dict[int, int] = {}

    async def tell(self) -> None:
        """From an empty guild to three members who have been reached."""
        ada, dan, emil = self._town.members
        await self._the_desk_is_set_up()
        await self._two_ask(ada, dan)
        winner = await self._two_race_for_one_claim(ada)
        await self._they_talk(ada, winner)
        await self._an_answer_is_lost(dan)
        await self._the_bot_is_killed(emil)

    async def _the_desk_is_set_up(self) -> None:
        town, screen = self._town, self._screen
        screen.chapter("1. The owner sets the desk up")
        await town.until("the bot's commands", lambda: bool(town.sandbox.world.commands))
        screen.does("Olga", "types /desk setup channel:#desk coordinators:@Coordinators")
        given = {"channel": town.desk, "coordinators": town.coordinators}
        shown = await town.answer(
            town.olga, asked := town.olga.command("desk setup", town.general, given)
        )
        await town.until("the button Confirm", lambda: has_button(asked.messages[-1], "Confirm"))
        await self._sees(town.olga, "#general", shown)
        screen.does("Olga", "presses [Confirm]")
        done = await town.answer(town.olga, town.olga.click(shown, "Confirm"))
        await self._sees(town.olga, "#general", done)

    async def _two_ask(self, ada: Person, dan: Person) -> None:
        town, screen = self._town, self._screen
        screen.chapter("2. Two members ask for help")
        await self._asks(ada, "My boat's engine won't start")
        screen.does("Dan", "types /help without a topic, and gets a form")
        form = dan.command("help", town.general)
        await form.first_answer()
        if form.modal is None:
            raise Misbehaved("Dan was shown no form for /help.")
        await self._shows(dan, "a form", self._reading.form(form.modal))
        screen.does("Dan", "fills it in and sends it")
        sent = dan.submit(form, topic="Somebody took my berth", details="Berth 14, since Monday.")
        await self._sees(dan, "#general", await town.answer(dan, sent))
        self._asked(dan)
        await self._sees(town.ben, "#desk", await self._card(dan))

    async def _two_race_for_one_claim(self, member: Person) -> Person:
        """The one of the two coordinators who has the claim."""
        town, screen = self._town, self._screen
        screen.chapter("3. Two coordinators press the same button")
        card = await self._card(member)
        screen.does("Ben", f"presses [Claim] on {called(member.user)}'s card")
        screen.does("Cleo", "presses it too, at the same moment")
        racers = (town.ben, town.cleo)
        acts = [each.click(card, "Claim") for each in racers]
        answers = await asyncio.gather(
            *(town.answer(who, act) for who, act in zip(racers, acts, strict=True))
        )
        told = [" ".join(self._reading.message(each)) for each in answers]
        for who, answer in zip(racers, answers, strict=True):
            await self._sees(who, "#desk", answer)
        losers = [at for at in (0, 1) if called(racers[1 - at].user) in told[at]]
        if len(losers) != 1:
            raise Misbehaved(f"Nobody can tell from the answers who has the claim: {told}.")
        await self._delivered(member, card)
        winner = racers[1 - losers[0]]
        await self._sees(winner, "#desk", card)
        return winner

    async def _they_talk(self, member: Person, coordinator: Person) -> None:
        town, screen = self._town, self._screen
        screen.chapter("4. They talk")
        thread = await town.until("a thread at the desk", town.thread)
        name, staff = called(member.user), called(coordinator.user)
        screen.does(name, "writes to the bot: It coughs twice and stops.")
        member.say("It coughs twice and stops.")
        await self._sees(
            coordinator, "the thread", await self._carried(coordinator, thread, "It coughs")
        )
        screen.does(staff, "writes in the thread: // could be the fuel")
        coordinator.say("// could be the fuel", thread)
        screen.does(staff, "writes in the thread: Is the fuel tap open?")
        asked = coordinator.say("Is the fuel tap open?", thread)
        await self._sees(
            member, "direct messages", await self._carried(member, member.dm, "fuel tap")
        )
        self.due[member.id] += 1
        screen.does(staff, "edits it: Is the fuel tap open? It is the red one.")
        coordinator.edit(asked, "Is the fuel tap open? It is the red one.")
        await self._sees(
            member, "direct messages", await self._carried(member, member.dm, "the red one")
        )
        screen.tell("What begins with // stayed at the desk.")
        await screen.reading(2)

    async def _carried(self, who: Person, channel: Channel, words: str) -> Message:
        """The bot's message with these words, once the person sees it there."""
        bot = self._town.sandbox.world.bot.id

        def seen() -> Message | None:
            found = (
                each
                for each in who.view(channel)
                if each.author_id == bot and words in each.content
            )
            return next(found, None)

        return await self._town.until(f"'{words}' for {called(who.user)}", seen)

    async def _an_answer_is_lost(self, member: Person) -> None:
        town, screen = self._town, self._screen
        screen.chapter("5. Discord takes a message, and its answer is lost")
        screen.tell(
            "The line goes bad: Discord will store the next message, but neither its answer nor "
            "the gateway's echo of it will reach the bot."
        )
        await screen.reading(3)
        lost = town.sandbox.faults.add(_MESSAGES, "close_after", when=self._unheard(member))
        card = await self._claims(town.cleo, member)
        await town.until("a message whose answer is lost", lost.reached.is_set)
        await self._delivered(member, card)

    async def _the_bot_is_killed(self, member: Person) -> None:
        town, screen = self._town, self._screen
        screen.chapter("6. The bot is killed in the middle of a delivery")
        gateway = town.sandbox.gateway
        await self._asks(member, "Where do I pay my fees?")
        held = town.sandbox.faults.add(_MESSAGES, "hold_after", when=self._unheard(member))
        card = await self._claims(town.ben, member)
        await town.until("the bot's message on its way", held.reached.is_set)
        await town.bot.kill()
        held.abandon()
        await town.until("the end of the bot's connection", lambda: not gateway.connected)
        screen.tell("SIGKILL: Discord has the message, and the bot died before it heard so.")
        before = town.wire(member)
        screen.wire(before)
        await screen.reading(3)
        screen.tell("The bot is started again. It knows only what its ledger says.")
        await town.bot.start()
        await town.until("the bot's coming back", lambda: gateway.connected)
        await self._delivered(member, card, known=len(before))
        await self._sees(town.ben, "#desk", card)

    # Steps that come again

    async def _asks(self, who: Person, topic: str) -> None:
        self._screen.does(called(who.user), f"types /help topic:{topic}")
        act = who.command("help", self._town.general, topic=topic)
        await self._sees(who, "#general", await self._town.answer(who, act))
        self._asked(who)

    def _asked(self, who: Person) -> None:
        """They have a receipt: a first message is due to them."""
        self.asked.append(who)
        self.due[who.id] = 1

    async def _claims(self, coordinator: Person, member: Person) -> Message:
        card = await self._card(member)
        name = called(member.user)
        self._screen.does(called(coordinator.user), f"presses [Claim] on {name}'s card")
        await self._town.answer(coordinator, coordinator.click(card, "Claim"))
        return card

    async def _card(self, member: Person) -> Message:
        """The card that names the member, once it is at the desk."""
        name = called(member.user)

        def named() -> Message | None:
            cards = (
                each
                for each in self._town.cards()
                if f"@{name}" in " ".join(self._reading.message(each))
            )
            return next(cards, None)

        return await self._town.until(f"a card at the desk for {name}", named)

    async def _delivered(self, member: Person, card: Message, *, known: int = 0) -> None:
        """The member has been written to, and the desk knows. `known` calls are told already."""
        name = called(member.user)
        await self._town.until(f"a message to {name}", lambda: self._town.from_bot(member))
        await self._town.until(
            f"the desk's knowing that {name} has it", lambda: has_button(card, "Resolve")
        )
        calls = self._town.wire(member)[known:]
        self._screen.wire(calls)
        await self._screen.reading(2 * len(calls))
        for message in member.view():
            await self._sees(member, "direct messages", message)

    def _unheard(self, member: Person) -> Callable[[Exchange], bool]:
        """Fits a request to the member's DM, and has the gateway lose the echo of just that one.

        Asked for sooner, the loss would fall on some other message that is on its way.
        """
        path = f"/{member.dm.id}/"

        def fits(exchange: Exchange) -> bool:
            if path not in exchange.path:
                return False
            self._town.sandbox.gateway.faults.lose("MESSAGE_CREATE")
            return True

        return fits

    async def _sees(self, who: Person, where: str, message: Message) -> None:
        place = f"{where}, for {called(who.user)} alone" if message.ephemeral else where
        await self._shows(who, place, self._reading.message(message))

    async def _shows(self, who: Person, where: str, lines: list[str]) -> None:
        self._screen.sees(called(who.user), where, lines)
        await self._screen.reading(len(lines))
