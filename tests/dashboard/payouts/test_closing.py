"""The closing sheet: its sums are those of the ledger, to the cent, and it says where they are not."""

from __future__ import annotations

import csv
import io

import pypdfium2

from dashboard.mirror.models import ApprovalRequest
from dashboard.pages.payouts.presenters.sheet import HEADING, ClosingSheet, closing_csv, closing_sheet
from dashboard.pages.payouts.presenters.sheet_pdf import closing_pdf
from dashboard.schemas.payments import PayoutItem, PayoutLedger
from tests.dashboard.conftest import World

SEEN = "5 January, 09:00"


def payment(number: str, status: str, amount: str = "100.00", name: str = "Grace", note: str = "") -> PayoutItem:
    return PayoutItem.model_validate(
        {"_id": number, "receiver_name": name, "channel": "MPESA_SEND_MONEY", "account": "254712345678", "amount": amount,
         "fee": "13", "status": status, "note": note}
    )  # fmt: skip


def ledger(*rows: tuple[str, int, int], **sums: int) -> PayoutLedger:
    out = sum(paid + fee for _, paid, fee in rows)
    sums_of = {"out_minor": out, "fees_minor": sum(fee for *_, fee in rows)} | sums
    return PayoutLedger.model_validate({
        "batch_no": "PB-1", "currency": "KES", **sums_of, "postings": [{"id": 1, "ref": "payout:PB-1:1", "out_minor": out}],
        "rows": [{"item_id": name, "out_minor": paid, "fee_minor": fee} for name, paid, fee in rows],
    })  # fmt: skip


NO_POSTINGS = ledger().model_copy(update={"postings": []})


def sheet(world: World, items: list[PayoutItem], held: PayoutLedger | None) -> ClosingSheet:
    payout = ApprovalRequest(business=world.business, title="Wages", ref="PB-1", currency="KES", kind="payout")
    return closing_sheet(world.actor("Ada"), payout, items, held, SEEN)


def test_what_is_open_is_called_open_and_the_sheet_is_not_final(world: World) -> None:
    made = sheet(
        world, [payment("a", "SUCCEEDED"), payment("b", "SENT"), payment("c", "QUEUED")], ledger(("a", 10_000, 1_300))
    )
    assert made.equal is True
    assert made.sentences[0] == "This sheet is not final: 2 payments are still open."
    assert [row.state for row in made.rows] == ["Paid", "Open", "Open"]
    assert (made.sums.sent, made.sums.open, made.sums.fees) == (10_000, 20_000, 1_300)


def test_what_is_on_its_way_is_never_said_not_to_have_been_sent(world: World) -> None:
    """A payment is handed to the rail before it is posted: no posting does not mean that nothing went out."""
    made = sheet(world, [payment("a", "SENT"), payment("b", "FAILED")], NO_POSTINGS)
    assert made.sentences[0] == "This sheet is not final: 1 payment is still open."
    printed = " ".join(made.sentences).lower()
    assert "nothing was sent" not in printed
    assert "no payment is recorded as sent" not in printed
    assert "the ledger has no postings of this payout yet" in printed

    ended = sheet(world, [payment("b", "FAILED")], NO_POSTINGS)
    assert "The ledger has no postings of this payout, and no payment of it is recorded as sent." in ended.sentences


def test_a_cent_of_difference_is_said_with_its_row(world: World) -> None:
    made = sheet(world, [payment("a", "SUCCEEDED")], ledger(("a", 9_999, 1_300)))
    assert made.equal is False
    assert made.sentences[0] == "The sheet is not equal to the ledger."
    assert any(sentence.startswith("Row 1, Grace") for sentence in made.differences)
    assert "not equal to the ledger" in closing_csv(made)


def test_what_the_ledger_holds_and_no_row_says_is_a_difference(world: World) -> None:
    made = sheet(world, [payment("a", "FAILED")], ledger(("a", 10_000, 1_300)))
    assert made.equal is False
    extra = sheet(world, [payment("a", "SUCCEEDED")], ledger(("a", 10_000, 1_300), other_minor=5))
    assert extra.equal is False


def test_a_reversal_stands_beside_what_was_sent(world: World) -> None:
    made = sheet(world, [payment("a", "RETURNED")], ledger(("a", 10_000, 1_300), reversed_minor=10_000))
    assert made.equal is True
    assert (made.sums.sent, made.sums.reversed) == (10_000, 10_000)


def test_without_the_ledger_nothing_is_claimed(world: World) -> None:
    made = sheet(world, [payment("a", "SUCCEEDED")], None)
    assert made.equal is None
    assert "not compared" in made.sentences[0]


def test_a_large_sheet_has_all_rows_on_its_pages(world: World) -> None:
    items = [payment(str(number), "FAILED", name=f"Person {number}") for number in range(300)]
    document = pypdfium2.PdfDocument(closing_pdf(sheet(world, items, ledger())))
    printed = "".join(page.get_textpage().get_text_range() for page in document)
    assert all(f"Person {number} " in printed for number in range(300))
    assert f"page {len(document)} of {len(document)}" in printed


def test_a_name_the_font_lacks_is_said_and_whole_in_the_csv(world: World) -> None:
    made = sheet(world, [payment("a", "FAILED", name="\u5f20\u4f1f")], ledger())
    printed = pypdfium2.PdfDocument(closing_pdf(made))[0].get_textpage().get_text_range()
    assert "the CSV file has them" in printed
    assert "\u5f20\u4f1f" in closing_csv(made)


def cells(made: ClosingSheet) -> list[list[str]]:
    return list(csv.reader(io.StringIO(closing_csv(made))))


def printed_lines(made: ClosingSheet) -> list[str]:
    text = pypdfium2.PdfDocument(closing_pdf(made))[0].get_textpage().get_text_range()
    return [line.strip() for line in text.splitlines()]


def test_what_a_payment_is_for_stands_with_it_whole(world: World) -> None:
    purpose = f"Reimbursement of {'Taxi to the airport, receipt 118, ' * 5}and back"
    made = sheet(
        world,
        [
            payment("a", "SUCCEEDED", note=purpose),
            payment("b", "FAILED", name="Brian"),
            payment("c", "FAILED", note="=1+1"),
        ],
        ledger(("a", 10_000, 1_300)),
    )
    heading, *rows = cells(made)
    assert heading == [*HEADING, "Note"]
    # What a spreadsheet would work out is text.
    assert [row[len(HEADING) :] for row in rows[:4]] == [[purpose], [""], ["'=1+1"], []]
    lines = printed_lines(made)
    at = next(place for place, line in enumerate(lines) if line.startswith("Grace"))
    assert " ".join(lines[at + 1 : at + 3]) == purpose.strip()
    assert lines[at + 3].startswith("Brian")
    assert "Note" in lines


def test_a_sheet_of_payments_without_notes_has_no_place_for_them(world: World) -> None:
    made = sheet(world, [payment("a", "SUCCEEDED")], ledger(("a", 10_000, 1_300)))
    assert cells(made)[0] == list(HEADING)
    assert "Note" not in printed_lines(made)
