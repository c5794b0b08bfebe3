"""The bank file of a payout: read anew it says what the batch says, to the cent, in the structure that the message demands."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import ApprovalRequest
from dashboard.pages.payouts.presenters.bank_file import (
    NAMESPACE,
    BankFile,
    Debtor,
    bank_file,
    bank_file_xml,
    check_written,
    latin,
)
from dashboard.payout_files.models import DraftOrigin
from dashboard.payout_files.services import related_payouts, remember_bank_file, remember_origin
from dashboard.schemas.payments import PayoutItem
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import (
    GRACE,
    PESALINK,
    make,
    make_anyway,
    meant,
    only,
    page,
    post,
    signed_in,
    table,
)

NOW, DAY = datetime(2026, 1, 5, 9, 0), date(2026, 1, 6)  # noqa: DTZ001  the business's own clock, as the message has it
ME = Debtor("Kilima \u00c9nergie & Co", "0110234567", "68", "KES")
IBAN = "NL91ABNA0417164300"


def payment(channel: str, account: str, amount: str, bank: str = "", **more: str) -> PayoutItem:
    row = {"_id": f"item{account}", "receiver_name": "Brian Kiptoo", "channel": channel, "account": account}
    return PayoutItem.model_validate(row | {"bank_code": bank, "amount": amount, "status": "FAILED"} | more)


def payout(status: str = "FAILED") -> ApprovalRequest:
    return ApprovalRequest(title="Wages", ref="PB-20260105-00001", currency="KES", kind="payout", status=status)


PAYMENTS = [
    payment("BANK_PESALINK", "0110234567", "1500.50", "68", receiver_name="Br\u00efan \u0141 <Kiptoo> //", note="R\u00e9f. 7 & more"),
    payment("BANK_SWIFT", IBAN, "20000.07", "ABNANL2A", account_reference="INV-7"),
    payment("MPESA_SEND_MONEY", "254712345678", "5"),
    payment("BANK_SWIFT", "NL91ABNA0417164301", "5", "ABNANL2A"),
    payment("BANK_EFT", "0110234568", "5"),
    payment("BANK_EFT", "0110234569", "5", "68", status="SUCCEEDED"),
]  # fmt: skip


def tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def order(element: ET.Element) -> list[str]:
    return [child.tag.removeprefix(f"{{{NAMESPACE}}}") for child in element]


def written() -> ET.Element:
    return ET.fromstring(bank_file_xml(payout(), bank_file(payout(), PAYMENTS), ME, NOW, DAY))


def test_what_cannot_go_into_it_is_named_with_its_row_and_why() -> None:
    file = bank_file(payout(), PAYMENTS)
    assert [number for number, _ in file.payments] == [1, 2]
    assert [(row.number, row.why) for row in file.excluded] == [
        (3, "it does not go to a bank account"), (4, "its IBAN is not valid"),
        (5, "it has neither an IBAN nor a bank code"), (6, "it is paid already"),
    ]  # fmt: skip
    assert file.sum_minor == 2_150_057


def test_read_anew_it_says_what_the_batch_says_to_the_cent() -> None:
    root = written()
    amounts = [Decimal(element.text or "") for element in root.iter(tag("InstdAmt"))]
    assert amounts == [Decimal("1500.50"), Decimal("20000.07")]
    assert [element.text for element in root.iter(tag("CtrlSum"))] == ["21500.57"] * 2
    assert [element.text for element in root.iter(tag("NbOfTxs"))] == ["2"] * 2
    assert {element.get("Ccy") for element in root.iter(tag("InstdAmt"))} == {"KES"}
    assert [element.text for element in root.iter(tag("IBAN"))] == [IBAN]
    assert [element.text for element in root.iter(tag("Ustrd"))] == ["Ref. 7 more", "INV-7"]


def test_its_elements_stand_in_the_order_of_the_message() -> None:
    [message] = written()
    assert order(message) == ["GrpHdr", "PmtInf"]
    header, information = message
    assert order(header) == ["MsgId", "CreDtTm", "NbOfTxs", "CtrlSum", "InitgPty"]
    assert order(information) == [
        "PmtInfId", "PmtMtd", "BtchBookg", "NbOfTxs", "CtrlSum", "ReqdExctnDt", "Dbtr", "DbtrAcct", "DbtrAgt", "ChrgBr",
        "CdtTrfTxInf", "CdtTrfTxInf",
    ]  # fmt: skip
    assert [order(transfer) for transfer in information[-2:]] == [
        ["PmtId", "Amt", "CdtrAgt", "Cdtr", "CdtrAcct", "RmtInf"]
    ] * 2
    assert order(information[-1][0]) == ["InstrId", "EndToEndId"]
    assert information.findtext(f"{tag('ReqdExctnDt')}/{tag('Dt')}") == "2026-01-06"


def test_its_texts_are_as_long_and_of_the_characters_that_banks_take() -> None:
    root = written()
    longest = {"MsgId": 35, "PmtInfId": 35, "InstrId": 35, "EndToEndId": 35, "Nm": 140, "Ustrd": 140, "MmbId": 35}
    for name, length in longest.items():
        for element in root.iter(tag(name)):
            assert element.text
            assert len(element.text) <= length
            assert re.fullmatch(r"[A-Za-z0-9/\-?:().,'+ ]+", element.text)
    assert [element.text for element in root.iter(tag("Nm"))] == [
        "Kilima Energie Co", "Kilima Energie Co", "Brian Kiptoo", "Brian Kiptoo",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kept"), [("\u5f20\u4f1f", ""), ("a//b", "a/b"), ("x" * 50, "x" * 35), ("/ab/", "ab")]
)
def test_a_text_is_brought_into_the_characters_of_the_message(text: str, kept: str) -> None:
    assert latin(text, 35) == kept


def test_a_file_that_would_say_another_sum_is_not_written() -> None:
    file = bank_file(payout(), PAYMENTS)
    content = bank_file_xml(payout(), file, ME, NOW, DAY)
    with pytest.raises(ValueError, match="control sum"):
        check_written(content, payout(), BankFile(file.payments, file.sum_minor + 1, []))
    with pytest.raises(ValueError, match="number of transactions"):
        check_written(content, payout(), BankFile([*file.payments, *file.payments], file.sum_minor, []))


@pytest.mark.parametrize("status", ["DRAFT", "PENDING_APPROVAL", "PROCESSING", "ON_HOLD", "COMPLETED", "CANCELLED"])
def test_what_was_not_approved_or_is_paid_here_has_no_file(status: str) -> None:
    assert "what was approved" in bank_file(payout(status), PAYMENTS).problem


def test_a_draft_says_why_it_has_none_and_only_who_initiates_opens_it(world: World) -> None:
    make(world, table(GRACE))
    row = only(world)
    assert "what was approved" in page(world, "Ada", f"{row.remote_id}/bank-file/")
    assert world.client("Selma").get(world.address(f"payouts/{row.remote_id}/bank-file/")).status_code == 403


def test_its_download_stands_in_the_audit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    make(world, table(GRACE))
    row = only(world)
    ApprovalRequest.objects.filter(pk=row.pk).update(status="FAILED")

    def failed(*_: object) -> list[PayoutItem]:
        return PAYMENTS

    monkeypatch.setattr("dashboard.pages.payouts.views.bank_files.read_payments", failed)
    client, address = signed_in(world, "Ada"), world.address(f"payouts/{row.remote_id}/bank-file/")
    assert "Row 3" in client.get(address).content.decode()
    assert client.post(address, {"account": "NL91ABNA0417164301", "day": "2099-01-01"}).status_code == 422
    assert client.post(address, {"account": "0110234567", "day": "2099-01-01"}).status_code == 422
    assert client.post(address, {"account": IBAN, "day": "2001-01-01"}).status_code == 422
    before = AuditEntry.objects.count()
    answer = client.post(address, {"account": IBAN, "day": "2099-01-01"})
    assert answer.status_code == 200, answer.content.decode()
    assert answer["Content-Type"] == "application/xml"
    assert ET.fromstring(answer.content).tag == tag("Document")
    [entry] = AuditEntry.objects.order_by("pk")[before:]
    assert entry.sentence.startswith("downloaded a bank file of payout Wages: 2 payments")


def test_what_stands_in_a_downloaded_file_is_not_paid_here_before_it_is_said_that_the_bank_does_not(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(world, table(GRACE, "Brian Kiptoo\tPesaLink\t0110234567\tEquity Bank Kenya\t\t20000\t"))
    row = only(world)
    [whole] = world.upstream("/payments", batch_no=row.ref)["docs"]
    items = [PayoutItem.model_validate(item | {"status": "FAILED"}) for item in whole["items"]]
    ApprovalRequest.objects.filter(pk=row.pk).update(status="FAILED")
    for view in ("bank_files", "payouts", "entry"):
        monkeypatch.setattr(f"dashboard.pages.payouts.views.{view}.read_payments", lambda *_: items)
    client, address = signed_in(world, "Ada"), world.address(f"payouts/{row.remote_id}/bank-file/")
    form = {"account": IBAN, "day": "2099-01-01"}
    assert client.post(address, form).status_code == 200
    shown = page(world, "Ada", f"{row.remote_id}/").replace("\xa0", " ")
    assert "the bank may have paid the payments in them" in shown
    assert "1 payment, KES 20,000.00" in shown

    # A second file asks first.
    again = client.post(address, form)
    assert again.status_code == 422
    assert "confirm that the bank does not pay them" in again.content.decode()
    assert client.post(address, form | {"file_known": "on"}).status_code == 200

    # So does paying the failed ones again, and the draft is made only with both ticks.
    mark = meant(post(world, "Ada", f"{row.remote_id}/again", failed="1"))
    for ticks in ({}, {"meant": mark}):
        asked = post(world, "Ada", f"{row.remote_id}/again", failed="1", **ticks)
        assert asked.status_code == 409
        assert "file_known_again" in asked.content.decode()
    assert post(world, "Ada", f"{row.remote_id}/again", failed="1", meant=mark, file_known="1").status_code == 302

    # And the code: it is not sent on to the service without the tick.
    ApprovalRequest.objects.filter(pk=row.pk).update(status="AWAITING_CODE")
    refused = post(world, "Apollo", f"{row.remote_id}/confirm", intent_id="i", code="123456")
    assert refused.status_code == 422
    assert "confirm that the bank does not pay them" in refused.content.decode()
    ApprovalRequest.objects.filter(pk=row.pk).update(status="DRAFT")
    assert post(world, "Ada", f"{row.remote_id}/initiate").status_code == 422
    assert ApprovalRequest.objects.get(pk=row.pk).status == "DRAFT"


def test_a_pasted_payment_that_stands_in_a_bank_file_of_a_failed_payout_is_shown_as_a_repeat(world: World) -> None:
    make(world, table(GRACE))
    row = only(world)
    ApprovalRequest.objects.filter(pk=row.pk).update(status="FAILED")
    remember_bank_file(world.business, row.remote_id, by_name="Ada", rows=[1], sum_minor=150_050)
    answer = make(world, table(GRACE), name="Once more")
    assert answer.status_code == 409
    assert f"the same as in Wages ({row.ref}" in answer.content.decode()


def test_the_file_of_a_first_payout_is_known_at_the_copy_of_its_copy_and_at_its_other_copies(world: World) -> None:
    make(world, table(GRACE))
    first = only(world)
    make_anyway(world, table(GRACE), name="The last of them")
    last = ApprovalRequest.objects.get(business=world.business, kind="payout", title="The last of them")
    copies = {"b" * 24: first.remote_id, "c" * 24: "b" * 24, "d" * 24: "c" * 24, "e" * 24: first.remote_id}
    last_id = "f" * 24
    for payout_id, origin in {**copies, last_id: "d" * 24}.items():
        remember_origin(world.business, payout_id, copied_from=origin)
    ApprovalRequest.objects.filter(pk=last.pk).update(remote_id=last_id)
    assert set(related_payouts(world.business, last_id)) == {first.remote_id, *copies, last_id}
    assert set(related_payouts(world.business, "e" * 24)) == {first.remote_id, *copies, last_id}
    remember_bank_file(world.business, first.remote_id, by_name="Ada", rows=[1], sum_minor=150_050)
    refused = post(world, "Ada", f"{last_id}/initiate")
    assert refused.status_code == 422
    shown = refused.content.decode()
    assert "confirm that the bank does not pay them" in shown
    assert f"of Wages ({first.ref})" in shown


def test_what_a_copy_of_a_copy_pays_goes_into_no_file_before_it_is_said_that_it_is_another_payment(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(world, table(PESALINK))
    row = only(world)
    make_anyway(world, table(PESALINK), name="The copy that pays")
    copy = ApprovalRequest.objects.get(business=world.business, kind="payout", title="The copy that pays")
    remember_origin(world.business, "b" * 24, copied_from=row.remote_id)
    DraftOrigin.objects.filter(payout_id=copy.remote_id).update(copied_from="b" * 24)
    # So long ago that nobody compares with it by itself.
    ApprovalRequest.objects.filter(pk=copy.pk).update(requested_at=timezone.now() - timedelta(days=40))
    [whole] = world.upstream("/payments", batch_no=row.ref)["docs"]
    items = [PayoutItem.model_validate(item | {"status": "FAILED"}) for item in whole["items"]]
    ApprovalRequest.objects.filter(pk=row.pk).update(status="FAILED")
    monkeypatch.setattr("dashboard.pages.payouts.views.bank_files.read_payments", lambda *_: items)
    client, address = signed_in(world, "Ada"), world.address(f"payouts/{row.remote_id}/bank-file/")
    assert f"the same as in The copy that pays ({copy.ref}" in client.get(address).content.decode()
    form = {"account": IBAN, "day": "2099-01-01"}
    refused = client.post(address, form)
    assert refused.status_code == 409
    assert client.post(address, form | {"meant": "1"}).status_code == 409
    answer = client.post(address, form | {"meant": meant(refused)})
    assert answer["Content-Type"] == "application/xml"
