"""Translations of carried messages: asked for by a coordinator, and what came of it.

The provider is called between `request` and `ready` or `failed`, outside any transaction.
"""

import hashlib
from dataclasses import dataclass

from bot.services.access import Actor, require_coordinator
from domain.errors import Refused
from storage import desks, relayed, translations
from storage.database import Connection, Database
from storage.translations import Translation

LOST_MS = 30_000
"""After so long nobody works at a request any more: whoever did has crashed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A translation as it stands, and the text and locale it is of.

    `calls`: whoever asked now calls the provider and writes down what came of it; else it is ready,
    or somebody else is at it.
    """

    translation: Translation
    text: str
    locale: str | None
    calls: bool


class Translations:
    """Use cases over one ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def request(
        self,
        guild_id: int,
        message_id: int,
        actor: Actor,
        target: str,
        now: int,
        *,
        offered: bool,
    ) -> Asked:
        """A coordinator wants a carried message in the language `target`.

        The message is named by its own id or by a copy's. A ready translation of its present
        wording is answered at once; a failed one, one of another wording and one that was lost in
        a crash are asked for anew. `offered` says whether anybody translates here.
        Raises `Refused`: `desk_not_ready`, `not_staff`, `not_relayed`, `nothing_to_translate`,
        `translation_not_offered`.
        """

        def run(connection: Connection) -> Asked:
            require_coordinator(desks.load(connection, guild_id), actor)
            source = relayed.source_of(connection, guild_id, message_id)
            if source is None:
                raise Refused("not_relayed")
            if not source.text.strip():
                raise Refused("nothing_to_translate")
            digest = hashlib.sha256(source.text.encode()).hexdigest()
            known = translations.find(connection, source.original_id, target)
            calls = known is None or _is_over(known, digest, now)
            if calls and not offered:
                raise Refused("translation_not_offered")
            if known is None or calls:
                known = translations.ask(
                    connection, source.original_id, target, source_digest=digest, now=now
                )
            return Asked(translation=known, text=source.text, locale=source.locale, calls=calls)

        return await self._database.write(run)

    async def ready(
        self, asked: Translation, text: str, source_locale: str | None, now: int
    ) -> bool:
        """The provider translated; False where a newer try, an edit or an erasure came first."""
        return await self._database.write(
            lambda connection: translations.ready(connection, asked, text, source_locale, now)
        )

    async def failed(self, asked: Translation, code: str, now: int) -> bool:
        """The provider did not, and `code` says why; False as above."""
        return await self._database.write(
            lambda connection: translations.failed(connection, asked, code, now)
        )

    async def find(self, asked: Translation) -> Translation | None:
        """The translation as it stands now; None once its message was changed or erased."""
        return await self._database.read(
            lambda connection: translations.find(connection, asked.original_id, asked.target_locale)
        )


def _is_over(known: Translation, digest: str, now: int) -> bool:
    """Whether this one is of no more use. A clock that was set back makes nothing wait."""
    if known.status == "failed" or known.source_digest != digest:
        return True
    return known.status == "requested" and not 0 <= now - known.requested_at <= LOST_MS
