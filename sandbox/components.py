"""Buttons, selects and forms: held to Discord's limits, and found again by what people see."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox.entities import Json
from sandbox.errors import NotSeen

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SELECTS = {3, 5, 6, 7, 8}
LABEL, FILE_UPLOAD = 18, 19
_NESTED = ("components", "accessory", "component")
_LINK, _PREMIUM = 5, 6

Problems = dict[str, tuple[str, str]]

_REQUIRED = ("BASE_TYPE_REQUIRED", "This field is required")


def flat(components: Sequence[Json]) -> Iterator[Json]:
    """Every component, containers before what is in them."""
    for each in components:
        yield each
        for key in _NESTED:
            inner = each.get(key)
            if isinstance(inner, Mapping):
                yield from flat([dict(inner)])
            elif inner:
                yield from flat(inner)


def interactive(components: Sequence[Json]) -> Iterator[Json]:
    """Those that a person can use."""
    return (each for each in flat(components) if each.get("custom_id") is not None)


def problems(components: Sequence[Json], *, v2: bool) -> Problems:
    """What Discord would refuse in a message's components."""
    found: Problems = {}
    if not v2:
        if len(components) > 5:
            found["components"] = ("BASE_TYPE_MAX_LENGTH", "Must be 5 or fewer in length.")
        for index, row in enumerate(components):
            if row.get("type") != ROW:
                words = f'Value of field "type" must be one of ({ROW},).'
                found[f"components__{index}"] = ("UNION_TYPE_CHOICES", words)
    seen: set[str] = set()
    for each in flat(components):
        found |= _row_problems(each) | _own_problems(each, seen)
    return found


def _row_problems(row: Json) -> Problems:
    if row.get("type") != ROW:
        return {}
    inside = row.get("components") or []
    selects = sum(1 for each in inside if each.get("type") in SELECTS)
    if not inside or len(inside) > (1 if selects else 5):
        return {"components": ("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")}
    return {}


