"""Attachments, fetched as browsers do: by an address that is signed and expires."""

from sandbox.entities import Json
from sandbox.routes.registry import Call, Reply, Route

_GONE: Json = {"message": "This content is no longer available.", "code": 0}


def fetch(call: Call) -> Reply:
    """The file, while its message stands and its address hasn't expired; 404 otherwise."""
    found = call.world.attachments.get(call.id("attachment_id"))
    expires = call.query.get("ex", "0")
    try:
        late = int(expires, 16) <= call.world.now() // 1000
    except ValueError:
        late = True
    if found is None or late or call.query.get("hm") != f"{found.id:064x}":
        return Reply(404, _GONE)
    return Reply(200, data=found.data, content_type=found.content_type.partition(";")[0])


ROUTES = (Route("GET", "/attachments/{channel_id}/{attachment_id}/{filename}", fetch, public=True),)
