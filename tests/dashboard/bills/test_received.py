"""Bills by e-mail, against the real service: a message at the door or in the folder waits on the list with what was read, a
person makes the bill of it, and whatever a stranger sends is listed or refused and never entered by itself."""

import base64
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client

from dashboard.audit.models import AuditEntry
from dashboard.inbound_mail import services
from dashboard.inbound_mail.models import ReceivedAttachment, ReceivedMessage
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import enter, value
from tests.dashboard.conftest import World
from tests.dashboard.documents.papers import INVOICE, content_bomb, pdf, photograph, ubl

SECRET = "mail-door-secret"
DOOR = "/-/mail/bills/"


@pytest.fixture(autouse=True)
def _door(settings: Any) -> None:
    settings.INBOUND_MAIL_DOMAIN, settings.INBOUND_MAIL_SECRETS = "in.example", [SECRET]


def message(
    world: World, *files: tuple[bytes, str, str], sender: str = "Mary <bills@otieno.example>", **head: str
) -> EmailMessage:
    mail = EmailMessage()
    given = {
        "From": sender, "To": f"bills+{world.business.slug}@in.example", "Subject": "Your invoice", "Message-ID": "<1@otieno>",
        **{name.replace("_", "-"): text for name, text in head.items()},
    }  # fmt: skip
    for name, text in given.items():
        mail[name] = text
    mail.set_content("Please find our invoice.")
    for content, kind, name in files:
        maintype, _, subtype = kind.partition("/")
        mail.add_attachment(content, maintype=maintype, subtype=subtype, filename=name)
    return mail


def messages_of(world: World) -> QuerySet[ReceivedMessage]:
    return ReceivedMessage.objects.filter(business=world.business)


def files_of(world: World) -> QuerySet[ReceivedAttachment]:
    return ReceivedAttachment.objects.filter(message__business=world.business)


def deliver(raw: bytes, *, authorization: str = f"Bearer {SECRET}", query: str = "") -> Any:
    headers = {"Authorization": authorization} if authorization else {}
    return Client().post(DOOR + query, raw, content_type="message/rfc822", headers=headers)


def invoice(world: World, **head: str) -> bytes:
    return bytes(message(world, (pdf(INVOICE), "application/pdf", "bill.pdf"), **head))


def listed(world: World, person: str = "Ada", query: str = "") -> str:
    return upstream.page(world, person, f"bills/received/{query}")


def review(world: World, attachment: ReceivedAttachment, person: str = "Ada") -> Any:
    return world.client(person).post(world.address(f"bills/received/files/{attachment.pk}/enter/"), follow=True)


def test_a_pdf_by_mail_waits_with_what_was_read_and_becomes_a_bill_by_the_form_of_a_dropped_file(world: World) -> None:
    vendor = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    assert deliver(invoice(world)).status_code == 204
    assert "Not read yet" in listed(world)
    services.read_waiting()
    shown = listed(world)
    assert "Your invoice" in shown
    assert "bills@otieno.example" in shown
    assert "not the address of a known vendor" in shown
    assert "can be forged" in shown
    assert "2291" in shown
    assert not world.upstream("/bills")["docs"]
    attachment = files_of(world).get()
    form = review(world, attachment).content.decode()
    assert f'value="{vendor["_id"]}" selected' in form
    assert (value(form, "bill_no"), value(form, "received")) == ("2291", str(attachment.pk))
    assert "Received by email from" in form
    answer = enter(world, vendor, bill_no="2291", received=str(attachment.pk), file_id=value(form, "file_id"))
    row = upstream.copied(world, "2291")
    assert answer["Location"] == world.address(f"bills/{row.remote_id}/")
    assert [file["file_name"] for file in world.upstream(f"/bills/{row.remote_id}")["attachments"]] == ["bill.pdf"]
    assert "No messages waiting" in listed(world)
    assert "Entered as bill" in listed(world, query="?show=all")


