"""The matrix, against the real service: what each may in letters and words, searched, paged, in a fixed number of queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.mirror.models import Employee, Wallet, WalletPolicy, WalletRole
from tests.dashboard.conftest import World
from tests.dashboard.wallet_policies.conftest import at, employee, first, lookups_read, move, page, policy, words


def test_a_cell_says_what_comes_with_the_role_and_what_with_a_policy(world: World) -> None:
    policy(world, "Carla", "WALLET_VIEW", "WALLET_PAY_VENDOR")
    text, name = page(world, "Ada"), first(world).name
    assert f"Carla Kamau, {name}: by policy view, pay" in text
    assert f"Ada Achieng, {name}: by role view, pay, manage who may" in text
    assert f"Rita Wanjiru, {name}: nothing" in text


def test_what_a_role_gives_is_what_the_service_computes(world: World) -> None:
    for person, role in (("Apollo", "APPROVER"), ("Ada", "ADMIN"), ("Sam", "SUPER_ADMIN"), ("Carla", "CARD_USER")):
        answered = world.upstream(f"/wallet-policies/permissions/{employee(world, person)}/{first(world).remote_id}")
        role_row = WalletRole.objects.get(business=world.business, remote_id=role)
        assert sorted(role_row.permissions) == sorted(answered["effective"]), role


def test_suspended_coming_and_ending_ones_say_so(world: World) -> None:
    found = policy(world, "Carla")
    soon = (timezone.now() + timedelta(days=5)).isoformat()
    policy(world, "Cyrus", expires_at=soon)
    policy(world, "Chebet", valid_from=soon)
    move(world, found, "suspend")
    text, name = page(world, "Apollo"), first(world).name
    assert f"Carla Kamau, {name}: suspended" in text
    assert f"Cyrus Kiptoo, {name}: by policy view, pay; ends " in text
    assert f"Chebet Langat, {name}: scheduled" in text
    assert "Cyrus" not in page(world, "Apollo", "?has=suspended").split("Clear filters")[1]
    ending = page(world, "Apollo", "?has=soon")
    assert "Cyrus Kiptoo" in ending
    assert "Carla Kamau" not in ending


def test_wallets_beyond_the_shown_ones_are_a_link_away(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.pages.wallet_policies.selectors.matrix.MAX_WALLETS", 1)
    kes, usd, browser = first(world), first(world, "USD"), world.client("Ada")
    shown = browser.get(at(world, "?role=ADMIN")).content.decode()
    assert "Previous wallets" not in shown
    [beyond] = re.findall(r'href="(\?[^"]*)">Next wallets', shown)
    assert "role=ADMIN" in beyond
    after = browser.get(at(world, beyond.replace("&amp;", "&"))).content.decode()
    assert f"Ada Achieng, {usd.name}: by role" in after
    assert f"Ada Achieng, {kes.name}: by role" not in after
    assert "Previous wallets" in after
    assert "Next wallets" not in after


def test_people_are_searched_and_chosen_on_the_server(world: World) -> None:
    assert "Rita Wanjiru" not in page(world, "Ada", "?q=kam+car")
    assert "Carla Kamau" in page(world, "Ada", "?q=kam+car")
    approvers = page(world, "Ada", "?role=APPROVER")
    assert "Zawadi Njeri" in approvers
    assert "Carla Kamau" not in approvers
    assert "No matches" in page(world, "Ada", "?q=zzzz")
    assert world.client("Ada").get(at(world, "?role=KING")).status_code == 400
    dollars = first(world, "USD")
    assert f"Ada Achieng, {first(world).name}:" not in page(world, "Ada", f"?wallet={dollars.remote_id}")
    assert f"Ada Achieng, {dollars.name}:" in page(world, "Ada", "?currency=USD")


def test_what_is_searched_as_one_types_is_told_and_stays_in_the_address(world: World) -> None:
    answer = world.client("Ada").get(at(world, "?q=kamau&role="), headers={"HX-Request": "true"})
    assert answer["HX-Replace-Url"] == at(world, "?q=kamau")
    answered = re.sub(r"\s+", " ", answer.content.decode())
    assert re.search(r'id="matrix-told" role="status" hx-swap-oob="innerHTML"> 1 person found', answered)
    assert "<html" not in answered


def test_hundreds_of_people_by_tens_of_wallets_cost_the_same_queries(world: World) -> None:
    browser = world.client("Ada")
    browser.get(at(world))
    with CaptureQueriesContext(connection) as few:
        browser.get(at(world))
    grow(world, people=300, wallets=30)
    with CaptureQueriesContext(connection) as many:
        answer = browser.get(at(world))
    assert len(many) == len(few)
    assert len(many) <= 14
    body = answer.content.decode()
    assert body.count('class="cell') == 50 * 12
    assert "20 more: select them under Wallets" in " ".join(body.split())
    assert len(names_on_all_pages(world)) == 312


def names_on_all_pages(world: World) -> list[str]:
    """The people of the matrix page by page, each once and in order."""
    browser, names, query = world.client("Ada"), [], ""
    while True:
        body = browser.get(at(world, query)).content.decode()
        names += re.findall(r'<th scope="row">\s*<a [^>]*>([^<]*)</a>', body)
        following = re.search(r'href="([^"]*)" rel="next"', body)
        if not following:
            assert names == sorted(set(names))
            return names
        query = following[1].replace("&amp;", "&")


def grow(world: World, *, people: int, wallets: int) -> None:
    """More of both in the copy."""
    template = policy(world)
    person = Employee.objects.filter(business=world.business, role="CARD_USER").first()
    wallet = Wallet.objects.filter(business=world.business).first()
    assert person
    assert wallet
    for number in range(people):
        person.pk, person.remote_id, person.name = None, f"p{number}", f"Person {number:03}"
        person.save()
    for number in range(wallets):
        wallet.pk, wallet.remote_id, wallet.name, wallet.wallet_type = (
            None,
            f"w{number}",
            f"Wallet {number:02}",
            f"S{number}",
        )
        wallet.save()
    rows = []
    for number in range(people):
        rows.append(
            WalletPolicy(
                **{
                    field.attname: getattr(template, field.attname)
                    for field in WalletPolicy._meta.concrete_fields
                    if field.attname != "id"
                }
                | {"remote_id": f"x{number}", "employee_id": f"p{number}", "wallet_id": f"w{number % wallets}"}
            )
        )
    WalletPolicy.objects.bulk_create(rows)


@pytest.mark.parametrize("person", ["Carla", "Rita"])
def test_who_reads_nobody_elses_comes_to_their_own(world: World, person: str) -> None:
    policy(world, person)
    answer = world.client(person).get(at(world), follow=True)
    assert answer.redirect_chain[-1][0] == at(world, f"people/{employee(world, person)}/")
    assert "My wallets" in page(world, person)
    other = world.client(person).get(at(world, f"people/{employee(world, 'Apollo')}/"))
    assert other.status_code == 404
    assert world.client(person).get(at(world, f"wallets/{first(world).remote_id}/")).status_code == 403


def test_an_account_without_them_is_told_once_and_politely(new_world: Callable[..., World]) -> None:
    bare = lookups_read(new_world(synced=False, entitled=False))
    text = page(bare, "Ada")
    assert "Wallet policies are not available" in text
    assert f"Ada Achieng, {first(bare).name}: nothing" in text
    answer = bare.client("Ada").get(at(bare, f"people/{employee(bare, 'Carla')}/wallets/{first(bare).remote_id}/"))
    assert answer.status_code == 200
    assert "Ask your administrator." in words(answer)


def test_another_business_finds_nothing(world: World) -> None:
    from tests.dashboard.access.house import build  # a business that is not connected

    stranger = build().people["Ada"].user
    browser = world.client("Ada")
    browser.force_login(stranger)
    assert browser.get(at(world)).status_code == 404
