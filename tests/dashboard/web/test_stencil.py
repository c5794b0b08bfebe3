"""Markup that is rendered once and filled many times: what is filled in stays text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dashboard.pages.cards.presenters.gallery import TEMPLATE, TileShape
from dashboard.web.stencil import drawn, item_address

HOSTILE = ["</b><script>{0}", '"><img src=x>', "{tile}", "O'Brien & {}", "x{9}", "<i>", "KES 1", "of KES 2", "50"]


@dataclass(frozen=True)
class Shape:
    """A tile with a limit, of a team, without a box."""

    def context(self, mark: Callable[[], str]) -> dict[str, Any]:
        """As the gallery's own."""
        return TileShape("acme", "ok", False, True, False, False, True, False, False).context(mark)


def test_what_is_filled_in_is_text_whatever_it_holds() -> None:
    markup = drawn(TEMPLATE, Shape(), ["card-1", *HOSTILE])
    assert "<script" not in markup
    assert "<img" not in markup
    for shown in ("&lt;/b&gt;&lt;script&gt;{0}", "{tile}", "O&#x27;Brien &amp; {}", "x{9}", "&lt;i&gt;"):
        assert shown in markup
    assert 'aria-label="50 % spent"' in markup
    assert "/acme/cards/card-1/" in markup


def test_rows_of_one_shape_are_rendered_once_and_differ_in_their_texts_alone() -> None:
    first, second = (drawn(TEMPLATE, Shape(), [name, *["same"] * 9]) for name in ("card-1", "card-2"))
    assert first.replace("card-1", "card-2") == second
    assert "{" not in first


def test_an_address_of_marks_is_that_of_the_ids_whatever_the_business_is_called() -> None:
    address = item_address("audit_evidence", "acme-id-0-kind", "(kind)", "(id)")
    assert address == "/acme-id-0-kind/audit/evidence/(kind)/(id)/"