def test_the_same_message_twice_is_listed_once_and_another_one_under_its_id_is_not_lost(world: World) -> None:
    raw = invoice(world)
    for _ in range(2):
        assert deliver(raw).status_code == 204
    assert deliver(b"Received: by another.relay\r\n" + raw).status_code == 204
    assert messages_of(world).count() == 1
    other = message(world, (pdf([("Another bill",)]), "application/pdf", "other.pdf"), Subject="Another")
    assert deliver(bytes(other)).status_code == 204
    assert messages_of(world).count() == 2


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        ("", 401),
        ("Bearer wrong", 401),
        ("Bearer ", 401),
        ("Basic ###", 401),
        (f"Digest {SECRET}", 401),
        ("Basic " + base64.b64encode(b"provider:wrong").decode(), 401),
        ("Basic " + base64.b64encode(f"provider:{SECRET}".encode()).decode(), 204),
    ],
)
def test_the_door_opens_to_the_secret_alone(world: World, authorization: str, status: int) -> None:
    assert deliver(invoice(world), authorization=authorization).status_code == status
    assert messages_of(world).count() == int(status == 204)


def test_without_a_secret_there_is_no_door(world: World, settings: Any) -> None:
    settings.INBOUND_MAIL_SECRETS = []
    assert deliver(invoice(world)).status_code == 404


@pytest.mark.parametrize(
    "to", ["bills+nobody@in.example", "bills+{slug}@elsewhere.example", "{slug}@in.example", "", "@"]
)
def test_a_message_to_nobody_here_is_refused(world: World, to: str) -> None:
    assert deliver(invoice(world, To=to.format(slug=world.business.slug))).status_code == 404
    assert not messages_of(world).exists()


def test_a_blind_copy_is_delivered_by_the_recipient_of_the_envelope(world: World) -> None:
    raw = invoice(world, To="undisclosed@otieno.example")
    assert deliver(raw, query=f"?to=bills%2B{world.business.slug}@in.example").status_code == 204
    assert "Your invoice" in listed(world)


def test_what_is_wrong_with_a_message_stands_on_the_list(world: World) -> None:
    nothing = message(world, Subject="Only words", Message_ID="<2@x>")
    secret = message(world, (b"0\x80", "application/pkcs7-mime", "smime.p7m"), Subject="Sealed", Message_ID="<3@x>")
    broken = message(
        world, (b"%PDF-1.7 and no more", "application/pdf", "half.pdf"), Subject="Half", Message_ID="<4@x>"
    )
    large = invoice(world, Subject="Huge", Message_ID="<5@x>") + b"\n" * (25 * 1024 * 1024)
    for mail in (nothing, secret, broken):
        assert deliver(bytes(mail)).status_code == 204
    assert deliver(large).status_code == 413
    services.read_waiting()
    shown = listed(world)
    for sentence in ("has no PDF, picture or XML", "is encrypted", "file is damaged", "larger than 25 MB"):
        assert sentence in shown, sentence
    for subject in ("Only words", "Sealed", "Half", "Huge"):
        assert subject in shown


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff" * 50,
        b"From: \x00<script>\r\nSubject: =?utf-8?b?////?=\r\nTo: bills+{slug}@in.example\r\nContent-Type: ;;;\r\n\r\nx",
        b"To: bills+{slug}@in.example\nSubject: =?x-nope?q?=FF?= \xff\nContent-Type: multipart/mixed; boundary=b\n\n--b",
        b"To: bills+{slug}@in.example\nContent-Type: multipart/mixed\n\n",
        b"To: bills+{slug}@in.example\nContent-Type: multipart/mixed; boundary=a\n\n"
        + b"--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 3000,
        b"To: bills+{slug}@in.example\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n%%%%",
    ],
)
def test_no_message_however_broken_is_an_error(world: World, raw: bytes) -> None:
    answer = deliver(raw.replace(b"{slug}", world.business.slug.encode()))
    assert answer.status_code in {204, 404}
    services.read_waiting()
    assert "<script>" not in listed(world).partition("<main")[2].partition("</main>")[0]


def test_xml_fills_the_form_though_the_service_takes_no_such_file(world: World) -> None:
    vendor = upstream.vendor(world, "Otieno & Sons Ltd")
    world.sync("vendors", "bills_whole", "approvals")
    mail = message(world, (ubl(), "application/xml", "invoice.xml"))
    assert deliver(bytes(mail)).status_code == 204
    services.read_waiting()
    attachment = files_of(world).get()
    form = review(world, attachment).content.decode()
    assert f'value="{vendor["_id"]}" selected' in form
    assert value(form, "file_id") == ""
    assert enter(world, vendor, bill_no="X-1", received=str(attachment.pk)).status_code == 302
    assert not messages_of(world).get().is_open


