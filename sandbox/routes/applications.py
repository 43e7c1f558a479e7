"""The gateway's address, the application, its bot, and people by id."""

from sandbox import access, payloads
from sandbox.entities import Json
from sandbox.routes.registry import Call, Reply, Route, ok


def get_gateway(call: Call) -> Reply:
    return ok({"url": call.gateway_url})


def get_bot_gateway(call: Call) -> Reply:
    limit = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1}
    return ok({"url": call.gateway_url, "shards": 1, "session_start_limit": limit})


def get_my_user(call: Call) -> Reply:
    private: Json = {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}
    return ok(payloads.user(call.world.bot) | private)


def get_user(call: Call) -> Reply:
    return ok(payloads.user(call.world.user(call.id("user_id"))))


def get_my_guilds(call: Call) -> Reply:
    limit = call.number("limit", 200, least=1, most=200)
    after, before = call.query_id("after") or 0, call.query_id("before")
    mine = [
        each
        for each in call.world.guilds.values()
        if call.me in each.members and each.id > after and (before is None or each.id < before)
    ]
    found: list[Json] = [
        {
            "id": str(each.id),
            "name": each.name,
            "icon": None,
            "banner": None,
            "owner": each.owner_id == call.me,
            "permissions": str(access.of_member(each, call.me)),
            "features": [],
        }
        for each in sorted(mine, key=lambda each: each.id)[:limit]
    ]
    return ok(found)


def get_my_application(call: Call) -> Reply:
    flags = call.world.application_flags
    body: Json = {
        "id": str(call.me),
        "name": call.world.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "verify_key": "0" * 64,
        "flags": flags,
        "flags_new": str(flags),
        "bot": payloads.user(call.world.bot),
        "bot_public": False,
        "bot_require_code_grant": False,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": payloads.user(call.world.owner),
        "approximate_guild_count": len(call.world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }
    return ok(body)


ROUTES = (
    Route("GET", "/gateway", get_gateway, public=True),
    Route("GET", "/gateway/bot", get_bot_gateway),
    Route("GET", "/users/@me", get_my_user),
    Route("GET", "/users/@me/guilds", get_my_guilds),
    Route("GET", "/users/{user_id}", get_user),
    Route("GET", "/applications/@me", get_my_application),
    Route("GET", "/oauth2/applications/@me", get_my_application),
)
