"""A bill on its own page, against the real service: its document, lines, payments step by step; cancelled with a reason."""

import re

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.apply import upsert, upsert_approvals
from dashboard.mirror.models import Origin
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.documents.papers import pdf


def plain(shown: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", shown))


def steps_of(shown: str) -> list[str]:
    """What happened to the payments that the page of a bill shows."""
    lists = re.findall(r'aria-label="What happened">(.*?)</ol>', shown, re.DOTALL)
    return [plain(step) for rows in lists for step in re.findall(r"<li>(.*?)</li>", rows, re.DOTALL)]


def test_it_shows_its_lines_what_is_withheld_and_the_document_beside_them(world: World) -> None:
    tax = next(row for row in world.upstream("/taxes")["docs"] if row["code"] == "WHT_PROFESSIONAL")
    file = upstream.upload(world, pdf(["Paper Ltd", "Total KES 1,160.00"]))
    lines = [{"description": "Audit of 2025", "qty": 2, "unit_price": 20_000, "tax_rate": 16}]
    made = upstream.bill(
        world, number="INV-1", line_items=lines, withholding_tax_ids=[tax["_id"]], attachments=[file["_id"]]
    )
    world.sync("vendors", "bills_whole", "approvals")
    shown = upstream.page(world, "Selma", f"bills/{made['_id']}/")
    text = plain(shown)
    for words in (
        "Audit of 2025",
        "KES 40,000.00",
        "16 %",
        "KES 6,400.00",
        "KES 46,400.00",
        "5 %, to be withheld if the balance is paid today",
        "KES 2,000.00",
    ):
        assert words in text.replace("\xa0", " "), words
    assert f"bills/{made['_id']}/files/{file['_id']}/" in shown
    viewer = upstream.page(world, "Selma", f"bills/{made['_id']}/files/{file['_id']}/")
    assert "1,160.00" in viewer
    picture = world.client("Selma").get(world.address(f"bills/{made['_id']}/files/{file['_id']}/page/1/"))
    assert picture["Content-Type"] == "image/webp"
    original = world.client("Selma").get(world.address(f"bills/{made['_id']}/files/{file['_id']}/original/"))
    assert original.content.startswith(b"%PDF")


def test_what_was_withheld_is_what_payments_withheld_and_the_rest_is_said_to_be_to_come(world: World) -> None:
    """Not today's rate on the whole bill, whatever was paid of it before."""
    tax = next(row for row in world.upstream("/taxes")["docs"] if row["code"] == "WHT_PROFESSIONAL")
    made = upstream.bill(world, amount=40_000, number="INV-1", withholding_tax_ids=[tax["_id"]])
    payment = upstream.payment(world, made, amount=30_000)
    world.sync("vendors", "bills_whole", "approvals")
    paid = payment | {"status": "SUCCEEDED", "withheld_amount_minor": 90_000, "version": 90}
    upsert("bill_payment", world.business, [paid], Origin.POLL)
    text = plain(upstream.page(world, "Ada", f"bills/{made['_id']}/")).replace("\xa0", " ")
    assert "Withheld of what was paid KES 900.00" in text
    # The service knows of nothing that was paid, so all of it is open there.
    assert "5 %, to be withheld if the balance is paid today KES 2,000.00" in text


def test_a_possible_duplicate_stands_side_by_side(world: World) -> None:
    of = upstream.vendor(world)
    first = upstream.bill(world, of, amount=1000, number="INV-1")
    second = upstream.bill(world, of, amount=1000, number="INV-2")
    world.sync("vendors", "bills_whole", "approvals")
    shown = upstream.page(world, "Ada", f"bills/{second['_id']}/")
    compared = shown[shown.index("Possible duplicate, side by side") :].split("</table>")[0]
    assert f"bills/{first['_id']}/" in compared
    assert re.search(r'<tr class="differs">\s*<th scope="row">Number', compared)


def test_a_file_of_another_bill_is_not_there(world: World) -> None:
    file = upstream.upload(world, pdf(["One"]))
    upstream.bill(world, number="INV-1", attachments=[file["_id"]])
    other = upstream.bill(world, number="INV-2")
    world.sync("vendors", "bills_whole", "approvals")
    answer = world.client("Ada").get(world.address(f"bills/{other['_id']}/files/{file['_id']}/original/"))
    assert answer.status_code == 404


def test_each_payment_tells_what_happened_to_it_and_leads_to_its_approval(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
    made = upstream.bill(world, number="INV-1", amount=1000)
    payment = upstream.payment(world, made, amount=400)
    world.sync("vendors", "bills_whole", "approvals")
    shown = upstream.page(world, "Apollo", f"bills/{made['_id']}/")
    text = plain(shown).replace("\xa0", " ")
    assert "KES 400.00 Awaiting approval" in text
    assert "Approval requested by Ada" in text
    assert "KES 600.00 is not claimed" in text
    assert "Open in approvals" in text
    [requested] = [step for step in steps_of(shown) if "Approval requested by" in step]
    assert re.search(r"Approval requested by Ada.*\d\d:\d\d", requested)
    path = f"/bills/{made['_id']}/payments/{payment['payment_ref']}/reject"
    ask(world, "Apollo", "POST", path, {"reason": "Twice"})
    upsert_approvals(world.business, world.upstream("/approvals/all", ref=payment["payment_ref"])["docs"], "POLL")
    steps = steps_of(upstream.page(world, "Apollo", f"bills/{made['_id']}/"))
    assert any(re.search(r"Rejected by Apollo.*\d\d:\d\d", step) for step in steps), steps
    text = plain(upstream.page(world, "Ada", f"bills/{made['_id']}/"))
    assert "Awaiting approval" not in text


def test_whoever_did_not_ask_and_is_no_admin_withdraws_nothing(world: World) -> None:
    made = upstream.bill(world, number="INV-1")
    payment = upstream.payment(world, made)
    world.sync("vendors", "bills_whole", "approvals")
    address = world.address(f"bills/{made['_id']}/payments/{payment['payment_ref']}/withdraw/")
    assert world.client("Apollo").post(address).status_code == 403
    assert world.client("Selma").post(address).status_code == 403
    assert world.client("Ada").post(address).status_code == 302
    assert world.upstream(f"/bills/payments/{payment['payment_ref']}/status")["status"] == "WITHDRAWN"
    assert upstream.copied(world, "INV-1").approval_status == "TERMINATED"


def test_it_is_cancelled_with_a_reason_and_only_while_nothing_of_it_is_under_way(world: World) -> None:
    made, other = upstream.bill(world, number="INV-1"), upstream.bill(world, number="INV-2")
    upstream.payment(world, other)
    world.sync("vendors", "bills_whole", "approvals")
    address = world.address(f"bills/{made['_id']}/cancel/")
    assert world.client("Ada").post(address, {"reason": " "}).status_code == 422
    assert world.client("Ada").post(address, {"reason": "Sent twice."}).status_code == 302
    assert world.upstream(f"/bills/{made['_id']}")["status"] == "CANCELLED"
    assert upstream.copied(world, "INV-1").status == "CANCELLED"
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence__startswith="cancelled bill INV-1").exists()
    assert "Cancel bill" not in upstream.page(world, "Ada", f"bills/{other['_id']}/")
    refused = world.client("Ada").post(world.address(f"bills/{other['_id']}/cancel/"), {"reason": "Sent twice."})
    assert refused.status_code == 409
    assert "Sent twice." in refused.content.decode()


def test_without_the_service_the_last_copy_stands_and_says_so(proxied_world: World) -> None:
    world = proxied_world
    made = upstream.bill(world, number="INV-1")
    world.sync("vendors", "bills_whole", "approvals")
    assert world.proxy
    world.proxy.fail("refused")
    shown = upstream.page(world, "Ada", f"bills/{made['_id']}/")
    assert "did not answer" in shown
    assert "INV-1" in shown


@pytest.mark.parametrize("person", ["Selma", "Rita"])
def test_who_enters_no_bills_cancels_none(world: World, person: str) -> None:
    made = upstream.bill(world, number="INV-1")
    world.sync("vendors", "bills_whole", "approvals")
    answer = world.client(person).post(world.address(f"bills/{made['_id']}/cancel/"), {"reason": "No."})
    assert answer.status_code == 403
    assert world.upstream(f"/bills/{made['_id']}")["status"] == "OPEN"
