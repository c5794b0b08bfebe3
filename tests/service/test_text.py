"""Texts: an article by how its noun is spoken."""

import pytest

from service.text import with_article


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("approver", "an approver"), ("reviewer", "a reviewer"), ("ADMIN", "an ADMIN"), ("SUPER_ADMIN", "a SUPER_ADMIN"),
        ("CARD USER", "a CARD USER"), ("FX quote", "an FX quote"), ("PDF", "a PDF"), ("MCC", "an MCC"),
        ("user", "a user"), ("one-time code", "a one-time code"), ("unit", "a unit"), ("hour", "an hour"),
        ("euro", "a euro"), ("unknown payee", "an unknown payee"),
    ],
)  # fmt: skip
def test_the_article_follows_the_sound(noun: str, said: str) -> None:
    assert with_article(noun) == said


def test_at_the_beginning_of_a_sentence() -> None:
    assert with_article("APPROVER", capital=True) == "An APPROVER"
    assert with_article("reviewer", capital=True) == "A reviewer"
