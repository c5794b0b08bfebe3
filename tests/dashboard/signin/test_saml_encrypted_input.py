"""What a stranger may put into an answer that is encrypted to our key: no file is opened for it, and no failure says which it
was."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.test import Client
from lxml import etree
from structlog.testing import capture_logs

from dashboard.audit.models import AuditEntry
from dashboard.single_sign_on.own_key import make_own_key
from tests.dashboard.signin.conftest import SamlSignOn, is_in, refused
from tests.saml_provider import DS, PROTOCOL, SAML, Element, one, posted

ENC = "http://www.w3.org/2001/04/xmlenc#"
XENC = {"xenc": ENC, "ds": DS}
SHAPE = "it must hold one assertion, signed as a whole"
MORE = "nothing by reference"
NOT_OPENED = "not encrypted for our key, or not signed as a whole"
ELEMENT = ' Type="http://www.w3.org/2001/04/xmlenc#Element"'


class Bait:
    """A pipe that nobody writes to: whoever reads it waits, is let go at once, and is counted."""

    def __init__(self, path: Path) -> None:
        self.address, self.path, self.opened = f"file://{path}", path, 0
        os.mkfifo(path)
        self._ends = threading.Event()
        self._watch = threading.Thread(target=self._run)
        self._watch.start()

    def _run(self) -> None:
        while not self._ends.wait(0.02):
            try:
                os.close(os.open(self.path, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                # Nobody reads it.
                continue
            else:
                self.opened += 1

    def close(self) -> None:
        self._ends.set()
        self._watch.join()


@pytest.fixture
def bait(tmp_path: Path) -> Iterator[Bait]:
    pipe = Bait(tmp_path / "pipe")
    yield pipe
    pipe.close()


def in_xenc(root: Element, path: str) -> Element:
    element = root.find(path, XENC)
    assert element is not None, path
    return element


def from_xml(text: str) -> Element:
    return etree.fromstring(f'<a xmlns:xenc="{ENC}" xmlns:ds="{DS}" xmlns:saml="{SAML}">{text}</a>')[0]


def data_by_reference(root: Element, address: str) -> None:
    cipher = in_xenc(root, ".//xenc:EncryptedData/xenc:CipherData")
    cipher[:] = [from_xml(f'<xenc:CipherReference URI="{address}"/>')]


def key_by_reference(root: Element, address: str) -> None:
    cipher = in_xenc(root, ".//xenc:EncryptedKey/xenc:CipherData")
    cipher[:] = [from_xml(f'<xenc:CipherReference URI="{address}"/>')]


def reference_beside(root: Element, address: str) -> None:
    cipher = in_xenc(root, ".//xenc:EncryptedData/xenc:CipherData")
    cipher.append(from_xml(f'<xenc:CipherReference URI="{address}"/>'))


def transformed(root: Element, address: str) -> None:
    data_by_reference(root, address)
    transform = (
        '<xenc:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#base64"/></xenc:Transforms>'
    )
    in_xenc(root, ".//xenc:CipherReference").append(from_xml(transform))


def key_fetched(root: Element, address: str) -> None:
    info = in_xenc(root, ".//xenc:EncryptedData/ds:KeyInfo")
    info.append(from_xml(f'<ds:RetrievalMethod URI="{address}" Type="{ENC}EncryptedKey"/>'))


def certificate_fetched(root: Element, address: str) -> None:
    raw = "http://www.w3.org/2000/09/xmldsig#rawX509Certificate"
    info = from_xml(f'<ds:KeyInfo><ds:RetrievalMethod URI="{address}" Type="{raw}"/></ds:KeyInfo>')
    in_xenc(root, ".//xenc:EncryptedKey/xenc:EncryptionMethod").addnext(info)


def key_info_fetched(root: Element, address: str) -> None:
    info = in_xenc(root, ".//xenc:EncryptedData/ds:KeyInfo")
    text = f'<d:KeyInfoReference xmlns:d="http://www.w3.org/2009/xmldsig11#" URI="{address}"/>'
    info.insert(0, etree.fromstring(text))


def second_value(root: Element, _address: str) -> None:
    in_xenc(root, ".//xenc:EncryptedData/xenc:CipherData").append(from_xml("<xenc:CipherValue>AAAA</xenc:CipherValue>"))


def no_value(root: Element, _address: str) -> None:
    in_xenc(root, ".//xenc:EncryptedKey/xenc:CipherData")[:] = []


def second_cipher(root: Element, address: str) -> None:
    cipher = f'<xenc:CipherData><xenc:CipherReference URI="{address}"/></xenc:CipherData>'
    in_xenc(root, ".//xenc:EncryptedData/xenc:CipherData").addprevious(from_xml(cipher))


CHANGES: tuple[Callable[[Element, str], None], ...] = (
    data_by_reference, key_by_reference, reference_beside, transformed, key_fetched, certificate_fetched,
    key_info_fetched, second_value, no_value, second_cipher,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_is_encrypted_holds_its_values_and_no_reference(
    encrypting: SamlSignOn, pair: tuple[str, str], bait: Bait, change: Callable[[Element, str], None]
) -> None:
    browser = Client()
    answer = encrypting.provider.answer_to(encrypting.begin(browser), encrypting.email("Apollo"))
    encoded = encrypting.provider.encrypted(answer, pair[1], after=lambda root: change(root, bait.address))
    refused(browser, encrypting.post(browser, encoded), MORE)
    assert bait.opened == 0


def refer_to(root: Element, address: str) -> None:
    one(root, "ds:Signature//ds:Reference").set("URI", address)


def weak_digest(root: Element, _address: str) -> None:
    one(root, "ds:Signature//ds:DigestMethod").set("Algorithm", "http://www.w3.org/2000/09/xmldsig#sha1")


def with_object(root: Element, address: str) -> None:
    text = f'<ds:Object><ds:Manifest><ds:Reference URI="{address}"/></ds:Manifest></ds:Object>'
    one(root, "ds:Signature").append(from_xml(text))


def by_xslt(root: Element, _address: str) -> None:
    xslt = "http://www.w3.org/TR/1999/REC-xslt-19991116"
    one(root, "ds:Signature//ds:Transforms").append(from_xml(f'<ds:Transform Algorithm="{xslt}"/>'))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [(refer_to, SHAPE), (with_object, SHAPE), (by_xslt, SHAPE), (weak_digest, "with SHA-256 or better")],
)
def test_the_shape_of_a_responses_own_signature_is_checked_first(
    encrypting: SamlSignOn, pair: tuple[str, str], bait: Bait, change: Callable[[Element, str], None], sentence: str
) -> None:
    browser = Client()
    answer = encrypting.provider.answer_to(encrypting.begin(browser), encrypting.email("Apollo"))
    encoded = encrypting.provider.encrypted(answer, pair[1], whole=True, after=lambda root: change(root, bait.address))
    refused(browser, encrypting.post(browser, encoded), sentence)
    assert bait.opened == 0


def sealed(certificate: str, plain: bytes, *, last: int | None = None, kind: str = ELEMENT) -> Element:
    """An EncryptedAssertion of any text by AES-256 in CBC and RSA-OAEP; `last` is the byte that says how long the padding is."""
    key, start, fill = os.urandom(32), os.urandom(16), 16 - len(plain) % 16
    padded = plain + bytes(fill - 1) + bytes([fill if last is None else last])
    cipher = Cipher(algorithms.AES(key), modes.CBC(start)).encryptor()
    public = x509.load_der_x509_certificate(base64.b64decode(certificate)).public_key()
    assert isinstance(public, rsa.RSAPublicKey)
    # The digests that the name rsa-oaep-mgf1p stands for.
    sha1 = hashes.SHA1()
    wrapped = public.encrypt(key, padding.OAEP(padding.MGF1(sha1), sha1, None))
    values = [
        base64.b64encode(value).decode() for value in (wrapped, start + cipher.update(padded) + cipher.finalize())
    ]
    return from_xml(
        f'<saml:EncryptedAssertion><xenc:EncryptedData{kind}><xenc:EncryptionMethod Algorithm="{ENC}aes256-cbc"/>'
        f'<ds:KeyInfo><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="{ENC}rsa-oaep-mgf1p"/><xenc:CipherData>'
        f"<xenc:CipherValue>{values[0]}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>"
        f"<xenc:CipherData><xenc:CipherValue>{values[1]}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>"
        "</saml:EncryptedAssertion>"
    )


def holding(saml: SamlSignOn, browser: Client, change: Callable[[bytes], Element], *, signs: bool = True) -> str:
    """A good answer whose signed assertion (as text) is sealed as `change` does it."""
    root = saml.provider.answer_to(saml.begin(browser), saml.email("Apollo")).tree()
    if signs:
        saml.provider.sign(one(root, "saml:Assertion"))
    root = etree.fromstring(etree.tostring(root))
    assertion = one(root, "saml:Assertion")
    root.replace(assertion, change(etree.tostring(assertion)))
    return posted(root)


def test_what_these_tests_seal_signs_in_where_it_is_right(encrypting: SamlSignOn, pair: tuple[str, str]) -> None:
    browser = Client()
    encrypting.post(browser, holding(encrypting, browser, lambda text: sealed(pair[1], text)))
    assert is_in(browser, encrypting.house)


def test_every_failure_from_decrypting_to_the_signature_inside_is_answered_the_same(
    encrypting: SamlSignOn, pair: tuple[str, str]
) -> None:
    other, forged = make_own_key("other")[1], f'<saml:Assertion xmlns:saml="{SAML}"/>'.encode()
    changes: dict[str, Callable[[bytes], Element]] = {
        "padding of no length": lambda text: sealed(pair[1], text, last=0),
        "padding that is too long": lambda text: sealed(pair[1], text, last=255),
        "no type": lambda text: sealed(pair[1], text, kind=""),
        "of content": lambda text: sealed(pair[1], text, kind=f' Type="{ENC}Content"'),
        "another root": lambda _text: sealed(pair[1], b"<a/>"),
        "no XML": lambda _text: sealed(pair[1], b"no XML"),
        "two roots": lambda text: sealed(pair[1], text + text),
        "nothing": lambda _text: sealed(pair[1], b""),
        "a comment": lambda text: sealed(pair[1], text.replace(b"<saml:Subject>", b"<saml:Subject><!-- -->")),
        "an encrypted one again": lambda _text: sealed(pair[1], b'<EncryptedAssertion xmlns="' + SAML.encode() + b'"/>'),
        "an assertion without a signature": lambda _text: sealed(pair[1], forged),
        "for another key": lambda text: sealed(other, text),
        "changed": lambda text: sealed(pair[1], text.replace(b"apollo", b"sam")),
    }  # fmt: skip
    seen = {name: answered(encrypting, change) for name, change in changes.items()}
    assert all(NOT_OPENED in text for text in seen["no type"][2]), seen["no type"]
    assert {name: answer for name, answer in seen.items() if answer != seen["no type"]} == {}


def answered(saml: SamlSignOn, change: Callable[[bytes], Element]) -> tuple[Any, ...]:
    """What a stranger, the audit and the log see of an answer: status, address, and lines."""
    browser, lines = Client(), AuditEntry.objects.filter(chain=saml.house.business.pk, outcome="DENIED")
    before = lines.count()
    encoded = holding(saml, browser, change)
    with capture_logs() as logs:
        answer = saml.post(browser, encoded)
    assert lines.count() == before + 1
    refused(browser, answer, NOT_OPENED)
    line = lines.latest("pk")
    events = [event for event in logs if "SAML" in str(event.get("event"))]
    return answer.status_code, answer["Location"], [line.reason], line.sentence, answer.content, events


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_name_of_somebody_elses_is_no_encryption(encrypting: SamlSignOn, encoding: str) -> None:
    browser = Client()
    root = encrypting.provider.answer_to(encrypting.begin(browser), encrypting.email("Apollo")).tree()
    encrypting.provider.sign(one(root, "saml:Assertion"))
    extensions = etree.Element(f"{{{PROTOCOL}}}Extensions")
    root.insert(1, extensions)
    etree.SubElement(extensions, "{urn:example}EncryptedAssertion")
    encoded = base64.b64encode(etree.tostring(root, encoding=encoding, xml_declaration=True)).decode()
    refused(browser, encrypting.post(browser, encoded), "its assertion is not encrypted, as your business has set up")
    assert not is_in(browser, encrypting.house)
