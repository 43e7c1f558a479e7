"""Attachments, fetched as browsers do: by an address that is signed and expires."""

from sandbox.blobs import Held
from sandbox.routes.registry import Call, Reply, Route

_GONE = b"This content is no longer available."


def fetch(call: Call) -> Reply:
    """The file, while a message shows it and its address hasn't expired; 404 otherwise."""
    found = call.world.attachments.get(call.id("attachment_id"))
    expires = call.query.get("ex", "0")
    try:
        late = int(expires, 16) <= call.world.now() // 1000
    except ValueError:
        late = True
    if found is None or late or not found.blob.there or call.query.get("hm") != f"{found.id:064x}":
        return Reply(404, blob=Held(_GONE), content_type="text/plain")
    return Reply(200, blob=found.blob, content_type=found.content_type.partition(";")[0])


ROUTES = (Route("GET", "/attachments/{channel_id}/{attachment_id}/{filename}", fetch, public=True),)