def test_the_same_file_as_a_bill_or_another_message_is_said(world: World) -> None:
    vendor = upstream.vendor(world, "Otieno & Sons Ltd")
    content = pdf(INVOICE)
    stored = upstream.upload(world, content)
    upstream.bill(world, vendor, number="OLD-1", attachments=[stored["_id"]])
    world.sync("vendors", "bills_whole", "approvals")
    first = message(world, (content, "application/pdf", "a.pdf"), Subject="First", Message_ID="<a@x>")
    again = message(world, (content, "application/pdf", "b.pdf"), Subject="Again", Message_ID="<b@x>")
    for mail in (first, again):
        deliver(bytes(mail))
    services.read_waiting()
    shown = listed(world)
    assert "OLD-1" in shown
    assert "Another message has the same file" in shown
    form = review(world, files_of(world).get(message__subject="First")).content.decode()
    assert "Possible duplicates" in form


def test_a_photograph_is_usable_and_a_small_logo_in_the_text_is_not(world: World) -> None:
    mail = message(
        world, (pdf(INVOICE), "application/pdf", "bill.pdf"), (photograph(["Paid"]), "image/jpeg", "photo.jpg")
    )
    mail.add_attachment(photograph(["Logo"]), maintype="image", subtype="jpeg", filename="logo.jpg", cid="<logo>")
    deliver(bytes(mail))
    assert [row.file_name for row in files_of(world).order_by("position")] == ["bill.pdf", "photo.jpg"]


def test_a_known_vendors_address_is_named_and_still_proves_nothing(world: World) -> None:
    upstream.vendor(world, "Otieno & Sons Ltd", email="bills@otieno.example")
    world.sync("vendors", "bills_whole", "approvals")
    deliver(invoice(world, sender="Somebody <BILLS@otieno.example>"))
    shown = listed(world)
    assert "The address of Otieno &amp; Sons Ltd" in shown
    assert "can be forged" in shown


def test_a_dismissed_message_leaves_the_list_and_the_audit_says_who(world: World) -> None:
    deliver(invoice(world))
    received = messages_of(world).get()
    for _ in range(2):
        assert world.client("Ada").post(world.address(f"bills/received/{received.pk}/dismiss/")).status_code == 302
    assert "No messages waiting" in listed(world)
    assert "Dismissed by Ada" in listed(world, query="?show=all")
    said = AuditEntry.objects.filter(chain=world.business.pk, sentence__startswith="dismissed the email “Your invoice”")
    assert said.count() == 1


def test_only_who_may_enter_bills_sees_it_and_no_other_business(world: World, new_world: Any) -> None:
    deliver(invoice(world))
    attachment = files_of(world).get()
    for person in ("Selma", "Carla"):
        for path in ("bills/received/", f"bills/received/files/{attachment.pk}/"):
            assert world.client(person).get(world.address(path)).status_code == 403
        assert review(world, attachment, person).status_code == 403
    other = new_world()
    assert "Your invoice" not in listed(other)
    assert other.client("Ada").get(other.address(f"bills/received/files/{attachment.pk}/")).status_code == 404
    assert review(other, attachment).status_code == 404
    assert other.client("Ada").get(other.address(f"bills/new/?received={attachment.pk}")).status_code == 404
    assert other.client("Ada").get(other.address("bills/new/?received=nonsense")).status_code == 404


def test_the_folder_is_read_and_its_files_are_moved_aside(world: World, settings: Any, tmp_path: Path) -> None:
    settings.INBOUND_MAIL_FOLDER = str(tmp_path)
    (tmp_path / "a.eml").write_bytes(invoice(world))
    (tmp_path / "b.eml").write_bytes(invoice(world, To="bills+nobody@in.example"))
    (tmp_path / "notes.txt").write_text("no message")
    assert services.has_mail()
    assert services.read_mailbox() == 2
    assert not services.has_mail()
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.eml")) == [
        "received/a.eml",
        "undelivered/b.eml",
    ]
    assert "Your invoice" in listed(world)


def test_a_file_that_costs_too_much_is_said_and_those_behind_it_are_read(world: World) -> None:
    costly = message(world, (content_bomb(), "application/pdf", "bomb.pdf"), Subject="Bomb", Message_ID="<bomb@x>")
    deliver(bytes(costly))
    deliver(invoice(world, Subject="Behind"))
    services.read_waiting()
    assert not files_of(world).filter(read_at=None).exists()
    shown = listed(world)
    assert "Behind" in shown
    assert "2291" in shown
