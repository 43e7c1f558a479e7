"""Threads that may be asleep: until it is woken, Discord lets hardly anything be done in one.

Archiving, locking and waking are idempotent: a call whose outcome is unknown is repeated.
"""

from bot.delivery.messenger import Messenger
from domain.delivery import Done, NotDone, Outcome


async def add_member(messenger: Messenger, thread_id: int, member_id: int) -> Outcome:
    """Make a person a member of the thread; one that is asleep is woken for it."""
    outcome = await messenger.add_to_thread(thread_id, member_id)
    if not _is_asleep(outcome):
        return outcome
    woken = await messenger.edit_thread(thread_id, archived=False)
    if not isinstance(woken, Done):
        return woken
    return await messenger.add_to_thread(thread_id, member_id)


async def delete_message(messenger: Messenger, channel_id: int, message_id: int) -> Outcome:
    """Delete a message; a thread that is asleep is woken for it, and then sleeps on."""
    outcome = await messenger.delete(channel_id, message_id)
    if not _is_asleep(outcome):
        return outcome
    woken = await messenger.edit_thread(channel_id, archived=False)
    if not isinstance(woken, Done):
        return woken
    outcome = await messenger.delete(channel_id, message_id)
    await messenger.edit_thread(channel_id, archived=True)
    return outcome


async def close(messenger: Messenger, thread_id: int) -> Outcome:
    """Archive and lock the thread: nobody writes there any more, and no member can wake it.

    One that is asleep can't be locked, and may or may not be locked already: it is woken first.
    """
    outcome = await messenger.edit_thread(thread_id, archived=True, locked=True)
    if not _is_asleep(outcome):
        return outcome
    woken = await messenger.edit_thread(thread_id, archived=False, locked=True)
    if not isinstance(woken, Done):
        return woken
    return await messenger.edit_thread(thread_id, archived=True, locked=True)


def _is_asleep(outcome: Outcome) -> bool:
    return isinstance(outcome, NotDone) and outcome.problem == "thread_archived"
