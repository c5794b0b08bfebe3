"""Money between two wallets of one currency (decisions F.6), against the real service: plainly, without a quote."""

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.mirror.models import Origin, Wallet
from dashboard.mirror.schedule import cursor_of
from dashboard.mirror.sync import run_band
from tests.dashboard.conftest import World
from tests.dashboard.markup import markup_of
from tests.dashboard.treasury.test_exchange import form_of, proven
from tests.dashboard.treasury.test_wallets import first

PAGE = "treasury/fx/?source=KES&target=KES"
# What a business's usual mandates for internal transfers begin with, in KES.
FROM_HERE_ON_VOTED = "10000000"


def second(world: World) -> Wallet:
    """A second wallet in KES."""
    opened = world.send("POST", "/accounts", {"currency": "KES", "walletType": "SUB:payroll", "name": "Payroll"})
    cursor_of(world.business)
    run_band(world.business, "lookups")
    return Wallet.objects.get(business=world.business, remote_id=opened["_id"])


def has(world: World, wallet: Wallet) -> int:
    balance: int = world.upstream(f"/accounts/{wallet.remote_id}/balance")["balances"]["posted_minor"]
    return balance


def transfer_form(world: World, amount: str, person: str = "Apollo") -> dict[str, str]:
    """The form between the two wallets."""
    return form_of(markup_of(proven(world, person).get(world.address(f"{PAGE}&amount={amount}"))))


def post(world: World, form: dict[str, Any], person: str = "Apollo") -> Any:
    return proven(world, person).post(world.address("treasury/fx/transfer/"), form)


def test_money_is_moved_as_it_is_and_once(world: World) -> None:
    main, payroll = first(world), second(world)
    page = markup_of(proven(world, "Apollo").get(world.address(f"{PAGE}&amount=1200.50")))
    assert "Transfer KES\xa01,200.50" in page
    assert "Markup</dt><dd>None" in page
    assert "Valid until" not in page
    assert "Rate history" not in page
    form = form_of(page)
    assert "quote_id" not in form
    assert {form["from_wallet"], form["to_wallet"]} == {main.remote_id, payroll.remote_id}
    form |= {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    before = has(world, main), has(world, payroll)
    browser = proven(world, "Apollo")
    for _ in range(2):
        answer = browser.post(world.address("treasury/fx/transfer/"), form)
        assert answer["Location"] == world.address("treasury/")
    page_after = browser.get(answer["Location"]).content.decode()
    assert "KES\xa01,200.50 was transferred." in page_after
    assert "Payroll now has KES\xa01,200.50" in page_after
    assert (has(world, main), has(world, payroll)) == (before[0] - 1200_50, before[1] + 1200_50)
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="transfer_fx", outcome="DONE").exists()


