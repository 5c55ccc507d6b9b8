"""From the compiler's text to packed reports: what a worker process does."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from escapelens.core.join import Value, join
from escapelens.core.json_log import parse_json
from escapelens.core.merge import KeptFiles, Sources, merge, split_unknown, subtract
from escapelens.core.model import BuildError, Variant
from escapelens.core.packed import pack
from escapelens.core.text_log import Unknown, parse, split_line
from escapelens.engine.files import read_source
from escapelens.engine.jobs import PackageText, PackedReport, Reading
from escapelens.golang import build
from escapelens.golang.build import ListedPackage
from escapelens.golang.paths import PathResolver, from_uri, printed_folder


class Understanding:
    """Understands the texts of one package and its variants; the plain package comes first."""

    def __init__(self, reading: Reading, kept: KeptFiles | None = None) -> None:
        self._reading = reading
        self._sources = Sources(lambda path: reading.overlay.get(path) or read_source(path), kept)
        self._said: list[Value] = []

    def prepare(self, package: ListedPackage) -> None:
        """Parse a package's own sources while its compile has said nothing yet."""
        for path in package.files:
            self._sources.prepare(path)

    def compile(self, package: ListedPackage, lines: Iterable[str]) -> PackedReport:
        """The report of a compile of ours, understood while its lines come."""
        started = time.monotonic()
        resolve = PathResolver(Path(package.dir), None, self._reading.paths, self._goroot(package))
        values: list[Value] = []
        unparsed: list[str] = []
        for record in join(parse(lines, resolve, multiline=self._reading.multiline)):
            if isinstance(record, Unknown):
                unparsed.append(record.line)
            else:
                values.append(record)
                self._sources.expect(record)
        seconds = round(time.monotonic() - started, 3)
        return self._pack(package, None, values, unparsed, (), seconds)

    def text(self, item: PackageText) -> PackedReport:
        """The report of a text that the go command printed."""
        package = item.package
        variant = package.variant if package.variant != "other" else None
        lines = item.text.decode("utf-8", "surrogateescape").split("\n") if item.text else []
        resolve = self._resolver(package, lines)
        values, unparsed = split_unknown(join(parse(lines, resolve, multiline=self._reading.multiline)))
        facts, unknown = self._facts(package.base_path, variant)
        errors, late = self._errors(package)
        values = values + facts + late
        if variant is not None:
            values = subtract(values, self._said)
        self._said.extend(values)
        return self._pack(package, variant, values, unparsed + unknown, tuple(errors), item.seconds)

    def _pack(
        self,
        package: ListedPackage,
        variant: Variant | None,
        values: list[Value],
        unparsed: Sequence[str],
        errors: tuple[BuildError, ...],
        seconds: float,
    ) -> PackedReport:
        base = package.for_test or package.import_path if variant is None else package.base_path
        merged = merge(values, unparsed, self._sources, base, variant)
        files = pack(merged.messages, self._sources.text)
        return PackedReport(package, variant, tuple(files), merged.unparsed, errors, seconds)

    def _goroot(self, package: ListedPackage) -> Path | None:
        """GOROOT for Go's own packages, whose text may name the files of another installation."""
        goroot = Path(self._reading.goroot)
        own = (goroot / "src" / package.base_path.removesuffix("_test")).is_dir()
        return goroot if own and self._reading.goroot else None

    def _resolver(self, package: ListedPackage, lines: Sequence[str]) -> PathResolver:
        printed = printed_folder(lines, {Path(file).name for file in package.files})
        cwd = Path(self._reading.cwd)
        own = Path(package.dir) if package.dir and printed is not None else cwd
        return PathResolver(own, printed, self._reading.paths, self._goroot(package))

    def _facts(self, import_path: str, variant: Variant | None) -> tuple[list[Value], list[str]]:
        """The back end's facts of a package. With tests the plain package and its variant write into one folder:
        those of test files belong to the variant.
        """
        if self._reading.records is None:
            return [], []
        tests = variant == "test" if self._reading.tests and variant != "xtest" else None
        return parse_json(build.read_records(Path(self._reading.records), import_path, tests), from_uri)

    def _errors(self, package: ListedPackage) -> tuple[list[BuildError], list[Value]]:
        """A package's errors by line. A compile that failed late has its text mixed into them."""
        if package.error is None:
            return [], []
        errors: list[BuildError] = []
        values: list[Value] = []
        lines = [line for line in package.error.split("\n") if not line.startswith("# ")]
        # Errors are never cached: their paths are relative to this run's working directory.
        resolve = PathResolver(Path(self._reading.cwd), folders=self._reading.paths)
        for record in join(parse(lines, resolve, multiline=self._reading.multiline)):
            if not isinstance(record, Unknown):
                values.append(record)
            elif record.line.startswith(("\t", " ")) and errors:
                errors[-1] = replace(errors[-1], text=f"{errors[-1].text}\n{record.line}")
            else:
                parts = split_line(record.line)
                place = resolve(parts[0]) if parts else None
                errors.append(BuildError(record.line.strip(), place))
        return errors, values
