"""How a try to open a request ends: its message is there, or certainly not.

Plain functions inside a transaction, for the worker, which finds out by itself, and for a person
who decides where Discord's history can't be read.
"""

from bot.services import listening
from bot.services.requests import RequestRules, apply
from domain.requests import (
    Claim,
    DeliveryFailed,
    DmOpened,
    NeedsReconcile,
    Opening,
    Queued,
    ReconciledAbsent,
    Request,
)
from storage import cards, conversations, deliveries, private_threads, requests
from storage.database import Connection
from storage.deliveries import Delivery


def waits_for(request: Request, key: str) -> bool:
    """Whether the request still waits for the try with this key."""
    state = request.state
    return isinstance(state, Opening | NeedsReconcile) and state.delivery_key == key


def is_opening(request: Request, key: str) -> bool:
    """Whether the request is `opening` under this key."""
    return isinstance(request.state, Opening) and request.state.delivery_key == key


def in_doubt(connection: Connection, request: Request, key: str, reason: str, now: int) -> Request:
    """Nobody knows how the try ended: an `opening` request needs reconciling."""
    if not is_opening(request, key):
        return request
    event = DeliveryFailed(delivery_key=key, definitive=False, reason=reason)
    return apply(connection, request, event, actor_id=None, now=now)


def arrived(
    connection: Connection,
    delivery: Delivery,
    message_id: int | None,
    *,
    actor_id: int | None,
    now: int,
) -> bool:
    """The message of a try under way is there: the conversation begins.

    False when the request no longer waits for it; then the message is one too many.
    """
    key = delivery.delivery_key
    deliveries.finish(connection, key, "sent", now, message_id=message_id)
    request = requests.load(connection, delivery.request_id)
    if not waits_for(request, key):
        return False
    assert delivery.channel_id is not None
    event = DmOpened(delivery_key=key, conversation_id=delivery.conversation_id)
    apply(connection, request, event, actor_id=actor_id, now=now)
    conversations.open_(
        connection,
        conversation_id=delivery.conversation_id,
        request=request,
        channel_id=delivery.channel_id,
        now=now,
    )
    private_threads.forget(connection, request.id)  # the conversation knows its channel
    listening.began(
        connection, delivery.conversation_id, request, delivery.channel_id, message_id, now
    )
    cards.want_thread(connection, request.id)
    return True


def absent(
    connection: Connection,
    delivery: Delivery,
    rules: RequestRules,
    *,
    actor_id: int | None,
    claim_again: bool,
    now: int,
) -> None:
    """There is no message of a try under way: the request waits again.

    With `claim_again`, and below the limit of tries, its owner's next try begins by itself.
    """
    key = delivery.delivery_key
    deliveries.finish(connection, key, "absent", now, problem=delivery.problem)
    request = requests.load(connection, delivery.request_id)
    if not waits_for(request, key):
        return
    request = in_doubt(connection, request, key, "attempt_absent", now)
    assert isinstance(request.state, NeedsReconcile)
    owner_id = request.state.owner_id
    request = apply(
        connection, request, ReconciledAbsent(delivery_key=key), actor_id=actor_id, now=now
    )
    assert isinstance(request.state, Queued)
    if claim_again and request.state.attempts < rules.max_attempts:
        again = Claim(owner_id=owner_id, lease_until=now + rules.claim_lease_ms)
        apply(connection, request, again, actor_id=None, now=now)
