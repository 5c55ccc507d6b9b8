"""The labelled sample: the packages with the most labels here, all of them in ``python -m tests.causes.labels``."""

from __future__ import annotations

from collections import Counter

from escapelens.core.causes import CAUSES

from tests.causes.labels import compare, sample


def test_the_sample() -> None:
    labels = sample()
    assert len(labels) == len({(label.package, label.place, label.text) for label in labels}) == 300
    # No release of the sample says "size unknown" any more.
    assert {label.cause for label in labels} == set(CAUSES) - {"size-unknown"}


def test_the_product_agrees() -> None:
    packages = Counter(label.package for label in sample() if "." not in label.package.partition("/")[0])
    count, different = compare([name for name, _ in packages.most_common(7)])
    assert count > 90
    assert len(different) <= 0.05 * count, "\n".join(different)
