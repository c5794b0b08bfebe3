"""What was withheld: listed, filtered, reported to the cent, remitted with certificates, and as a file."""

from __future__ import annotations

import csv
import html
import io
import re
import time
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.schedule import today
from dashboard.pages.taxes import selectors
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask

PAID_S = 60


def page(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode())).replace("\xa0", " ")


def deducted(world: World, amount: int, vendor: Any = None, code: str = "WHT_PROFESSIONAL") -> dict[str, Any]:
    """The deduction of a bill that was paid just now."""
    tax = next(row for row in world.upstream("/taxes")["docs"] if row["code"] == code)
    made = upstream.bill(world, vendor, amount=amount, withholding_tax_ids=[tax["_id"]])
    payment = upstream.payment(world, made)
    path = f"/bills/{made['_id']}/payments/{payment['payment_ref']}/approve"
    for voter in ("Apollo", "Zawadi"):
        if world.upstream(f"/bills/payments/{payment['payment_ref']}/status")["status"] == "PENDING_APPROVAL":
            ask(world, voter, "POST", path)
    ends = time.monotonic() + PAID_S
    while time.monotonic() < ends:
        rows = world.upstream("/taxes/transactions", bill_payment_ref=payment["payment_ref"])["docs"]
        if rows:
            return dict(rows[0])
        time.sleep(0.2)
    raise AssertionError(world.upstream(f"/bills/payments/{payment['payment_ref']}/status"))


