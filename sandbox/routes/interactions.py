"""Answers to interactions, and the follow-ups that their token allows."""

from sandbox import messages, payloads
from sandbox.acts import Callback, Interaction
from sandbox.entities import Json, Message, MessageFlag
from sandbox.errors import refusal
from sandbox.routes.registry import DONE, Call, Reply, Route, ok

_HOOK = "/webhooks/{webhook_id}/{webhook_token}"
_TRUE = ("true", "1", "True")


def callback(call: Call) -> Reply:
    """The first answer. Raises 10062 too late, 40060 the second time."""
    of = call.interactions.live(call.id("interaction_id"), call.params["interaction_token"])
    message = call.interactions.answer(of, call.fields, call.files)
    if call.query.get("with_response") not in _TRUE:
        return DONE
    return ok(_told(call, of, message))


def _told(call: Call, of: Interaction, message: Message | None) -> Json:
    kind = int(call.fields["type"])
    about: Json = {"id": str(of.id), "type": int(of.kind)}
    body: Json = {"interaction": about}
    if message is not None:
        about |= {
            "response_message_id": str(message.id),
            "response_message_loading": bool(message.flags & MessageFlag.LOADING),
            "response_message_ephemeral": message.ephemeral,
            "channel_id": str(of.channel_id),
        }
    if message is not None and kind in (Callback.MESSAGE, Callback.UPDATE):
        body["resource"] = {"type": kind, "message": payloads.message(call.world, message)}
    return body


def _followed(call: Call) -> Interaction:
    if call.id("webhook_id") != call.me:
        raise refusal(10015)
    return call.interactions.followed(call.params["webhook_token"])


def _which(call: Call) -> str:
    if "message_id" not in call.params:
        return "@original"
    return str(call.id("message_id"))


def execute(call: Call) -> Reply:
    made = call.interactions.follow_up(_followed(call), call.fields, call.files)
    if call.query.get("wait") not in _TRUE:
        return DONE
    return ok(payloads.message(call.world, made))


def get(call: Call) -> Reply:
    found = call.interactions.message(_followed(call), _which(call))
    return ok(payloads.message(call.world, found))


def edit(call: Call) -> Reply:
    made = call.interactions.edit(_followed(call), _which(call), call.fields, call.files)
    return ok(payloads.message(call.world, made))


def delete(call: Call) -> Reply:
    found = call.interactions.message(_followed(call), _which(call))
    messages.delete(call.world, found)
    return DONE


_CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"

ROUTES = (
    Route("POST", _CALLBACK, callback, public=True),
    Route("POST", _HOOK, execute, public=True),
    Route("GET", _HOOK + "/messages/@original", get, public=True),
    Route("PATCH", _HOOK + "/messages/@original", edit, public=True),
    Route("DELETE", _HOOK + "/messages/@original", delete, public=True),
    Route("GET", _HOOK + "/messages/{message_id}", get, public=True),
    Route("PATCH", _HOOK + "/messages/{message_id}", edit, public=True),
    Route("DELETE", _HOOK + "/messages/{message_id}", delete, public=True),
)
