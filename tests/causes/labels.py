"""Three hundred messages, drawn at random, with the cause that a reader of the source gave them.

``sample.tsv``: package, place, kind, the compiler's words, label; drawn with a fixed seed, at most thirteen of each
cause first and the rest from all. ``python -m tests.causes.labels`` compares all of them with the product.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests.causes.corpus import library, module_folder, module_of, relative, reports

SAMPLE = Path(__file__).with_name("sample.tsv")
#: Sixty-four more, drawn and labelled after the product had been corrected by the first.
SECOND = Path(__file__).with_name("second.tsv")


@dataclass(frozen=True, slots=True)
class Label:
    """One message of the sample."""

    package: str
    place: str
    kind: str
    text: str
    cause: str


def sample(path: Path = SAMPLE) -> list[Label]:
    """The labelled messages of a file."""
    return [Label(*line.split("\t")) for line in path.read_text("utf-8").splitlines()]


def compare(packages: Collection[str] | None = None, path: Path = SAMPLE) -> tuple[int, list[str]]:
    """How many labels were compared, and a line for each that the product contradicts or does not have."""
    wanted: dict[str | None, dict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for label in sample(path):
        if packages is None or label.package in packages:
            wanted[module_of(label.package)][label.package].append(label)
    count, different = 0, []
    for module, by_package in wanted.items():
        folder = module_folder(module) if module is not None else library()
        found: dict[tuple[str, str, str, str], set[str | None]] = defaultdict(set)
        for report in reports(folder, sorted(by_package)):
            for message in report.messages:
                place = message.place
                if place.file is not None:
                    key = (report.import_path, f"{relative(place.file)}:{place.line}:{place.column}")
                    found[key[0], key[1], message.kind, message.text].add(message.cause)
        for label in (label for labels in by_package.values() for label in labels):
            count += 1
            causes = found.get((label.package, label.place, label.kind, label.text), {"nothing there"})
            if label.cause not in causes:
                said = ", ".join(sorted(map(str, causes)))
                different.append(f"{label.place} {label.text[:60]}: {label.cause}, the product says {said}")
    return count, different


def main() -> None:
    """Compare everything."""
    for path in (SAMPLE, SECOND):
        count, different = compare(path=path)
        print("\n".join(different))
        print(f"{path.name}: {count - len(different)} of {count} agree ({(count - len(different)) / count:.1%})")


if __name__ == "__main__":
    main()
