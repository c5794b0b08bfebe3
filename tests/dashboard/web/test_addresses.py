"""Addresses that are reckoned once are those that Django gives, in Python and in templates, and none outlives its map."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.template import engines
from django.urls import NoReverseMatch, reverse, set_script_prefix
from django.utils import timezone

from dashboard import times
from dashboard.web.addresses import address_of, quoted_id

PARTS: list[tuple[str, tuple[Any, ...]]] = [
    ("manifest", ()),
    ("finder", ("acme",)),
    ("bills_item", ("acme", "0a1b")),
    ("bills_item", ("acme", 'a/b c"<é')),
    ("list_forget", ("acme", "bills", 7)),
    ("list_forget", ("acme", "bills", 1)),
]


def in_template(source: str, **values: Any) -> str:
    return str(engines["django"].from_string(source).render(values))


@pytest.mark.parametrize(("name", "parts"), PARTS)
def test_an_address_is_what_django_gives_the_first_time_and_the_second(name: str, parts: tuple[Any, ...]) -> None:
    expected = reverse(name, args=parts)
    given = {f"part{at}": part for at, part in enumerate(parts)}
    for _ in range(2):
        assert address_of(name, *parts) == expected
        assert in_template(f"{{% url name {' '.join(given)} %}}", name=name, **given) == expected.replace("&", "&amp;")


def test_an_address_is_found_anew_below_another_prefix() -> None:
    assert address_of("finder", "acme") == reverse("finder", args=["acme"])
    set_script_prefix("/below/")
    try:
        assert address_of("finder", "acme") == reverse("finder", args=["acme"])
        assert address_of("finder", "acme").startswith("/below/")
    finally:
        set_script_prefix("/")


def test_what_leads_nowhere_is_an_error_each_time() -> None:
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            address_of("bills_item", "acme")
        with pytest.raises(NoReverseMatch):
            in_template('{% url "bills_item" slug %}', slug="acme")


def test_a_template_may_name_the_parts_and_put_the_address_under_a_name() -> None:
    expected = reverse("bills_item", args=["acme", "x"])
    assert in_template('{% url "bills_item" business="acme" remote_id=id %}', id="x") == expected
    assert in_template('{% url "bills_item" "acme" id as there %}[{{ there }}]', id="x") == f"[{expected}]"
    # Under a name, what leads nowhere is nothing.
    assert in_template('{% url "bills_item" "acme" as there %}[{{ there }}]') == "[]"


def test_an_id_of_letters_and_digits_stands_as_it_is_and_any_other_is_quoted() -> None:
    assert [quoted_id(text) for text in ("00fa9", "Æ1", "a/b", "a-b", "", "²", "a:b")] == [
        "00fa9", "%C3%861", "a%2Fb", "a-b", "", "%C2%B2", "a%3Ab",
    ]  # fmt: skip


@pytest.mark.parametrize("zone", ["Africa/Nairobi", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns", "UTC"])
def test_the_day_of_a_business_changes_with_its_own_midnight(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    business = SimpleNamespace(time_zone=zone)
    midnight = datetime(2026, 11, 27, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    found = []
    for moment in (midnight - timedelta(microseconds=1), midnight, midnight + timedelta(hours=23, minutes=59)):
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        found.append(times.today_of(business).day)
    assert found == [26, 27, 27]
