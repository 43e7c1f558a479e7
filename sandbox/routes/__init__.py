"""The REST API, one subject a module."""

from sandbox.routes import (
    applications,
    channels,
    commands,
    guilds,
    interactions,
    messages,
    reactions,
    threads,
)
from sandbox.routes.registry import Route

ROUTES: tuple[Route, ...] = (
    *applications.ROUTES,
    *guilds.ROUTES,
    *channels.ROUTES,
    *messages.ROUTES,
    *reactions.ROUTES,
    *threads.ROUTES,
    *commands.ROUTES,
    *interactions.ROUTES,
)
