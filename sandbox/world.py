"""The one store: everything that is true in this Discord. REST answers and events both read it."""

from collections.abc import Callable, Iterable

from sandbox import payloads
from sandbox.blobs import Keep
from sandbox.entities import (
    Attachment,
    Channel,
    ChannelKind,
    Event,
    Guild,
    Json,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)
from sandbox.errors import refusal
from sandbox.intents import ALL_PRIVILEGED, Intent, application_flags
from sandbox.limits import Window
from sandbox.permissions import BOT, EVERYONE
from sandbox.snowflakes import Snowflakes

Listener = Callable[[Event], None]

UNKNOWN_KEPT = 1_000


class World:
    """People, guilds, channels and messages, with one application and its bot in them.

    `now` answers milliseconds UTC. `privileged` is the bits of the privileged intents that the
    application may ask for. Every change tells the listeners, in order, before it returns.
    """

    def __init__(
        self,
        now: Callable[[], int],
        *,
        nonce_window_ms: int = 60_000,
        privileged: int = ALL_PRIVILEGED,
        bot_name: str = "steward",
    ) -> None:
        self.now = now
        self.ids = Snowflakes(now)
        self.nonce_window_ms = nonce_window_ms
        self.privileged = privileged
        self.limited = False  # whether it has those by its own switch, as most bots do
        self.files_base = ""
        self.files_valid_ms = 86_400_000  # how long an attachment's address holds
        self.new_dms: Window | None = None  # a limit on DM channels that were not open before
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.attachments: dict[int, Attachment] = {}
        self.blobs = Keep()
        self.dms: dict[int, int] = {}  # person to the channel of the bot's DM with them
        self.nonces: dict[tuple[int, str], tuple[int, int]] = {}  # to the message and its time
        self.commands: dict[int, Json] = {}
        self.unknown: list[str] = []
        self.listeners: list[Listener] = []
        self.bot = self.add_user(bot_name, bot=True)
        self.owner = self.add_user("operator")

    # What is there

    @property
    def application_flags(self) -> int:
        return application_flags(self.privileged, limited=self.limited)

    def user(self, user_id: int) -> User:
        """Raises 10013 when there is no such person."""
        found = self.users.get(user_id)
        if found is None:
            raise refusal(10013)
        return found

    def guild(self, guild_id: int) -> Guild:
        """Raises 10004 when there is no such guild."""
        found = self.guilds.get(guild_id)
        if found is None:
            raise refusal(10004)
        return found

    def channel(self, channel_id: int) -> Channel:
        """Raises 10003 when there is no such channel, or no longer."""
        found = self.channels.get(channel_id)
        if found is None or found.deleted:
            raise refusal(10003)
        return found

    def message(self, channel: Channel, message_id: int) -> Message:
        """Raises 10008 when that channel has no such message, or no longer."""
        found = self.messages.get(message_id)
        if found is None or found.channel_id != channel.id or found.deleted:
            raise refusal(10008)
        return found

    def member(self, guild: Guild, user_id: int) -> Member:
        """Raises 10007 when that person isn't in the guild."""
        found = guild.members.get(user_id)
        if found is None:
            raise refusal(10007)
        return found

    def mutual_guilds(self, user_id: int) -> list[Guild]:
        """The guilds where the bot and this person both are."""
        both = {user_id, self.bot.id}
        return [guild for guild in self.guilds.values() if both <= guild.members.keys()]

    def note_unknown(self, what: str) -> None:
        """Write down, once each, what the sandbox was asked and doesn't have."""
        if what not in self.unknown and len(self.unknown) < UNKNOWN_KEPT:
            self.unknown.append(what)

    # Telling

    def emit(self, name: str, data: Json, intents: int = 0, *, blanked: Json | None = None) -> None:
        """Tell the gateway and whoever else listens."""
        event = Event(name=name, data=data, intents=intents, blanked=blanked)
        for listener in self.listeners:
            listener(event)

    # Making people and places

    def add_user(
        self,
        name: str,
        *,
        global_name: str | None = None,
        bot: bool = False,
        locale: str = "en-US",
        nitro: bool = False,
    ) -> User:
        made = User(id=self.ids.next(), name=name, bot=bot, locale=locale, nitro=nitro)
        made.global_name = global_name
        self.users[made.id] = made
        return made

    def add_guild(
        self,
        name: str,
        *,
        owner: User,
        locale: str = "en-US",
        bot_permissions: int = BOT,
        with_bot: bool = True,
    ) -> Guild:
        """A guild with its owner, @everyone, and, if asked for, the bot under a role of its own."""
        made = Guild(id=self.ids.next(), name=name, owner_id=owner.id, locale=locale)
        made.roles[made.id] = Role(
            id=made.id, guild_id=made.id, name="@everyone", permissions=EVERYONE, position=0
        )
        self.guilds[made.id] = made
        self.join(owner, made)
        if with_bot:
            self.add_bot(made, bot_permissions)
        return made

    def add_bot(self, guild: Guild, permissions: int = BOT) -> None:
        """Invite the bot: it joins under a managed role of its own with these permissions."""
        role = Role(
            id=self.ids.next(),
            guild_id=guild.id,
            name=self.bot.name,
            permissions=permissions,
            position=len(guild.roles),
            managed=True,
        )
        guild.roles[role.id] = role
        guild.members[self.bot.id] = Member(
            user_id=self.bot.id, guild_id=guild.id, joined_at=self.now(), roles=[role.id]
        )
        whole = payloads.whole_guild(self, guild)
        del whole["unavailable"]  # only a guild that comes back says so; a new one says nothing
        self.emit("GUILD_CREATE", whole, Intent.GUILDS)

    def remove_bot(self, guild: Guild) -> None:
        """The guild throws the bot out."""
        for role_id in guild.members.pop(self.bot.id).roles:
            guild.roles.pop(role_id, None)
        self.emit("GUILD_DELETE", {"id": str(guild.id)}, Intent.GUILDS)

    def bot_role(self, guild: Guild) -> Role:
        """The role that the bot came with."""
        return next(
            guild.roles[role_id]
            for role_id in guild.members[self.bot.id].roles
            if guild.roles[role_id].managed
        )

    def add_role(self, guild: Guild, name: str, *, permissions: int = 0) -> Role:
        made = Role(
            id=self.ids.next(),
            guild_id=guild.id,
            name=name,
            permissions=permissions,
            position=len(guild.roles),
        )
        guild.roles[made.id] = made
        self._tell_role("GUILD_ROLE_CREATE", made)
        return made

    def set_permissions(self, role: Role, permissions: int) -> None:
        role.permissions = permissions
        self._tell_role("GUILD_ROLE_UPDATE", role)

    def delete_role(self, guild: Guild, role_id: int) -> None:
        """Raises 10011 when there is no such role."""
        if guild.roles.pop(role_id, None) is None:
            raise refusal(10011)
        for member in guild.members.values():
            if role_id in member.roles:
                member.roles.remove(role_id)
        data = {"guild_id": str(guild.id), "role_id": str(role_id)}
        self._tell_guild(guild, "GUILD_ROLE_DELETE", data, Intent.GUILDS)

    def add_channel(
        self,
        guild: Guild,
        name: str,
        *,
        topic: str | None = None,
        overwrites: Iterable[Overwrite] = (),
        kind: ChannelKind = ChannelKind.TEXT,
        parent_id: int | None = None,
    ) -> Channel:
        """A text channel, or a category."""
        made = Channel(
            id=self.ids.next(),
            kind=kind,
            name=name,
            guild_id=guild.id,
            parent_id=parent_id,
            topic=topic,
            position=len(guild.channels),
            overwrites={overwrite.id: overwrite for overwrite in overwrites},
        )
        self.channels[made.id] = made
        guild.channels.add(made.id)
        self.tell_channel("CHANNEL_CREATE", made)
        return made

    def set_overwrite(
        self, channel: Channel, subject: Role | User, *, allow: int = 0, deny: int = 0
    ) -> None:
        """Replace what the channel allows and denies to a role or a person."""
        kind = 0 if isinstance(subject, Role) else 1
        channel.overwrites[subject.id] = Overwrite(id=subject.id, kind=kind, allow=allow, deny=deny)
        self.tell_channel("CHANNEL_UPDATE", channel)

    def dm(self, person: User) -> Channel:
        """The bot's DM channel with this person: the same one every time. No event tells of it."""
        known = self.dms.get(person.id)
        if known is not None:
            return self.channels[known]
        made = Channel(
            id=self.ids.next(), kind=ChannelKind.DM, name=person.name, recipient_id=person.id
        )
        self.channels[made.id] = made
        self.dms[person.id] = made.id
        return made

    # Members

    def join(self, person: User, guild: Guild, *, roles: Iterable[Role] = ()) -> Member:
        """The person becomes a member; a member stays as they are. Raises 10026 when banned."""
        known = guild.members.get(person.id)
        if known is not None:
            return known
        if person.id in guild.bans:
            raise refusal(10026)
        made = Member(
            user_id=person.id,
            guild_id=guild.id,
            joined_at=self.now(),
            roles=[role.id for role in roles],
        )
        guild.members[person.id] = made
        data = payloads.member(self, made) | {"guild_id": str(guild.id)}
        self._tell_guild(guild, "GUILD_MEMBER_ADD", data, Intent.GUILD_MEMBERS)
        return made

    def leave(self, person: User, guild: Guild) -> None:
        """The person is no longer a member. Raises 10007 when they weren't."""
        self.member(guild, person.id)
        del guild.members[person.id]
        for thread_id in guild.threads:
            thread = self.channels[thread_id].thread
            if thread is not None:
                thread.members.pop(person.id, None)
        data = {"guild_id": str(guild.id), "user": payloads.user(person)}
        self._tell_guild(guild, "GUILD_MEMBER_REMOVE", data, Intent.GUILD_MEMBERS)

    def ban(self, person: User, guild: Guild) -> None:
        guild.bans.add(person.id)
        data = {"guild_id": str(guild.id), "user": payloads.user(person)}
        self._tell_guild(guild, "GUILD_BAN_ADD", data, Intent.GUILD_MODERATION)
        if person.id in guild.members:
            self.leave(person, guild)

    def unban(self, person: User, guild: Guild) -> None:
        """Raises 10026 when that person isn't banned."""
        if person.id not in guild.bans:
            raise refusal(10026)
        guild.bans.remove(person.id)
        data = {"guild_id": str(guild.id), "user": payloads.user(person)}
        self._tell_guild(guild, "GUILD_BAN_REMOVE", data, Intent.GUILD_MODERATION)

    def give_role(self, member: Member, role: Role) -> None:
        if role.id not in member.roles:
            member.roles.append(role.id)
            self.tell_member(member)

    def take_role(self, member: Member, role: Role) -> None:
        if role.id in member.roles:
            member.roles.remove(role.id)
            self.tell_member(member)

    def tell_member(self, member: Member) -> None:
        """GUILD_MEMBER_UPDATE with the member as they are now; of itself a bot is always told."""
        guild = self.guilds[member.guild_id]
        data = payloads.member(self, member) | {"guild_id": str(guild.id)}
        intent = Intent(0) if member.user_id == self.bot.id else Intent.GUILD_MEMBERS
        self._tell_guild(guild, "GUILD_MEMBER_UPDATE", data, intent)

    def tell_channel(self, name: str, channel: Channel) -> None:
        """An event that is the channel itself, for the guilds where the bot is."""
        if channel.guild_id is not None:
            guild = self.guilds[channel.guild_id]
            self._tell_guild(guild, name, payloads.channel(self, channel), Intent.GUILDS)

    def _tell_role(self, name: str, role: Role) -> None:
        data = {"guild_id": str(role.guild_id), "role": payloads.role(role)}
        self._tell_guild(self.guilds[role.guild_id], name, data, Intent.GUILDS)

    def _tell_guild(self, guild: Guild, name: str, data: Json, intent: Intent) -> None:
        if self.bot.id in guild.members:
            self.emit(name, data, intent)
