"""The editor of controls: tried while it is typed, told before it is saved, kept when it is wrong or somebody was faster."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Card
from tests.dashboard.cards.conftest import Give, copied
from tests.dashboard.conftest import World

SWAP = {"HX-Request": "true"}
STANDS = {"per_transaction_limit": 500_00, "limits": [{"interval": "PER_MONTH", "amount": 2_000_00}]}


def begun(world: World, card: Card, person: str = "Ada", query: str = "") -> dict[str, Any]:
    """What a browser would post of the editor as it was opened."""
    answer = world.client(person).get(world.address(f"cards/{card.remote_id}/controls/{query}"))
    assert answer.status_code == 200
    body = answer.content.decode()
    found: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", body.split('class="split"')[1]):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and ("checkbox" not in tag or " checked" in tag):
            found.setdefault(name[1], unescape(value[1]) if value else "on" if "checkbox" in tag else "")
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', body, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        found[name] = chosen[1] if chosen else ""
    for name, text in re.findall(r'<textarea name="([^"]+)"[^>]*>(.*?)</textarea>', body, re.DOTALL):
        found[name] = unescape(text).strip()
    return found


def preview_of(world: World, card: Card, form: dict[str, Any], person: str = "Ada") -> str:
    answer = world.client(person).post(world.address(f"cards/{card.remote_id}/controls/try/"), form, headers=SWAP)
    assert answer.status_code == 200, answer.content
    return unescape(answer.content.decode()).replace("\xa0", " ")


def saved(world: World, card: Card, form: dict[str, Any], person: str = "Ada") -> Any:
    return world.client(person).post(world.address(f"cards/{card.remote_id}/controls/save/"), form)


def test_an_example_is_tried_as_the_card_is_and_as_it_would_be_and_nothing_changes(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    form = begun(world, card) | {"try-amount": "400", "try-merchant": "Java House"}
    html = preview_of(world, card, form)
    assert "With the current controls" in html
    assert "It would be approved." in html
    html = preview_of(world, card, form | {"one_purchase": "200"})
    assert "With your changes" in html
    assert "Deciding rule: Per-transaction limit: at most KES 200.00" in html
    assert "at most KES 500.00" in html
    assert "Save changes" in html
    never = form | {"mcc_mode": "never", "mcc_kinds": ["restaurants"], "try-sells": "restaurants"}
    assert "never for Restaurants, cafés and bars" in preview_of(world, card, never)
    assert world.upstream(f"/cards/{card.remote_id}")["controls"] == STANDS
    assert world.upstream("/cards/authorizations")["total"] == 0


def test_every_control_comes_back_as_it_was_saved(world: World, give: Give) -> None:
    later = (timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0)
    controls = {
        "mcc_allowed": ["5541", "5542", "5172", "9999"],
        "merchants_allowed": ["Shell"],
        "merchants_blocked": ["Java House", "Club & Co"],
        "countries_allowed": ["KE", "UG"],
        "channels_allowed": ["CARD_PRESENT"],
        "per_transaction_limit": 100_50,
        "limits": [
            {"interval": "PER_DAY", "amount": 200_00, "mcc": [], "counts_refunds": True},
            {"interval": "PER_DAY", "amount": 50_00, "mcc": ["5541"], "counts_refunds": False},
        ],
        "max_count": {"1h": 3, "24h": 9},
        "single_use": {"comparison": "EQUALS", "amount": 90_00},
        "active_window": {"from": "2026-01-01", "until": "2099-01-01", "weekdays": [1, 2, 3], "hours": {"from": "08:00", "to": "18:00"}},
        "auto_lock_at": "2099-02-03",
        "require_receipt_within_days": 3,
        "temporary": {"per_transaction_limit": 300_00, "limits": [{"interval": "PER_DAY", "amount": 400_00, "mcc": [], "counts_refunds": True}], "until": later.isoformat()},
    }  # fmt: skip
    card = give(controls=controls)
    before = world.upstream(f"/cards/{card.remote_id}")
    form = begun(world, card)
    form |= {"mcc_kinds": ["fuel"], "weekdays": ["1", "2", "3"], "channels": ["CARD_PRESENT"], "name": "Renamed"}
    assert saved(world, card, form).status_code == 302
    after = world.upstream(f"/cards/{card.remote_id}")
    assert after["name"] == "Renamed"
    old, new = before["controls"], after["controls"]
    assert sorted(new.pop("mcc_allowed")) == sorted(old.pop("mcc_allowed"))
    assert old.pop("temporary")["per_transaction_limit"] == new.pop("temporary")["per_transaction_limit"]
    assert new == old


def test_what_is_saved_is_at_the_service_with_its_sentences_and_in_the_audit(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    form = begun(world, card) | {"one_purchase": "200", "countries_never": "Uganda, tz", "key": "the-same"}
    answer = saved(world, card, form)
    assert answer.status_code == 302
    assert saved(world, card, form).status_code == 302
    now = world.upstream(f"/cards/{card.remote_id}")
    assert (now["controls"]["per_transaction_limit"], now["controls"]["countries_blocked"]) == (200_00, ["UG", "TZ"])
    assert now["version"] == 2
    page = unescape(world.client("Ada").get(answer["Location"]).content.decode()).replace("\xa0", " ")
    assert "never in Uganda and Tanzania" in page
    assert "<s>at most KES 500.00</s> <ins>at most KES 200.00</ins>" in page
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="update_card", outcome="DONE").exists()


def test_a_raise_says_until_when_and_back_to_what(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    form = begun(world, card)
    month = next(name.split("-")[0] for name, value in form.items() if value == "PER_MONTH")
    raised = form | {"raise_purchase": "900", f"{month}-raised": "3000", "raise_until": "2099-05-01T18:00"}
    html = preview_of(world, card, raised | {"try-amount": "800"})
    assert "until 1 May 2099, 18:00: per transaction KES 900.00, then back to KES 500.00" in html
    assert "monthly KES 3,000.00, then back to KES 2,000.00" in html
    assert "It would be approved." in html
    assert saved(world, card, raised).status_code == 302
    page = world.client("Ada").get(world.address(f"cards/{card.remote_id}/")).content.decode()
    assert "Temporary limits until 1 May 2099, 18:00" in page


WRONG = [
    ({"one_purchase": "10.001"}, "KES has 2 digits after the point"),
    ({"one_purchase": "-1"}, "above zero"),
    ({"limit1-amount": "50"}, "Choose a period."),
    ({"limit1-interval": "PER_MONTH", "limit1-amount": "50"}, "There is already a limit for this period."),
    ({"limit0-raised": "100"}, "This does not raise the limit."),
    ({"raise_until": "2099-01-01T10:00"}, "No limit is raised"),
    ({"raise_purchase": "900"}, "Enter an end"),
    ({"raise_purchase": "900", "raise_until": "2020-01-01T10:00"}, "This time has passed."),
    ({"raise_purchase": "400", "raise_until": "2099-01-01T10:00"}, "The card has no lower limit to raise"),
    ({"mcc_codes": "12"}, "has four digits"),
    ({"mcc_mode": "only"}, "Select a category, or enter an MCC below."),
    ({"countries_only": "Atlantis"}, "is not a known country"),
    ({"from_hour": "08:00"}, "Enter both times."),
    ({"from_day": "2026-02-01", "until_day": "2026-01-01"}, "The end date is before the start date."),
    ({"single": "LTE"}, "Enter the amount."),
    ({"name": ""}, "This field is required."),
]


def test_what_is_wrong_is_told_beside_its_field_and_everything_is_kept(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    form = begun(world, card) | {"merchants_never": "Casino & Sons"}
    assert world.proxy is not None
    before = len(world.proxy.sent("PUT"))
    for typed, expected in WRONG:
        answer = saved(world, card, form | typed)
        body = unescape(answer.content.decode())
        assert answer.status_code == 422, typed
        assert expected in body, typed
        assert "Casino & Sons" in body
        assert re.search(r"<(input|select|textarea)[^>]*autofocus", body), typed
        assert expected in preview_of(world, card, form | typed)
    assert len(world.proxy.sent("PUT")) == before


def test_whoever_was_faster_is_named_with_what_they_changed(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    mine = begun(world, card) | {"one_purchase": "200"}
    theirs = begun(world, card, "Apollo") | {"merchants_never": "Casino", "key": "another"}
    assert saved(world, card, theirs, "Apollo").status_code == 302
    late = saved(world, card, mine)
    body = unescape(late.content.decode())
    assert late.status_code == 409
    assert f"{world.people['Apollo'].user.get_full_name()} changed this card while you were editing" in body
    assert "never at Casino" in body
    assert 'value="200"' in body
    version = re.search(r'name="version" value="(\d+)"', body)
    key = re.search(r'class="split".*?name="key" value="(\w+)"', body, re.DOTALL)
    assert version
    assert key
    again = saved(world, card, mine | {"version": version[1], "key": key[1]})
    assert again.status_code == 302
    assert world.upstream(f"/cards/{card.remote_id}")["controls"]["per_transaction_limit"] == 200_00


@pytest.mark.parametrize(
    "older", [{"base": "{}"}, {"base": ""}, {"base": "x" * 100_001}, {"version": "", "base": "{}"}, {"version": "²"}]
)
def test_an_older_form_never_overwrites_what_somebody_else_saved_meanwhile(
    world: World, give: Give, older: dict[str, str]
) -> None:
    card = give(controls=STANDS)
    mine = begun(world, card) | {"one_purchase": "200"}
    theirs = begun(world, card, "Apollo") | {"merchants_never": "Casino", "key": "another"}
    assert saved(world, card, theirs, "Apollo").status_code == 302
    assert world.proxy is not None
    late = saved(world, card, mine | older)
    body = unescape(late.content.decode())
    assert late.status_code == 409
    assert "an older form" in body
    assert "are unchanged" not in body
    assert 'value="200"' in body
    now = world.upstream(f"/cards/{card.remote_id}")
    assert (now["version"], now["controls"]["per_transaction_limit"]) == (2, 500_00)
    version, base = (re.search(rf'name="{name}" value="([^"]+)"', body) for name in ("version", "base"))
    key = re.search(r'class="split".*?name="key" value="(\w+)"', body, re.DOTALL)
    assert version
    assert base
    assert key
    again = saved(world, card, mine | {"version": version[1], "base": base[1], "key": key[1]})
    assert again.status_code == 302


@pytest.mark.parametrize(("name", "code"), [("Carla", 403), ("Rita", 403), ("Sam", 403), ("Apollo", 200)])
def test_who_may_not_is_refused_and_nothing_is_sent(world: World, give: Give, name: str, code: int) -> None:
    card = give()
    assert world.proxy is not None
    before = len(world.proxy.sent())
    browser, path = world.client(name), world.address(f"cards/{card.remote_id}/controls/")
    assert browser.get(path).status_code == code
    if code == 403:
        assert browser.post(f"{path}save/", {}).status_code == 403
        assert browser.post(f"{path}try/", {}).status_code == 403
        assert len(world.proxy.sent()) == before


def test_nobody_changes_their_own_card(world: World, give: Give) -> None:
    card = give("Apollo")
    assert world.client("Apollo").get(world.address(f"cards/{card.remote_id}/controls/")).status_code == 403
    page = world.client("Apollo").get(world.address(f"cards/{card.remote_id}/")).content.decode()
    assert "Edit spending controls" not in page
    assert "somebody else must decide on it" in page


def test_without_the_service_nothing_is_lost_and_the_page_says_so(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    form = begun(world, card) | {"one_purchase": "200", "try-amount": "10"}
    assert world.proxy is not None
    world.proxy.fail("reset")
    assert "The finance service" in preview_of(world, card, form)
    answer = saved(world, card, form)
    assert answer.status_code in {503, 504}
    assert 'value="200"' in answer.content.decode()
    opened = world.client("Ada").get(world.address(f"cards/{card.remote_id}/controls/")).content.decode()
    assert "saved copy" in opened


def test_a_refusal_of_the_service_is_told_in_its_words_with_the_request(world: World, give: Give) -> None:
    card = give(controls=STANDS)
    form = begun(world, card) | {"one_purchase": "200"}
    world.send("PUT", f"/cards/{card.remote_id}/retire")
    answer = saved(world, card, form | {"version": "2"})
    body = answer.content.decode()
    assert answer.status_code == 409
    assert "RETIRED" in body
    assert "request " in body
    assert copied(world, world.upstream(f"/cards/{card.remote_id}")).status == "RETIRED"
