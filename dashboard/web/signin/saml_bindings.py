"""SAML's HTTP-Redirect binding: the address by which a browser brings a message, and whether one that came was signed."""

import base64
import binascii
from collections.abc import Iterable, Mapping
from urllib.parse import quote_plus, unquote_plus, urlencode

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_pem_private_key

METHODS = "http://www.w3.org/2001/04/xmldsig-more#"
RSA_SHA256 = f"{METHODS}rsa-sha256"
HASHES: Mapping[str, hashes.HashAlgorithm] = {
    "sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512(),
}  # fmt: skip
SIGNED_FIELDS = ("SAMLRequest", "SAMLResponse", "RelayState", "SigAlg")


def redirect_address(address: str, key: str, **parameters: str) -> str:
    """Where a browser brings a message: `parameters` are SAMLRequest or SAMLResponse, deflated and in base64, and RelayState.
    With a `key` (PEM) their text is signed as it stands in the address (SAML 2.0 Bindings, 3.4.4.1)."""
    query = urlencode(parameters)
    if key:
        query = f"{query}&{urlencode({'SigAlg': RSA_SHA256})}"
        query = f"{query}&Signature={quote_plus(_signature(query, key))}"
    return f"{address}{'&' if '?' in address else '?'}{query}"


def raw_fields(query: str) -> dict[str, str]:
    """The fields of a message in an address, each as it is encoded there; ValueError where one stands twice."""
    fields: dict[str, str] = {}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name in (*SIGNED_FIELDS, "Signature"):
            if name in fields:
                raise ValueError(f"{name} stands twice")
            fields[name] = value
    return fields


def is_signed_by(fields: Mapping[str, str], certificates: Iterable[str]) -> bool:
    """Whether the fields of a message are signed with the key of one of these certificates (DER in base64), by RSA or an
    elliptic curve with SHA-256 or better."""
    signed = "&".join(f"{name}={fields[name]}" for name in SIGNED_FIELDS if name in fields).encode("utf-8")
    kind, _, size = unquote_plus(fields.get("SigAlg", "")).removeprefix(METHODS).partition("-")
    try:
        value = base64.b64decode(unquote_plus(fields.get("Signature", "")), validate=True)
    except (binascii.Error, ValueError):
        return False
    if size not in HASHES or not value:
        return False
    return any(_holds(certificate, kind, value, signed, HASHES[size]) for certificate in certificates)


def _holds(certificate: str, kind: str, value: bytes, signed: bytes, digest: hashes.HashAlgorithm) -> bool:
    key = x509.load_der_x509_certificate(base64.b64decode(certificate)).public_key()
    try:
        if kind == "rsa" and isinstance(key, rsa.RSAPublicKey):
            key.verify(value, signed, padding.PKCS1v15(), digest)
            return True
        if kind == "ecdsa" and isinstance(key, ec.EllipticCurvePublicKey):
            # Two numbers, one after the other (RFC 4050, 3.3).
            half = len(value) // 2
            pair = encode_dss_signature(int.from_bytes(value[:half]), int.from_bytes(value[half:]))
            key.verify(pair, signed, ec.ECDSA(digest))
            return True
    except InvalidSignature:
        return False
    return False


def _signature(text: str, key: str) -> str:
    private = load_pem_private_key(key.encode("ascii"), password=None)
    assert isinstance(private, rsa.RSAPrivateKey)
    return base64.b64encode(private.sign(text.encode("ascii"), padding.PKCS1v15(), hashes.SHA256())).decode("ascii")
