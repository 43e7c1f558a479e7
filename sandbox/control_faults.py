"""Verbs that make things go wrong, and let them go on."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sandbox.control_setup import Verbs
from sandbox.entities import Json
from sandbox.faults import Fault
from sandbox.truth import Exchange

if TYPE_CHECKING:
    from sandbox.server import Sandbox

_FIELDS = ("times", "probability", "seed", "status", "code", "seconds", "everywhere", "via")


def _add(sandbox: "Sandbox", body: Json) -> Json:
    given = {key: body[key] for key in _FIELDS if key in body}
    if body.get("for_ever"):
        given["times"] = None
    when = _fitting(body["match"]) if body.get("match") else None
    return _told(sandbox.faults.add(body["route"], body["kind"], when=when, **given))


def _fitting(match: Mapping[str, Any]) -> Callable[[Exchange], bool]:
    """Requests whose path, nonce or fields of the body are as `match` says."""

    def fits(exchange: Exchange) -> bool:
        if "path" in match and exchange.path != match["path"]:
            return False
        if "nonce" in match and exchange.nonce != match["nonce"]:
            return False
        body = exchange.body if isinstance(exchange.body, dict) else {}
        return all(body.get(key) == value for key, value in match.get("body", {}).items())

    return fits


def _told(fault: Fault) -> Json:
    return {
        "fault": fault.number,
        "route": fault.route,
        "kind": fault.kind.value,
        "left": fault.times,
        "hits": fault.hits,
        "reached": fault.reached.is_set(),
    }


def _fault(sandbox: "Sandbox", body: Json) -> Fault:
    return sandbox.faults.get(int(body["fault"]))


async def _reached(sandbox: "Sandbox", body: Json) -> Json:
    """Waits until it strikes for the first time."""
    fault = _fault(sandbox, body)
    await fault.reached.wait()
    return _told(fault)


def _release(sandbox: "Sandbox", body: Json) -> Json:
    fault = _fault(sandbox, body)
    fault.release()
    return _told(fault)


def _abandon(sandbox: "Sandbox", body: Json) -> Json:
    fault = _fault(sandbox, body)
    fault.abandon()
    return _told(fault)


def _remove(sandbox: "Sandbox", body: Json) -> Json:
    fault = _fault(sandbox, body)
    sandbox.faults.remove(fault)
    return _told(fault)


def _clear(sandbox: "Sandbox", _: Json) -> Json:
    sandbox.faults.clear()
    sandbox.gateway.faults.clear()
    return {}


def _list(sandbox: "Sandbox", _: Json) -> Json:
    return {"faults": [_told(each) for each in sandbox.faults.armed()]}


def _gateway_fault(sandbox: "Sandbox", body: Json) -> Json:
    """`lose`, `repeat`, `drop_after` or `malform` the next `times` events of that name."""
    faults = sandbox.gateway.faults
    kinds = {
        "lose": faults.lose,
        "repeat": faults.repeat,
        "drop_after": faults.drop_after,
        "malform": faults.malform,
    }
    kinds[body["kind"]](body.get("event", "*"), times=int(body.get("times", 1)))
    return {}


def _drop(sandbox: "Sandbox", body: Json) -> Json:
    """Without a code the connections are cut; with one they are closed in order."""
    sandbox.gateway.drop(body.get("code"))
    return {}


def _reconnect(sandbox: "Sandbox", _: Json) -> Json:
    sandbox.gateway.reconnect()
    return {}


def _invalidate(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.gateway.invalidate(resumable=bool(body.get("resumable", False)))
    return {}


def _away(sandbox: "Sandbox", body: Json) -> Json:
    """The lines are cut, and who comes waits, or is refused, until `gateway_back`."""
    sandbox.gateway.away(refusing=bool(body.get("refusing", False)))
    return {}


def _back(sandbox: "Sandbox", body: Json) -> Json:
    sandbox.gateway.back(resumable=bool(body.get("resumable", True)))
    return {}


def _hold(sandbox: "Sandbox", _: Json) -> Json:
    sandbox.gateway.hold()
    return {}


def _let_go(sandbox: "Sandbox", _: Json) -> Json:
    sandbox.gateway.release()
    return {}


async def _connected(sandbox: "Sandbox", body: Json) -> Json:
    """Waits until that many sessions are connected."""
    await sandbox.gateway.until_connected(int(body.get("count", 1)))
    return {"connected": sandbox.gateway.connected}


FAULT_VERBS: Verbs = {
    "fault_add": _add,
    "fault_reached": _reached,
    "fault_release": _release,
    "fault_abandon": _abandon,
    "fault_remove": _remove,
    "faults": _list,
    "faults_clear": _clear,
    "gateway_fault": _gateway_fault,
    "gateway_drop": _drop,
    "gateway_reconnect": _reconnect,
    "gateway_invalidate": _invalidate,
    "gateway_away": _away,
    "gateway_back": _back,
    "gateway_hold": _hold,
    "gateway_release": _let_go,
    "gateway_connected": _connected,
}