def test_the_balances_read_after_a_transfer_are_copied_as_reads_and_not_as_writes_of_ours(world: World) -> None:
    main, payroll = first(world), second(world)
    form = transfer_form(world, "10") | {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    Wallet.objects.filter(business=world.business).update(source=Origin.FEED)
    assert post(world, form)["Location"] == world.address("treasury/")
    copies = Wallet.objects.filter(business=world.business, remote_id__in=[main.remote_id, payroll.remote_id])
    assert set(copies.values_list("source", flat=True)) == {Origin.POLL}


def test_the_wallets_are_offered_once_an_amount_is_named(world: World) -> None:
    page = markup_of(world.client("Apollo").get(world.address(PAGE)))
    assert "Enter an amount to choose the wallets." in page
    assert "/treasury/fx/transfer/" not in page
    single = markup_of(proven(world, "Apollo").get(world.address(f"{PAGE}&amount=5")))
    assert "no second active wallet in KES" in single
    second(world)
    first_verified = markup_of(world.client("Apollo").get(world.address(f"{PAGE}&amount=5")))
    assert "Verify it's you" in first_verified
    assert "You get a new quote" not in first_verified


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"to_wallet": "same"}, "Choose two different wallets."),
        ({"from_wallet": ""}, "Choose the wallet that pays."),
        ({"amount": ""}, "Enter an amount."),
        ({"amount": "99000000000"}, ""),
    ],
)
def test_what_is_wrong_is_told_and_nothing_moves(world: World, typed: dict[str, str], message: str) -> None:
    main, payroll = first(world), second(world)
    form = transfer_form(world, "10") | {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    typed = {name: main.remote_id if value == "same" else value for name, value in typed.items()}
    before = has(world, main)
    answer = post(world, form | typed)
    assert answer.status_code == 422
    body = markup_of(answer)
    assert f"{message} Nothing was moved." in body if message else "Nothing was moved." in body
    assert "fresh quote" not in body
    assert has(world, main) == before


def test_two_currencies_take_a_quote(world: World) -> None:
    dollars, main = first(world, "USD"), first(world)
    second(world)
    form = transfer_form(world, "10") | {"from_wallet": dollars.remote_id, "to_wallet": main.remote_id}
    answer = post(world, form)
    assert answer.status_code == 422
    assert "it takes a quote" in markup_of(answer)


def test_above_the_mandate_it_waits_for_votes_with_the_money_on_hold(world: World) -> None:
    main, payroll = first(world), second(world)
    form = transfer_form(world, FROM_HERE_ON_VOTED) | {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    before = has(world, main)
    browser = proven(world, "Apollo")
    answer = browser.post(world.address("treasury/fx/transfer/"), form)
    assert answer.status_code == 302
    assert "is awaiting approval; the money is on hold until then." in browser.get(answer["Location"]).content.decode()
    assert has(world, main) == before


def test_a_lost_answer_is_asked_for_again_and_nothing_is_moved_twice(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    main, payroll = first(world), second(world)
    form = transfer_form(world, "10") | {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    before = has(world, main)
    world.proxy.fail("lost reply", path="/fx/transfer")
    answer = post(world, form)
    page = markup_of(answer)
    assert answer.status_code == 504
    assert "not known whether the transfer was done" in page
    world.proxy.heal()
    again = form_of(page)
    assert (again["key"], again["amount"]) == (form["key"], form["amount"])
    assert post(world, again)["Location"] == world.address("treasury/")
    assert before - has(world, main) == 10_00


def test_of_a_form_whose_answer_was_lost_nobody_says_that_nothing_was_moved(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    main, payroll = first(world), second(world)
    form = transfer_form(world, "10") | {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    before = has(world, main)
    world.proxy.fail("lost reply", path="/fx/transfer")
    assert post(world, form).status_code == 504
    world.proxy.heal()
    # Back, another amount, and sent: whether it is read at all, and whatever stands in its way.
    for amount in ("20", "nonsense", "0.001"):
        answer = post(world, form | {"amount": amount})
        page = markup_of(answer)
        assert "Nothing was moved" not in page, amount
        assert "Nothing was changed" not in page, amount
    assert before - has(world, main) == 10_00
    # The same where our own book has lost the key and the service alone knows it.
    OutboundOperation.objects.filter(operation="transfer_fx").delete()
    answer = post(world, form | {"amount": "20"})
    assert answer.status_code == 422
    page = markup_of(answer)
    assert "What it says now was not done." in page
    assert "Nothing was" not in page
    fresh = transfer_form(world, "10") | {"from_wallet": main.remote_id, "to_wallet": payroll.remote_id}
    assert "Nothing was moved." in markup_of(post(world, fresh | {"amount": "nonsense"}))
    assert before - has(world, main) == 10_00


@pytest.mark.parametrize("person", ["Carla", "Rita", "Ada", "Sam"])
def test_who_may_not_is_refused_and_nothing_is_sent(proxied_world: World, person: str) -> None:
    assert proxied_world.proxy is not None
    answer = post(proxied_world, {"amount": "10", "from_wallet": "a", "to_wallet": "b"}, person)
    assert answer.status_code == 403
    assert not re.search(r"/fx/transfer", str(proxied_world.proxy.sent()))
