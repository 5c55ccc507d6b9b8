"""Choices by ``window/showMessageRequest``: the filter, in editors that have no window of ours for it."""

from __future__ import annotations

from escapelens.core.model import TYPE_LABELS
from escapelens.lsp.session import Session

BACK = "Back to the settings"


def filter_question(session: Session) -> tuple[str, list[str]]:
    """What is asked, and the answers."""
    shown = [label for kind, label in TYPE_LABELS.items() if kind in session.show.types]
    text = f"Shown: {', '.join(shown) or 'nothing'}."
    answers = [f"{'Hide' if kind in session.show.types else 'Show'} {label}" for kind, label in TYPE_LABELS.items()]
    return text, [*answers, BACK]


def choose_filter(session: Session, answer: str) -> None:
    """Show or hide what the answer names."""
    if answer == BACK:
        session.set_filter(None)
        return
    for kind, label in TYPE_LABELS.items():
        if answer == f"Hide {label}":
            session.set_filter([t for t in TYPE_LABELS if t in session.show.types and t != kind])
        elif answer == f"Show {label}":
            session.set_filter([t for t in TYPE_LABELS if t in session.show.types or t == kind])