def _own_problems(each: Json, seen: set[str]) -> Problems:
    found: Problems = {}
    kind, custom_id = each.get("type"), each.get("custom_id")
    if custom_id is not None:
        if custom_id in seen:
            found["components"] = (
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        seen.add(custom_id)
        if not 1 <= len(custom_id) <= 100:
            found["components"] = ("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    if kind == BUTTON:
        linked = each.get("style") in {_LINK, _PREMIUM}
        if linked == (custom_id is not None):
            found["components"] = _REQUIRED
        if len(each.get("label") or "") > 80:
            found["components"] = ("BASE_TYPE_MAX_LENGTH", "Must be 80 or fewer in length.")
    elif kind in SELECTS and custom_id is None:
        found["components"] = _REQUIRED
    if kind == STRING_SELECT and not 1 <= len(each.get("options") or []) <= 25:
        found["components"] = ("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.")
    return found


def modal_problems(modal: Mapping[str, Any]) -> Problems:
    """What Discord would refuse in a form."""
    found: Problems = {}
    if not 1 <= len(modal.get("title") or "") <= 45:
        found["data__title"] = ("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 45 in length.")
    if not 1 <= len(modal.get("custom_id") or "") <= 100:
        found["data__custom_id"] = ("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    fields = modal.get("components") or []
    if not 1 <= len(fields) <= 5:
        found["data__components"] = ("BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    seen: set[str] = set()
    for each in interactive(fields):
        label = each.get("label") or ""
        if len(label) > 45 or each["custom_id"] in seen:
            found["data__components"] = ("BASE_TYPE_MAX_LENGTH", "Must be 45 or fewer in length.")
        if each["type"] == TEXT_INPUT and len(each.get("value") or "") > each.get(
            "max_length", 4000
        ):
            found["data__components"] = ("BASE_TYPE_MAX_LENGTH", "The value is too long.")
        seen.add(each["custom_id"])
    return found


def normal(components: Sequence[Json]) -> list[Json]:
    """As Discord gives them back: each with an id of its own and its defaults filled in."""
    count = 0

    def numbered(each: Json) -> Json:
        nonlocal count
        count += 1
        made: Json = {key: value for key, value in each.items() if value is not None}
        made["id"] = each.get("id") or count
        if each.get("type") in SELECTS:
            made = {"min_values": 1, "max_values": 1} | made
        for key in _NESTED:
            inner = made.get(key)
            if isinstance(inner, Mapping):
                made[key] = numbered(dict(inner))
            elif inner:
                made[key] = [numbered(one) for one in inner]
        return made

    return [numbered(each) for each in components]


def find(components: Sequence[Json], *, label: str | None, custom_id: str | None) -> Json:
    """The one component that a person means, by label, placeholder or custom_id.

    Raises `NotSeen` when there is none, when several fit, or when it is greyed out.
    """
    usable = list(interactive(components))
    fitting = [
        each
        for each in usable
        if (custom_id is None or each["custom_id"] == custom_id)
        and (label is None or label in {each.get("label"), each.get("placeholder")})
    ]
    wanted = label if label is not None else custom_id
    if len(fitting) != 1:
        there = [
            each.get("label") or each.get("placeholder") or each["custom_id"] for each in usable
        ]
        raise NotSeen(f"{len(fitting)} components are called {wanted!r}; there are {there}")
    if fitting[0].get("disabled"):
        raise NotSeen(f"{wanted!r} is greyed out")
    return fitting[0]


def labels(components: Sequence[Json]) -> list[str]:
    """What the buttons and selects say, in order, greyed-out ones too."""
    return [
        each.get("label") or each.get("placeholder") or each.get("custom_id") or ""
        for each in flat(components)
        if each.get("type") == BUTTON or each.get("type") in SELECTS
    ]


def by_custom_id(modal: Mapping[str, Any], given: Mapping[str, Any]) -> Json:
    """What a person typed, its fields named by custom_id; a field's label stands for it too."""
    names: Json = {}
    for each in flat(modal["components"]):
        inner = each.get("component")
        if inner is not None and inner.get("custom_id") is not None:
            names[each["label"]] = inner["custom_id"]
        elif each.get("type") == TEXT_INPUT and each.get("label"):
            names[each["label"]] = each["custom_id"]
    return {names.get(name, name): value for name, value in given.items()}


def submitted(modal: Mapping[str, Any], values: Mapping[str, Any]) -> list[Json]:
    """The form as a person sends it back; fields they left alone keep what was filled in.

    Raises `NotSeen` for a field that the form doesn't have, and for words it would not take.
    """
    fields = {each["custom_id"]: each for each in interactive(modal["components"])}
    if unknown := set(values) - set(fields):
        raise NotSeen(f"the form has no {sorted(unknown)}; it has {sorted(fields)}")
    return [_filled(each, values) for each in modal["components"]]


def _filled(each: Json, values: Mapping[str, Any]) -> Json:
    made: Json = {"type": each["type"], "id": each.get("id", 1)}
    for key in _NESTED:
        inner = each.get(key)
        if isinstance(inner, Mapping):
            made[key] = _filled(dict(inner), values)
        elif inner:
            made[key] = [_filled(one, values) for one in inner]
    if "custom_id" in each:
        made["custom_id"] = each["custom_id"]
        made |= _answer(each, values.get(each["custom_id"]))
    return made


def _answer(each: Json, given: object) -> Json:
    if each["type"] != TEXT_INPUT:
        chosen = [] if given is None else [given] if isinstance(given, str | int) else list(given)  # type: ignore[call-overload]
        return {"values": [str(one) for one in chosen]}
    text = str(given) if given is not None else each.get("value") or ""
    if not text and each.get("required", True):
        raise NotSeen(f"{each['custom_id']} must be filled in")
    shortest, longest = each.get("min_length") or 0, each.get("max_length") or 4000
    if text and not shortest <= len(text) <= longest:
        raise NotSeen(f"{each['custom_id']} takes {shortest} to {longest} characters")
    return {"value": text}
