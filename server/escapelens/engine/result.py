"""The result of a run: reports, unpacked where they are needed, with the texts that they speak of."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from escapelens.core.model import VARIANTS, Message, PackageReport, Status
from escapelens.core.packed import PackedText, text_of, unpack
from escapelens.engine.jobs import PackedReport
from escapelens.golang.toolchain import Toolchain

_NO_FILES = re.compile(r"build constraints exclude all Go files|no (?:non-test )?Go files in")


@dataclass(frozen=True, slots=True)
class AnalysedFile:
    """The messages of one file, the text that they speak of, and what tells two results of a file apart."""

    messages: tuple[Message, ...]
    text: PackedText
    identity: bytes


@dataclass(frozen=True, slots=True)
class Analysed:
    """One package's report, and its messages file by file; those without a place are in the report only."""

    report: PackageReport
    files: Mapping[str, AnalysedFile] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run: the toolchain, the packages in the order of the listing, and what the go command said
    beside the compilers' text. ``repeat`` is a command line that prints the same text.
    """

    toolchain: Toolchain
    packages: tuple[Analysed, ...]
    said: str = ""
    repeat: str = ""

    @property
    def reports(self) -> tuple[PackageReport, ...]:
        """The reports alone."""
        return tuple(package.report for package in self.packages)


async def unpacked(packed: PackedReport, *, tests: bool, before: Analysed | None = None) -> Analysed:
    """Unpack a report, file by file: the event loop goes on in between.

    ``tests`` counts test files among the package's own. Files that are what they were ``before`` are the same
    values again. Raises ValueError for bytes that are no report.
    """
    package = packed.package
    messages: list[Message] = []
    files: dict[str, AnalysedFile] = {}
    known = before.files if before is not None else {}
    try:
        for file in packed.files:
            old = known.get(file.path) if file.path is not None else None
            if old is not None and old.identity == file.identity:
                found = old
            else:
                found = AnalysedFile(unpack(file), text_of(file), file.identity)
                await asyncio.sleep(0)
            messages.extend(found.messages)
            if file.path is not None:
                files[file.path] = found
    except zlib.error as error:
        raise ValueError(str(error)) from error
    report = PackageReport(
        import_path=package.base_path,
        dir=package.dir,
        variant=packed.variant,
        status=_status(packed),
        error="\n".join(error.text for error in packed.errors) or None,
        errors=packed.errors,
        seconds=packed.seconds,
        messages=tuple(messages),
        unparsed=packed.unparsed,
        files=package.files + (package.test_files if tests else ()),
    )
    return Analysed(report, files)


def _status(packed: PackedReport) -> Status:
    if not packed.errors:
        return "ok"
    text = packed.package.error or ""
    return "skipped" if _NO_FILES.search(text) and len(packed.errors) == 1 else "failed"


def in_order(packages: Iterable[Analysed], names: Iterable[str]) -> tuple[Analysed, ...]:
    """Packages in the order in which the go command lists them, each variant after its plain package."""
    rank = {name: number for number, name in enumerate(names)}

    def key(package: Analysed) -> tuple[int, int]:
        name = package.report.import_path
        base = name.removesuffix("_test") if package.report.variant == "xtest" else name
        return rank.get(base, len(rank)), VARIANTS.index(package.report.variant)

    return tuple(sorted(packages, key=key))
