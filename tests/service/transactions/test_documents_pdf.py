"""A PDF that does something by itself is refused, however it is hidden; one that only shows something is kept."""

import io
from collections.abc import Callable

import pytest
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from service.documents import checked_bytes
from service.errors import ServiceError

N = NameObject


def pdf(change: Callable[[PdfWriter], object] = lambda _: None) -> bytes:
    writer, file = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    change(writer)
    writer.write(file)
    return file.getvalue()


def action(kind: str, **more: object) -> DictionaryObject:
    return DictionaryObject({N("/Type"): N("/Action"), N("/S"): N(kind), **{N(f"/{k}"): v for k, v in more.items()}})


def opens_with(kind: str) -> Callable[[PdfWriter], object]:
    return lambda writer: writer._root_object.update({N("/OpenAction"): writer._add_object(action(kind))})


def link_to(kind: str) -> Callable[[PdfWriter], object]:
    def change(writer: PdfWriter) -> None:
        annotation = DictionaryObject(
            {
                N("/Type"): N("/Annot"), N("/Subtype"): N("/Link"), N("/A"): action(kind, URI=TextStringObject("https://a.example")),
                N("/Rect"): ArrayObject([NumberObject(0)] * 4),
            }
        )  # fmt: skip
        writer.pages[0][N("/Annots")] = ArrayObject([writer._add_object(annotation)])

    return change


def on_page_open(writer: PdfWriter) -> None:
    writer.pages[0][N("/AA")] = DictionaryObject({N("/O"): action("/URI")})


def a_player(writer: PdfWriter) -> None:
    film = DictionaryObject({N("/Type"): N("/Annot"), N("/Subtype"): N("/RichMedia")})
    writer.pages[0][N("/Annots")] = ArrayObject([writer._add_object(film)])


def nobody_refers_to_it(writer: PdfWriter) -> None:
    writer._add_object(action("/JavaScript", JS=TextStringObject("app.alert(1)")))


def a_script_of_the_file(writer: PdfWriter) -> None:
    script = writer._add_object(action("/JavaScript", JS=TextStringObject("app.alert(1)")))
    named = DictionaryObject({N("/Names"): ArrayObject([TextStringObject("begin"), script])})
    writer._root_object[N("/Names")] = DictionaryObject({N("/JavaScript"): named})


def an_xfa_form(writer: PdfWriter) -> None:
    writer._root_object[N("/AcroForm")] = DictionaryObject({N("/XFA"): TextStringObject("<xdp/>")})


HOSTILE = {
    "a script of the file": a_script_of_the_file,
    "a script at opening": opens_with("/JavaScript"),
    "a program at opening": opens_with("/Launch"),
    "an address at opening": opens_with("/URI"),
    "a program behind a link": link_to("/Launch"),
    "a form that sends itself": link_to("/SubmitForm"),
    "another file behind a link": link_to("/GoToR"),
    "an action of a page": on_page_open,
    "a player": a_player,
    "a script that nothing refers to": nobody_refers_to_it,
    "a form of its own": an_xfa_form,
    "encryption": lambda writer: writer.encrypt("secret"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_does_something_by_itself_is_refused(name: str) -> None:
    with pytest.raises(ServiceError) as caught:
        checked_bytes(pdf(HOSTILE[name]), "invoice.pdf")
    assert (caught.value.status, caught.value.code) == (422, "validation_failed")
    assert "PDF" in str(caught.value.errors) or "encrypted" in str(caught.value.errors)


def test_a_name_written_with_escapes_is_the_same_name() -> None:
    hidden = (
        pdf(opens_with("/JavaScript"))
        .replace(b"/JavaScript", b"/J#61vaScript")
        .replace(b"/OpenAction", b"/Open#41ction")
    )
    with pytest.raises(ServiceError) as caught:
        checked_bytes(hidden, "invoice.pdf")
    assert caught.value.status == 422


def test_a_script_inside_a_packed_stream_of_objects_is_found() -> None:
    inner = b"<</Type/Action/S/JavaScript/JS(app.alert(1))>>"
    body = b"%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    stream = b"4 0 " + inner
    at_stream = len(body)
    body += b"3 0 obj<</Type/ObjStm/N 1/First 4/Length %d>>stream\n%s\nendstream endobj\n" % (len(stream), stream)
    at_xref = len(body)
    rows = [
        (0, 0, 255),
        (1, body.index(b"1 0 obj"), 0),
        (1, body.index(b"2 0 obj"), 0),
        (1, at_stream, 0),
        (2, 3, 0),
        (1, at_xref, 0),
    ]
    table = b"".join(kind.to_bytes(1) + place.to_bytes(4) + last.to_bytes(1) for kind, place, last in rows)
    body += b"5 0 obj<</Type/XRef/Size 6/W[1 4 1]/Root 1 0 R/Length %d>>stream\n%s\nendstream endobj\n" % (
        len(table),
        table,
    )
    body += b"startxref\n%d\n%%%%EOF\n" % at_xref
    with pytest.raises(ServiceError) as caught:
        checked_bytes(body, "invoice.pdf")
    assert "script" in str(caught.value.errors)


def test_what_only_shows_something_is_kept() -> None:
    def plain(writer: PdfWriter) -> None:
        writer._root_object[N("/OpenAction")] = ArrayObject([writer.pages[0].indirect_reference, N("/Fit")])
        link_to("/URI")(writer)
        writer.add_attachment("factur-x.xml", b"<invoice/>")

    assert checked_bytes(pdf(plain), "invoice.pdf").kind == "PDF"
    assert checked_bytes(pdf(opens_with("/GoTo")), "invoice.pdf").kind == "PDF"


@pytest.mark.parametrize(
    "text",
    [
        "Just a note.", "Hello, world", "Dear all,\n\nplease pay this, soon.\nThank you", "a\nb\nc\n", "name,amount\n",
        "#!/bin/sh\nrm -rf /,x\n", "one line; and another",
    ],
)  # fmt: skip
def test_plain_text_that_is_no_table_is_none_of_the_formats(text: str) -> None:
    with pytest.raises(ServiceError) as caught:
        checked_bytes(text.encode(), "note.csv")
    assert (caught.value.status, caught.value.code) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "text",
    [
        "date,amount\n2026-01-05,12\n", "date;amount\r\n2026-01-05;12,50\r\n", "a\tb\n1\t2\n", 'name,amount\n"Amani, Ltd",12\n',
        "Statement of January\ndate,amount,text\n1,2,3\n4,5,6\n7,8,9\n", "a|b\n1|2", "date,amount,description,reference\n",
    ],
)  # fmt: skip
def test_a_table_in_any_usual_form_is_csv(text: str) -> None:
    assert checked_bytes(text.encode(), "book.txt").kind == "CSV"
