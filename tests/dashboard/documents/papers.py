"""Files as people send them in: real PDFs and pictures, drawn here; and those that mean harm."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from PIL import Image, ImageDraw
from pypdf import PdfReader, PdfWriter
from pypdf.actions import JavaScript

INVOICE: tuple[str | tuple[str, ...], ...] = (
    "OTIENO & SONS LTD", "Tax Invoice 2291", ("Invoice date", "18 Nov 2026"), ("Due date", "21 Dec 2026"),
    ("Subtotal", "1,075.86"), ("VAT 16 %", "172.14"), ("Total", "KES 1,248.00"), "PIN P051234588K",
)  # fmt: skip


def pdf(*pages: Sequence[str | tuple[str, ...]], size: tuple[int, int] = (595, 842)) -> bytes:
    """A PDF of these pages; each is lines, from the top, and a tuple is a line of columns."""
    fonts = b"<< /Font << /F1 3 0 R >> >>"
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    kids = []
    for lines in pages:
        drawn = b"\n".join(_drawn(lines, size[1]))
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn))
        box = b"[0 0 %d %d]" % size
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox %b /Resources %b /Contents %d 0 R >>" % (box, fonts, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b" ".join(kids), len(kids))
    out, places = b"%PDF-1.7\n", []
    for number, held in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 %d\n0000000000 65535 f \n%btrailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1, table, len(objects) + 1, len(out),
    )  # fmt: skip


def _drawn(lines: Sequence[str | tuple[str, ...]], high: int) -> list[bytes]:
    drawn = []
    for place, line in enumerate(lines):
        for column, words in enumerate((line,) if isinstance(line, str) else line):
            quoted = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            tall = 18 if place == 0 else 11
            drawn.append(
                f"BT /F1 {tall} Tf {60 + column * 260} {high - 60 - place * 24} Td ({quoted}) Tj ET".encode("cp1252")
            )
    return drawn


def changed(content: bytes, **what: Any) -> bytes:
    """A PDF with `attached` (name → bytes) inside, a `script` that runs when it is opened, or a `password`."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    for name, inside in what.get("attached", {}).items():
        writer.add_attachment(name, inside)
    if "script" in what:
        writer.add_open_action(JavaScript(what["script"]))
    if "password" in what:
        writer.encrypt(what["password"], algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def photograph(lines: Sequence[str], *, size: tuple[int, int] = (600, 800), orientation: int = 1) -> bytes:
    """A JPEG with these lines in large letters, held by the camera as its EXIF says."""
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    for place, line in enumerate(lines):
        pen.text((40, 40 + place * 60), line, fill="black", font_size=34)
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    picture.save(out, "JPEG", exif=exif)
    return out.getvalue()


def picture_bomb(side: int = 30_000) -> bytes:
    """A PNG of a few kilobytes that says it has 900 megapixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    data = zlib.compress(bytes(1_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def content_bomb(times: int = 400) -> bytes:
    """A PDF of some kilobytes whose page draws its content without end: each form draws the one below it often."""
    forms = 9
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects.append(
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>"
    )
    objects.append(_stream(b"", b"/X Do\n" * times))
    for number in range(forms):
        last = number == forms - 1
        below = b"" if last else b"/Resources << /XObject << /X %d 0 R >> >>" % (6 + number)
        drawn = b"0 0 600 800 re f 10 10 m 500 700 l S\n" * 50 if last else b"/X Do\n" * times
        objects.append(_stream(b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] " + below, drawn))
    out, places = b"%PDF-1.7\n", []
    for number, held in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 %d\n0000000000 65535 f \n%btrailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1, table, len(objects) + 1, len(out),
    )  # fmt: skip


def _stream(words: bytes, drawn: bytes) -> bytes:
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (words, len(drawn), drawn)


# Of an e-invoice: description, quantity, price, amount before tax, rate. With their tax they come to 1248.00.
LINES = (("Paper A4, box", "10", "55.00", "550.00", "16.00"), ("Toner for C-20", "1", "525.86", "525.86", "16.00"))


def _cii_line(description: str, quantity: str, price: str, net: str, rate: str) -> str:
    return f"""<ram:IncludedSupplyChainTradeLineItem>
 <ram:SpecifiedTradeProduct><ram:Name>{description}</ram:Name></ram:SpecifiedTradeProduct>
 <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>{price}</ram:ChargeAmount>
 </ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
 <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">{quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
 <ram:SpecifiedLineTradeSettlement>
  <ram:ApplicableTradeTax><ram:RateApplicablePercent>{rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>
  <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>{net}</ram:LineTotalAmount>
  </ram:SpecifiedTradeSettlementLineMonetarySummation>
 </ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>"""


def _ubl_line(description: str, quantity: str, price: str, net: str, rate: str) -> str:
    return f"""<cac:InvoiceLine><cbc:InvoicedQuantity>{quantity}</cbc:InvoicedQuantity>
 <cbc:LineExtensionAmount currencyID="KES">{net}</cbc:LineExtensionAmount>
 <cac:Item><cbc:Name>{description}</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>{rate}</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item>
 <cac:Price><cbc:PriceAmount currencyID="KES">{price}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>"""


Lines = Sequence[tuple[str, str, str, str, str]]


def factur_x(total: str = "1248.00", *, currency: str = "KES", head: str = "", lines: Lines = ()) -> bytes:
    """The XML of a Factur-X invoice."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>{head}
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
 <rsm:ExchangedDocument><ram:ID>2291</ram:ID>
  <ram:IssueDateTime><udt:DateTimeString format="102">20261118</udt:DateTimeString></ram:IssueDateTime>
 </rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>{"".join(_cii_line(*line) for line in lines)}
  <ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Otieno &amp; Sons Ltd</ram:Name></ram:SellerTradeParty>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>{currency}</ram:InvoiceCurrencyCode>
   <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20261221</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    <ram:TaxTotalAmount currencyID="{currency}">172.14</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>{total}</ram:GrandTotalAmount><ram:DuePayableAmount>{total}</ram:DuePayableAmount>
   </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>""".encode()


def ubl(total: str = "1248.00", *, seller: str = "Otieno &amp; Sons Ltd", head: str = "", lines: Lines = ()) -> bytes:
    """A UBL invoice."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>{head}
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:ID>2291</cbc:ID><cbc:IssueDate>2026-11-18</cbc:IssueDate><cbc:DueDate>2026-12-21</cbc:DueDate><cbc:DocumentCurrencyCode>KES</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>{seller}</cbc:Name></cac:PartyName></cac:Party>
 </cac:AccountingSupplierParty>
 <cac:TaxTotal><cbc:TaxAmount currencyID="KES">172.14</cbc:TaxAmount></cac:TaxTotal>
 <cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount currencyID="KES">{total}</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
{"".join(_ubl_line(*line) for line in lines)}</Invoice>""".encode()


def credit_note(total: str = "1284.00") -> bytes:
    """A PDF with a UBL credit note inside."""
    note = ubl(total).replace(b"<Invoice ", b"<CreditNote ").replace(b"</Invoice>", b"</CreditNote>")
    return changed(pdf(["OTIENO & SONS LTD", "Credit note 9"]), attached={"factur-x.xml": note})
