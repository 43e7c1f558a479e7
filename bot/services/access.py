"""Who may do what, from the roles a person holds at the moment of the act."""

from collections.abc import Iterable
from dataclasses import dataclass

from domain.errors import Refused
from storage.desks import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """A person at the moment of an act: live roles and whether they hold Manage Server."""

    member_id: int
    name: str
    role_ids: frozenset[int]
    manages_guild: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a writer is in a guild: live roles, and Manage Server or not (None: nobody knows)."""

    role_ids: frozenset[int]
    manages_guild: bool | None


def is_coordinator(desk: Desk, role_ids: Iterable[int]) -> bool:
    """Whether one of these live roles is the desk's coordinator role."""
    return desk.coordinator_role_id in set(role_ids)


def is_staff(desk: Desk, role_ids: Iterable[int]) -> bool:
    """Whether one of these live roles is the coordinators' or the organizers'."""
    held = set(role_ids)
    return is_coordinator(desk, held) or desk.organizer_role_id in held


def is_organizer(desk: Desk, actor: Actor) -> bool:
    """Whether the actor organizes: by role, or by Manage Server."""
    return actor.manages_guild or desk.organizer_role_id in actor.role_ids


def require_coordinator(desk: Desk, actor: Actor) -> None:
    """Raise `Refused("not_staff")` unless the actor is a coordinator or organizer now."""
    if not is_coordinator(desk, actor.role_ids) and not is_organizer(desk, actor):
        raise Refused("not_staff", role_id=desk.coordinator_role_id)


def is_reviewer(desk: Desk, actor: Actor) -> bool:
    """Whether the actor reviews: by role, or as an organizer."""
    return desk.reviewer_role_id in actor.role_ids or is_organizer(desk, actor)


def may_speak(desk: Desk, who: Standing, *, owns: bool) -> bool | None:
    """Whether what somebody writes in a request's thread is for the member.

    What a coordinator or organizer writes is, by their roles; of whoever only holds Manage Server,
    where the conversation is theirs. None: nobody knows.
    """
    if is_staff(desk, who.role_ids):
        return True
    return who.manages_guild if owns else False


def require_reviewer(desk: Desk, actor: Actor) -> None:
    """Raise `Refused` unless the actor is a reviewer or organizer now.

    `not_reviewer`, or `no_reviewer_role` where the desk names no role for reviewers.
    """
    if is_reviewer(desk, actor):
        return
    if desk.reviewer_role_id is None:
        raise Refused("no_reviewer_role")
    raise Refused("not_reviewer", role_id=desk.reviewer_role_id)


def require_organizer(desk: Desk, actor: Actor) -> None:
    """Raise `Refused("not_organizer")` unless the actor organizes now."""
    if not is_organizer(desk, actor):
        raise Refused("not_organizer")