def test_they_are_listed_reported_remitted_and_exported(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    vendor = upstream.vendor(world, "=Paper Ltd")
    first, second = deducted(world, 100_000, vendor), deducted(world, 60_000, vendor)
    assert (first["tax_amount_minor"], second["tax_amount_minor"]) == (500_000, 300_000)
    apollo, ada = world.client("Apollo"), world.client("Ada")

    shown = page(apollo.get(world.address("taxes/deductions/")))
    assert "2 deductions" in shown
    assert "KES 5,000.00" in shown
    assert "Record remittance" not in shown

    answer = ada.post(world.address("taxes/remit/"), {"id": [first["_id"]], "remitted_on": "", first["_id"]: "KRAWHT1"})
    assert answer.status_code == 422
    form = page(ada.get(world.address(f"taxes/remit/?id={first['_id']}&id={second['_id']}")))
    assert "KES 8,000.00 in 2 deductions" in form
    posted: dict[str, Any] = {
        "id": [first["_id"]], "remitted_on": today(world.business).isoformat(), "reference": "PRN-1",
        first["_id"]: "KRAWHT1",
    }  # fmt: skip
    posted["key"] = "remit-1"
    assert ada.post(world.address("taxes/remit/"), posted).status_code == 302
    # The same form once more, its answer lost: it finds its own remittance.
    again = page(ada.post(world.address("taxes/remit/"), posted, follow=True))
    assert "This was sent before: it is recorded as remitted." in again
    assert "Select what was paid over" not in again
    other = page(ada.post(world.address("taxes/remit/"), {**posted, "key": "remit-2"}, follow=True))
    assert "nothing of what you chose is owed" in other
    rows = {row["_id"]: row for row in world.upstream("/taxes/transactions")["docs"]}
    assert (rows[first["_id"]]["status"], rows[first["_id"]]["certificate_no"]) == ("REMITTED", "KRAWHT1")
    assert rows[second["_id"]]["status"] == "DEDUCTED"
    line = AuditEntry.objects.get(chain=world.business.pk, operation="create_remittance", outcome="DONE")
    assert line.sentence == "recorded a remittance of 1 withheld tax"

    whole = apollo.get(world.address("taxes/report/"))
    # On a phone the figures stand below each other, each with its name.
    for figure in ('"Base">160,000.00', '"Owed">3,000.00', '"Remitted">5,000.00', '"Tax">8,000.00'):
        assert f"data-of={figure}<" in whole.content.decode()
    report = page(whole)
    assert "5 % 2 KES 160,000.00 3,000.00 5,000.00 – 8,000.00" in report
    assert "2 deductions" not in page(apollo.get(world.address("taxes/deductions/?status=REMITTED")))
    certificate = page(apollo.get(world.address(f"taxes/certificates/{vendor['_id']}/")))
    assert "KRAWHT1" in certificate
    assert "KES 8,000.00" in certificate

    file = apollo.get(world.address("taxes/report/file/"))
    lines = list(csv.reader(io.StringIO(file.content.decode())))
    assert len(lines) == 3
    assert sorted(line[8] for line in lines[1:]) == ["3000.00", "5000.00"]
    assert not any(line[1].startswith("=") for line in lines)


def ticked(world: World, client: Any, row: dict[str, Any], query: str) -> bool:
    shown = client.get(world.address(f"taxes/deductions/{query}")).content.decode()
    return f'value="{row["_id"]}" checked' in shown


def test_what_is_ticked_stays_ticked_while_one_filters_and_is_what_is_remitted(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    vendors = [upstream.vendor(world, name) for name in ("Acacia Supplies", "Baobab Print")]
    first, second = (deducted(world, 100_000, vendor) for vendor in vendors)
    ada, address = world.client("Ada"), world.address("taxes/deductions/")
    shown = ada.get(f"{address}?vendor={vendors[0]['_id']}").content.decode()
    assert "data-keeps" in shown
    form = f"{address}?vendor={vendors[0]['_id']}&page=1"
    first_answer = ada.post(form, {"ids": [first["_id"]], "verb": "keep"})
    assert first_answer["Location"] == form
    other = f"?vendor={vendors[1]['_id']}"
    assert ticked(world, ada, first, other)
    assert not ticked(world, ada, second, other)
    assert "Selected before, not on this page" in ada.get(f"{address}{other}").content.decode()
    # Where the filter leaves none there is still what is ticked.
    assert ticked(world, ada, first, "?status=REMITTED")
    assert not ticked(world, world.client("Sam"), first, other)
    # A tick that a script tells of.
    stored = ada.post(form, {"ids": [first["_id"], second["_id"]], "verb": "keep"}, headers={"HX-Request": "true"})
    assert stored.status_code == 204
    assert ticked(world, ada, second, "?status=REMITTED")
    answer = ada.post(form, {"ids": [first["_id"], second["_id"]], "verb": "remit"})
    assert answer["Location"] == world.address("taxes/remit/")
    assert "KES 10,000.00 in 2 deductions" in page(ada.get(answer["Location"]))
    posted = {
        "id": [first["_id"]], "remitted_on": today(world.business).isoformat(), "reference": "PRN-2",
        first["_id"]: "KRAWHT2", "key": "remit-ticked",
    }  # fmt: skip
    assert ada.post(world.address("taxes/remit/"), posted).status_code == 302
    assert not ticked(world, ada, second, "?status=DEDUCTED")
    # Opened by its plain address the list begins anew.
    ada.post(form, {"ids": [second["_id"]], "verb": "keep"})
    assert ticked(world, ada, second, "?status=DEDUCTED")
    assert not ticked(world, ada, second, "")
    assert not ticked(world, ada, second, "?status=DEDUCTED")


def test_what_was_given_back_meanwhile_is_not_said_to_be_remitted(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    row = deducted(world, 100_000, upstream.vendor(world, "Paper Ltd"))
    posted: dict[str, Any] = {
        "id": [row["_id"]], "remitted_on": today(world.business).isoformat(), "reference": "PRN-9", row["_id"]: "KRAWHT9",
        "key": "remit-9",
    }  # fmt: skip
    world.proxy.fail("500", method="POST", path="/v2/taxes/remittances")
    ada = world.client("Ada")
    assert ada.post(world.address("taxes/remit/"), posted).status_code >= 400
    world.proxy.heal()
    # What was sent did nothing, and somebody else pays it over under another number.
    other = {"remitted_on": posted["remitted_on"], "reference": "PRN-10", "transactions": [
        {"tax_transaction_id": row["_id"], "certificate_no": "KRAWHT10"},
    ]}  # fmt: skip
    ask(world, "Ada", "POST", "/taxes/remittances", other)
    again = ada.post(world.address("taxes/remit/"), posted, follow=True)
    assert "ecorded as remitted" not in page(again)
    assert f"{row['bill_payment_ref']}: remitted with certificate KRAWHT10." in page(again)
    [now] = [known for known in world.upstream("/taxes/transactions")["docs"] if known["_id"] == row["_id"]]
    assert now["certificate_no"] == "KRAWHT10"


def test_a_page_goes_on_behind_its_last_row_whatever_was_deducted_since(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "PAGE_SIZE", 1)
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    refs = [deducted(world, amount)["bill_payment_ref"] for amount in (60_000, 70_000)]
    ada, address = world.client("Ada"), world.address("taxes/deductions/")

    first = ada.get(f"{address}?status=DEDUCTED")
    assert refs[1] in page(first)
    assert refs[0] not in page(first)
    following = re.search(r'href="([^"]*)" rel="next"', first.content.decode())
    assert following
    deducted(world, 80_000)
    second = ada.get(f"{address}{html.unescape(following[1])}")
    assert refs[0] in page(second)
    assert refs[1] not in page(second)
    assert 'rel="next"' not in second.content.decode()
    assert 'href="?status=DEDUCTED&amp;page=1" rel="prev">Previous' in second.content.decode()


def test_a_vendor_leads_to_its_certificates_for_those_who_may_open_them(world: World) -> None:
    paper = upstream.vendor(world, "Paper Ltd")
    world.sync("vendors")
    link = f'href="{world.address("taxes/certificates/")}{paper["_id"]}/"'
    for who, is_shown in (("Ada", True), ("Apollo", True), ("Rita", False)):
        answer = world.client(who).get(world.address(f"vendors/{paper['_id']}/"))
        assert answer.status_code == 200
        assert (link in answer.content.decode()) is is_shown, who
    assert "Tax withheld from Paper Ltd" in page(world.client("Ada").get(link.split('"')[1]))


def test_only_who_configures_remits_and_nobody_below_finance_sees_them(world: World) -> None:
    assert world.client("Apollo").get(world.address("taxes/remit/?id=x")).status_code == 403
    for who in ("Carla", "Rita"):
        for rest in ("", "deductions/", "report/", "report/file/"):
            assert world.client(who).get(world.address(f"taxes/{rest}")).status_code == 403, (who, rest)


def test_a_filter_that_is_not_understood_is_said_and_shows_nothing(world: World) -> None:
    for rest in ("deductions/", "report/"):
        answer = world.client("Ada").get(world.address(f"taxes/{rest}?first=2026-02-01&last=2026-01-01"))
        assert answer.status_code == 400
        assert "before the start date" in page(answer)


def test_nothing_owed_is_remitted_twice(world: World) -> None:
    answer = world.client("Ada").get(world.address("taxes/remit/?id=000000000000000000000000"), follow=True)
    assert "nothing of what you chose is owed" in page(answer)


def test_an_outage_is_said_and_no_figure_is_shown(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/v2/taxes/transactions")
    for rest in ("deductions/", "report/"):
        shown = page(proxied_world.client("Ada").get(proxied_world.address(f"taxes/{rest}")))
        assert "Try again" in shown
        assert "No deductions" not in shown
        assert "Nothing was deducted" not in shown


def test_of_what_is_owed_only_the_chosen_are_read(proxied_world: World) -> None:
    world = proxied_world
    assert world.proxy is not None
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000_000)
    chosen, _ = deducted(world, 100_000), deducted(world, 60_000)
    ada, before = world.client("Ada"), len(world.proxy.sent())
    shown = page(ada.get(world.address(f"taxes/remit/?id={chosen['_id']}&id=none-at-all,x")))
    assert "KES 5,000.00 in 1 deduction" in shown
    [sent] = world.proxy.sent("GET", "/taxes/transactions", since=before)
    assert f"ids={chosen['_id']}&" in f"{sent.path}&"
