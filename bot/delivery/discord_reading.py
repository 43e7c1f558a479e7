"""What a person wrote, taken from discord.py's objects; the one place that knows their shape."""

from collections.abc import Iterable
from datetime import datetime

import discord

from bot.delivery import discord_internals
from domain.written import Attachment, Forward, Written

_WRITTEN = (discord.MessageType.default, discord.MessageType.reply)


def written(message: discord.Message, *, sees_content: bool) -> Written | None:
    """The message as a person wrote it; None for what bots, webhooks and Discord itself say.

    An ephemeral answer of ours comes with no guild, as a DM does: it is nobody's message.
    `sees_content`: whether the message-content intent is ours; without it a guild's message that
    does not mention us comes without all that it says. History does not tell the guild, so a DM of
    files alone is called hidden too.
    """
    author = message.author
    if author.bot or message.webhook_id is not None or message.type not in _WRITTEN:
        return None
    if message.flags.ephemeral or author.system:
        return None
    reference = message.reference
    is_reply = message.type is discord.MessageType.reply and reference is not None
    return Written(
        message_id=message.id,
        channel_id=message.channel.id,
        guild_id=None if message.guild is None else message.guild.id,
        author_id=author.id,
        author_name=author.display_name,
        at=_ms(message.created_at),
        text=message.content,
        role_ids=(held := _roles(author)),
        manages_guild=None if held is None else manages_guild(message.guild, author.id, held),
        edited_at=None if message.edited_at is None else _ms(message.edited_at),
        reply_to=reference.message_id if is_reply and reference is not None else None,
        attachments=_attachments(message.attachments),
        stickers=tuple(sticker.name for sticker in message.stickers),
        forwards=tuple(
            Forward(
                text=snapshot.content,
                attachments=_attachments(snapshot.attachments),
                stickers=tuple(sticker.name for sticker in snapshot.stickers),
            )
            for snapshot in message.message_snapshots
        ),
        hidden=not sees_content and not message.content,
        marked=tuple(str(one.emoji) for one in message.reactions if one.me),
    )


def manages_guild(
    guild: discord.Guild | None, member_id: int, role_ids: Iterable[int]
) -> bool | None:
    """Whether who has these roles holds Manage Server; None while the guild is not known whole."""
    if guild is None or guild.get_role(guild.id) is None:
        return None
    if guild.owner_id == member_id:
        return True
    roles = (guild.get_role(role_id) for role_id in (guild.id, *role_ids))
    granted = (role.permissions for role in roles if role is not None)
    return any(each.administrator or each.manage_guild for each in granted)


def _roles(author: discord.User | discord.Member) -> frozenset[int] | None:
    """The author's live roles, which come with a guild's message; history does not tell them."""
    if not isinstance(author, discord.Member):
        return None
    return discord_internals.role_ids(author)


def _attachments(files: list[discord.Attachment]) -> tuple[Attachment, ...]:
    return tuple(
        Attachment(
            id=file.id,
            name=file.filename,
            size=file.size,
            content_type=file.content_type or "",
            url=file.url,
            spoiler=file.is_spoiler(),
            voice_seconds=round(file.duration or 0) if file.is_voice_message() else None,
        )
        for file in files
    )


def _ms(when: datetime) -> int:
    return round(when.timestamp() * 1000)
