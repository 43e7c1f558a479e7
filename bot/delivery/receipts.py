"""The second receipt: the gateway shows our own messages, with their nonces."""

import logging
from collections.abc import Callable

from bot.clock import Clock
from bot.delivery.first_messages import FirstMessages
from bot.delivery.parts import Parts
from bot.delivery.sender import Sender
from domain.delivery import Timing, outlived_nonce
from storage import campaign_cards, cards, deliveries, outbox
from storage.database import Connection, Database

log = logging.getLogger(__name__)


class Receipts:
    """What the gateway says of our own messages, put on disk."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        sender: Sender,
        first: FirstMessages,
        parts: Parts,
        timing: Timing,
        *missed: Callable[[], None],
    ) -> None:
        self._database = database
        self._missed = missed
        self._timing = timing
        self._clock = clock
        self._sender = sender
        self._first = first
        self._parts = parts

    def session_began(self) -> None:
        """A new gateway session: what happened before it was told to nobody."""
        for look_again in self._missed:
            look_again()

    async def echo(self, key: str, message_id: int, channel_id: int) -> None:
        """A message of ours with the nonce `key` exists. A key that is not ours changes nothing.

        A second message for one key, or one for a key that was given up, is kept for deletion.
        """
        now = self._clock.now()

        def settle(connection: Connection) -> bool:
            before = cards.extras_seen(connection)
            if deliveries.find(connection, key) is not None:
                self._first.arrived(connection, key, message_id, now)
            elif outbox.find(connection, key) is not None:
                self._parts.arrived(connection, key, message_id, now)
            elif outbox.is_retired(connection, key):
                cards.note_extra(connection, message_id, channel_id, key, now)
            return cards.extras_seen(connection) > before

        if await self._known(key, message_id):
            return
        self._sender.echoed(key, message_id)
        if await self._database.write(settle):
            log.warning(
                "extra_message",
                extra={"key": key, "sent_id": message_id, "channel": channel_id},
            )

    async def _known(self, key: str, message_id: int) -> bool:
        """Whether nothing is to do: it is on disk, the key is not ours, or history decides."""

        def known(connection: Connection) -> bool:
            delivery = deliveries.find(connection, key)
            if delivery is not None:
                return delivery.message_id == message_id or self._history_decides(
                    # Where only a person could say it, the echo says it.
                    delivery.status == "attempted" and delivery.person_at is None,
                    delivery.tries,
                    delivery.first_try_at,
                )
            part = outbox.find(connection, key)
            if part is None:
                return not outbox.is_retired(connection, key)
            return part.message_id == message_id or self._history_decides(
                part.state == "pending" and part.person_at is None,
                part.attempts,
                part.first_try_at,
            )

        return await self._database.read(known)

    def _history_decides(self, live: bool, tries: int, first_try_at: int | None) -> bool:
        """Whether a repeat may have outlived its nonce: the echo may be of a second message."""
        return (
            live
            and tries > 1
            and first_try_at is not None
            and outlived_nonce(first_try_at, self._clock.now(), self._timing)
        )

    async def deleted(self, message_id: int) -> bool:
        """A message is gone; True when it was a card, which is then posted again."""
        now = self._clock.now()

        def lost(connection: Connection) -> bool:
            card = cards.of_message(connection, message_id)
            if card is not None:
                cards.lost(connection, card, now)
            campaign_card = campaign_cards.of_message(connection, message_id)
            if campaign_card is not None:
                campaign_cards.lost(connection, campaign_card, now)
            return (card or campaign_card) is not None

        is_card = await self._database.read(
            lambda connection: (
                cards.of_message(connection, message_id) is not None
                or campaign_cards.of_message(connection, message_id) is not None
            )
        )
        return is_card and await self._database.write(lost)
