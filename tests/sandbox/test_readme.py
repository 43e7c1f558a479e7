"""The example of the sandbox's README runs as it stands, with a bot where its dots are."""

import ast
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import discord

from sandbox import Sandbox
from tests.sandbox.rig import Listener, connected


class More(discord.ui.Modal, title="More"):
    topic = discord.ui.Label(text="Topic", component=discord.ui.TextInput[Any](custom_id="t"))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Noted.", ephemeral=True)


class Buttons(discord.ui.View):
    @discord.ui.button(label="Tell more")
    async def more(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.send_modal(More())


async def attach(sandbox: Sandbox) -> Any:
    """A bot with the command that the example uses; closed by its `__aexit__`."""
    bot = Listener(discord.Intents.all())

    @bot.tree.command(description="Ask for help")
    async def help(interaction: discord.Interaction, topic: str) -> None:  # noqa: A001
        await interaction.response.send_message(f"{topic}?", view=Buttons(), ephemeral=True)

    running = connected(sandbox, client=bot)
    await running.__aenter__()
    await bot.tree.sync()
    return running


async def test_the_example_runs(project_root: Path) -> None:
    readme = (project_root / "sandbox/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    code, dots = re.subn(
        r"^    \.\.\..*$", "    bot = await attach(sandbox)", blocks[0], flags=re.MULTILINE
    )
    assert dots == 1
    code += "\n    await bot.__aexit__(None, None, None)\n"
    compiled = compile(code, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    running: Awaitable[None] = eval(compiled, {"attach": attach})
    await running
