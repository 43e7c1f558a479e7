"""Whether a person is in a server now, asked of Discord: a custom id alone proves nothing."""

import discord

from cogs.host import Host
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
