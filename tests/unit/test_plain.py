"""Plain text for clients without markdown; what CommonMark says of each mark."""

from __future__ import annotations

import pytest
from escapelens.core.plain import plain


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**moved to heap: u**", "moved to heap: u"),
        ("*From before your last edit.*", "From before your last edit."),
        ("### NewUser", "NewUser"),
        ("see [user.go:12:9](file:///a/user.go#L12,9), then", "see user.go:12:9, then"),
        ("[a\\]b](file:///x)", "a]b"),
        ("`*T` and `a_b_c`, **`x`**", "*T and a_b_c, x"),
        ("`` a`b ``", "a`b"),
        ("a * b * c and *p = *q", "a * b * c and *p = *q"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("\\*p\\_x \\[0\\]", "*p_x [0]"),
        ("a &lt; b &amp;&amp; c", "a < b && c"),
        ("one  \ntwo", "one\ntwo"),
        ("```go\nx := **p // `a`\n```\nafter", "    x := **p // `a`\nafter"),
        ("1. a step\n   - inside", "1. a step\n   - inside"),
        ("---", "---"),
        ("", ""),
    ],
)
def test_plain(markdown: str, expected: str) -> None:
    assert plain(markdown) == expected
