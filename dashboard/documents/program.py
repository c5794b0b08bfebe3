"""The program that opens a document: one file, one answer, then it ends. Nothing of ours is in its memory or environment.

`python -m dashboard.documents.program open|page|picture <page> <width> <turns>`, the file on stdin. It writes a header
of JSON, a line feed, and the bytes of a picture where one was drawn. What a hostile file does to it, it does to nobody else.
"""

import json
import resource
import sys
from dataclasses import replace

import pypdfium2

from dashboard.documents import drawing, limits
from dashboard.documents.disagreement import disagreements
from dashboard.documents.drawing import Unshowable
from dashboard.documents.e_invoices import read_e_invoice, unread_reason
from dashboard.documents.lines import pdf_lines
from dashboard.documents.placement import announced, placed
from dashboard.documents.readings import OpenedData, Reading
from dashboard.documents.receipt_text import read_lines


def main() -> None:
    """Reads the file within the limits and writes the answer."""
    resource.setrlimit(resource.RLIMIT_CPU, (limits.PROCESSOR_SECONDS, limits.PROCESSOR_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (limits.MEMORY_BYTES, limits.MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # It writes to no file and opens none but its own modules.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    task, *numbers = sys.argv[1:]
    content = sys.stdin.buffer.read(limits.MOST_BYTES + 1)
    header, picture = answer(task, content, *(int(number) for number in numbers))
    sys.stdout.buffer.write(json.dumps(header).encode() + b"\n" + picture)
    sys.stdout.buffer.flush()


def answer(
    task: str, content: bytes, page: int = 1, width: int = limits.READABLE, turns: int = 0
) -> tuple[OpenedData, bytes]:
    """The header and the picture: "open" says what the file is and draws its first page, "page" draws one, "picture"
    gives one for the recognition of letters. {"problem"} where it cannot."""
    kind = drawing.file_type_of(content)
    header: OpenedData = {"kind": kind, "page_count": 0, "sizes": [], "reading": {}, "problem": "", "look": ""}
    if len(content) > limits.MOST_BYTES:
        return {**header, "problem": "bytes"}, b""
    try:
        if task == "open":
            return _open(kind, content, header)
        return header, _draw(task, kind, content, page, width, turns)
    except Unshowable as reason:
        return {**header, "problem": str(reason)}, b""
    except MemoryError:
        return {**header, "problem": "costly"}, b""


def _open(kind: str, content: bytes, header: OpenedData) -> tuple[OpenedData, bytes]:
    if kind == "pdf":
        document = drawing.open_pdf(content)
        header["page_count"], header["sizes"] = len(document), drawing.pdf_sizes(document)
        header["reading"], header["look"] = _read_pdf(document).as_data(), drawing.look_of_scan(document)
        return header, drawing.draw_pdf(document, 0, limits.READABLE, 0)
    if kind == "picture":
        picture = drawing.open_picture(content)
        header |= {"page_count": 1, "sizes": [picture.size], "look": drawing.look_of(picture)}
        return header, drawing.draw_picture(picture, limits.READABLE, 0)
    reading = read_e_invoice(content) if kind == "xml" else None
    unread = unread_reason(content) if kind == "xml" else ""
    return {**header, "reading": (reading or Reading(unread=unread)).as_data(), "problem": "kind"}, b""


def _read_pdf(document: pypdfium2.PdfDocument) -> Reading:
    """What the e-invoice inside says, with where the page says the same; else what the text says."""
    lines = pdf_lines(document)
    printed = read_lines(lines)
    unread = ""
    for place in range(min(document.count_attachments(), limits.MOST_ATTACHMENTS)):
        attachment = document.get_attachment(place)
        if not attachment.get_name().lower().endswith(".xml"):
            continue
        content = bytes(attachment.get_data())
        inside = read_e_invoice(content)
        if inside is None:
            # Other XML is no e-invoice. What cannot be read may have been one, and that is said.
            unread = unread or unread_reason(content)
            continue
        total, other = inside.total, printed.total
        differs = total and other and other.sureness == "labelled" and total.decimal != other.decimal
        return replace(
            placed(inside, printed, lines),
            words=f"{inside.words}\n{printed.words}".strip(),
            printed_total=other if differs else None,
            printed=disagreements(inside, printed, lines),
        )
    return replace(announced(printed, lines), unread=unread)


def _draw(task: str, kind: str, content: bytes, page: int, width: int, turns: int) -> bytes:
    if kind == "picture":
        picture = drawing.open_picture(content)
        if task == "picture":
            return drawing.for_recognition(picture)
        return drawing.draw_picture(picture, width, turns)
    if kind != "pdf":
        raise Unshowable("kind")
    document = drawing.open_pdf(content)
    if task == "picture":
        return drawing.for_recognition(document[0].render(scale=200 / 72).to_pil())
    if not 1 <= page <= min(len(document), limits.MOST_PAGES):
        raise Unshowable("page")
    return drawing.draw_pdf(document, page - 1, width, turns)


if __name__ == "__main__":
    main()
