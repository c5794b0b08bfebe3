"""The attributes by which parts of a page are swapped: there exactly where they are due, and whole."""

from typing import Any

from django.template import Context, Engine


def shown(source: str, **context: Any) -> str:
    return Engine.get_default().from_string(source).render(Context(context))


def test_a_part_has_a_place_of_its_own_only_where_it_is_sent_beside_another() -> None:
    assert shown("<p{% out_of_band %}>") == "<p>"
    assert shown("<p{% out_of_band %}>", oob=True) == '<p hx-swap-oob="true">'
    assert shown('<p{% out_of_band "innerHTML:#a" %}>', oob=True) == '<p hx-swap-oob="innerHTML:#a">'


def test_what_is_still_going_on_asks_by_itself_and_what_has_ended_does_not() -> None:
    source = '<p{% polls "/a/" "every 2s" when=open only="FAILED" page=2 %}>'
    assert shown(source, open=False) == "<p>"
    asks = '<p hx-get="/a/?only=FAILED&amp;page=2" hx-trigger="every 2s" hx-swap="outerHTML" data-polls>'
    assert shown(source, open=True) == asks
    assert shown('<p{% polls "/a/" "load" unless=totals swap="none" %}>', totals="7 rows") == "<p>"
    assert 'hx-swap="none"' in shown('<p{% polls "/a/" "load" unless=totals swap="none" %}>', totals=None)


def test_what_stands_in_the_address_cannot_leave_its_attribute() -> None:
    hostile = '"><script>alert(1)</script>'
    page = shown('<p{% polls address "load" only=only %}>', address=f"/a/{hostile}", only=hostile)
    assert "<script" not in page
    assert page.count('"') == 6
