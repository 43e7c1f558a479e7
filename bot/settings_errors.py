"""What is wrong with the settings, in one line a setting, and never a secret in it."""

import re
from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

HIDDEN = "(hidden)"
LONGEST_SHOWN = 60

_LIKE_A_TOKEN = re.compile(r"[\w-]{20,}\.[\w-]{5,}\.[\w-]{20,}")
_PLAIN_NAME = re.compile(r"[\w-]+")

Origin = Callable[[tuple[str, ...]], str]
"""Where a section, or a section's key, was set: a file's name or a variable's."""


class SettingsError(Exception):
    """The settings can't be used. `lines` has one line for each thing to put right."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def explain(error: ValidationError, model: type[BaseModel], origin: Origin) -> tuple[str, ...]:
    """Say each problem once, in pydantic's order, as `key = value: what is allowed`.

    The model is two levels deep: sections, and keys in them.
    """
    lines = (_explain_one(detail, model, origin) for detail in error.errors(include_url=False))
    return tuple(dict.fromkeys(lines))


def _explain_one(detail: ErrorDetails, model: type[BaseModel], origin: Origin) -> str:
    section, *rest = (str(part) for part in detail["loc"])
    section_field = model.model_fields.get(section)
    if section_field is None:
        return (
            f"{_name(section)}: unknown section, known are {_listed(model)} ({origin((section,))})"
        )
    section_model = section_field.annotation
    assert isinstance(section_model, type), section
    assert issubclass(section_model, BaseModel), section
    if not rest:
        if detail["type"] == "value_error":
            return _reason(detail)
        return f"{section}: must be a section, [{section}]"
    key = rest[0]
    where = origin((section, key))
    field = section_model.model_fields.get(key)
    if field is None:
        # The value stays unsaid: it may be a token under a mistyped name.
        known = _listed(section_model)
        return f"{section}.{_name(key)}: unknown key, known are {known} ({where})"
    shown = _shown(detail["input"], field)
    return f"{section}.{key} = {shown}: must be {_allowed(field, detail)} ({where})"


def _name(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) else _cut(repr(name))


def _listed(model: type[BaseModel]) -> str:
    return ", ".join(model.model_fields)


def _reason(detail: ErrorDetails) -> str:
    return str(detail.get("ctx", {}).get("error", detail["msg"]))


def _kinds(field: FieldInfo) -> tuple[Any, ...]:
    """The types a field takes, without None."""
    annotation = field.annotation
    if get_origin(annotation) in {Union, UnionType}:
        return tuple(kind for kind in get_args(annotation) if kind is not NoneType)
    return (annotation,)


def _shown(value: object, field: FieldInfo) -> str:
    if SecretStr in _kinds(field):
        return HIDDEN
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return HIDDEN if _LIKE_A_TOKEN.search(text) else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def _allowed(field: FieldInfo, detail: ErrorDetails) -> str:
    kind = _kinds(field)[0]
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(get_args(kind))
    if kind is bool:
        return "true or false"
    if kind in {int, float}:
        return _number(kind, field)
    if detail["type"] == "value_error":
        return _reason(detail)
    return "the path of a file" if kind is Path else "text in quotes"


def _number(kind: type, field: FieldInfo) -> str:
    low = next(rule.ge for rule in field.metadata if isinstance(rule, Ge))
    high = next(rule.le for rule in field.metadata if isinstance(rule, Le))
    return f"a {'whole ' if kind is int else ''}number from {low} to {high}"
