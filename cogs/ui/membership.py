"""Whether a person is in a server now, asked of Discord: a custom id alone proves nothing."""

import discord

from bot.services.access import Actor
from cogs.host import Host
from cogs.ui.reading import actor_of
from domain.errors import Refused


async def member_of(bot: Host, guild_id: int, member_id: int) -> discord.Member:
    """The person as a member of that server.

    Raises `Refused`: `still_starting`, `not_in_server`, `discord_silent`.
    """
    guild = bot.get_guild(guild_id)
    if guild is None:
        raise Refused("not_in_server" if bot.is_ready() else "still_starting")
    try:
        return await guild.fetch_member(member_id)
    except (discord.NotFound, discord.Forbidden) as error:
        raise Refused("not_in_server") from error
    except (discord.HTTPException, OSError) as error:
        raise Refused("discord_silent") from error


async def actor_in(bot: Host, interaction: discord.Interaction, guild_id: int) -> Actor:
    """Whoever presses, with their live roles there: asked of Discord where they press in a DM.

    Raises `Refused` as `actor_of` and `member_of` do.
    """
    if interaction.guild_id is not None:
        return actor_of(interaction)
    member = await member_of(bot, guild_id, interaction.user.id)
    return Actor(
        member_id=member.id,
        name=member.display_name,
        role_ids=frozenset(role.id for role in member.roles),
        manages_guild=member.guild_permissions.manage_guild,
    )
