"""Assertions that are encrypted to a key of ours: decrypted before anything is checked, so that what is checked is what is read.

Decrypting proves nothing: anybody can encrypt to our certificate. What comes out is looked over like what comes in, and has
to be signed by the provider all the same.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from dashboard.single_sign_on.xml_guard import element_names
from dashboard.web.signin import saml_refusals

SAML = "{urn:oasis:names:tc:SAML:2.0:assertion}"
PROTOCOL = "{urn:oasis:names:tc:SAML:2.0:protocol}"
ENC = "{http://www.w3.org/2001/04/xmlenc#}"
ENC11 = "{http://www.w3.org/2009/xmlenc11#}"
DS = "{http://www.w3.org/2000/09/xmldsig#}"
DS11 = "{http://www.w3.org/2009/xmldsig11#}"
ELEMENT = "http://www.w3.org/2001/04/xmlenc#Element"
DATA_METHODS = frozenset(f"http://www.w3.org/2001/04/xmlenc#aes{bits}-cbc" for bits in (128, 192, 256)) | frozenset(
    f"http://www.w3.org/2009/xmlenc11#aes{bits}-gcm" for bits in (128, 192, 256)
)
# By the older padding (PKCS 1, 1.5) whoever asks often enough learns what is encrypted.
KEY_METHODS = frozenset({"http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p", "http://www.w3.org/2009/xmlenc11#rsa-oaep"})
# What may stand in what. All else is refused before xmlsec sees it: by CipherReference, RetrievalMethod and the like a
# stranger would choose a file or an address that this server opens.
CHILDREN = {
    f"{SAML}EncryptedAssertion": {f"{ENC}EncryptedData", f"{ENC}EncryptedKey"},
    f"{ENC}EncryptedData": {f"{ENC}EncryptionMethod", f"{DS}KeyInfo", f"{ENC}CipherData"},
    f"{ENC}EncryptedKey": {
        f"{ENC}EncryptionMethod", f"{DS}KeyInfo", f"{ENC}CipherData", f"{ENC}ReferenceList", f"{ENC}CarriedKeyName",
    },
    f"{ENC}EncryptionMethod": {f"{ENC}KeySize", f"{ENC}OAEPparams", f"{DS}DigestMethod", f"{ENC11}MGF"},
    f"{ENC}CipherData": {f"{ENC}CipherValue"},
    f"{ENC}ReferenceList": {f"{ENC}DataReference"},
    f"{DS}KeyInfo": {f"{ENC}EncryptedKey", f"{DS}KeyName", f"{DS}X509Data"},
    f"{DS}X509Data": {
        f"{DS}X509Certificate", f"{DS}X509SubjectName", f"{DS}X509IssuerSerial", f"{DS}X509SKI", f"{DS11}X509Digest",
    },
    f"{DS}X509IssuerSerial": {f"{DS}X509IssuerName", f"{DS}X509SerialNumber"},
}  # fmt: skip


class DecryptionRefused(ValueError):
    """This answer is not decrypted; the text is a sentence that says why."""


def check_encrypted(root: Any, certificates: Sequence[str]) -> None:
    """Looks over a response (an lxml tree) with its one encrypted assertion, of which nothing has been decrypted yet.

    `certificates` are the provider's (PEM). A signature of the response itself is checked here, over what it was made of,
    and left out; its shape is for the caller to check before. DecryptionRefused for what does not hold.
    """
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as Toolkit

    _check_elements(_only_encrypted(root))
    for signature in root.findall(f"{DS}Signature"):
        path = Toolkit.RESPONSE_SIGNATURE_XPATH
        if not Toolkit.validate_sign(root, xpath=path, multicerts=list(certificates), raise_exceptions=False):
            raise DecryptionRefused(saml_refusals.FORGED)
        root.remove(signature)


def decrypted(root: Any, key: str, most_bytes: int) -> bytes:
    """The response with its assertion in plain in its place, as text that was looked over; `key` is one of ours (PEM).

    Any error means that it is none: of xmlsec, of XML or a ValueError. Which one it was is nobody's to know.
    """
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as Toolkit
    from onelogin.saml2.xml_utils import OneLogin_Saml2_XML as Xml

    holder = root.find(f"{SAML}EncryptedAssertion")
    data = holder.find(f"{ENC}EncryptedData")
    if data.get("Type") != ELEMENT:
        raise DecryptionRefused(saml_refusals.NOT_OPENED)
    encrypted_key = next(holder.iter(f"{ENC}EncryptedKey"))
    # No key but ours is tried, each of them, so what is said there of keys and certificates is not read.
    for info in encrypted_key.findall(f"{DS}KeyInfo"):
        encrypted_key.remove(info)
    # Some providers put the key beside the data.
    data.find(f"{DS}KeyInfo")[:] = [encrypted_key]
    # As bytes: what xmlsec reads as XML it writes to the error output where it is none, and that is the assertion.
    del data.attrib["Type"]
    within = Xml.to_etree(_in_scope(holder, Toolkit.decrypt_element(data, key, inplace=True), most_bytes))
    if len(within) != 1 or within[0].tag != f"{SAML}Assertion":
        raise DecryptionRefused(saml_refusals.NOT_OPENED)
    assertion = within[0]
    root.replace(holder, assertion)
    content = _text_of(root)
    if any(name.startswith("Encrypted") for name in element_names(content, most_bytes)):
        raise DecryptionRefused(saml_refusals.NOT_OPENED)
    return content


def _in_scope(holder: Any, plain: bytes, most_bytes: int) -> bytes:
    """What was decrypted within an element like `holder`, whose namespaces it may use without naming them itself."""
    from onelogin.saml2.xml_utils import OneLogin_Saml2_XML as Xml

    around = Xml.make_root(holder.tag, nsmap=holder.nsmap)
    around.text = "|"
    begin, _, end = _text_of(around).partition(b">|<")
    content = begin + b">" + plain + b"<" + end
    element_names(content, most_bytes)
    return content


def _text_of(root: Any) -> bytes:
    """An element with all of its namespaces: the toolkit's way drops those that stand in values alone, which may be signed."""
    text = BytesIO()
    root.getroottree().write(text)
    return text.getvalue()


def _only_encrypted(root: Any) -> Any:
    assertions = [
        element for element in root.iter() if str(element.tag).endswith(("}EncryptedAssertion", "}Assertion"))
    ]
    if root.tag != f"{PROTOCOL}Response" or len(assertions) != 1 or assertions[0].getparent() is not root:
        raise DecryptionRefused(saml_refusals.SHAPE)
    if assertions[0].tag != f"{SAML}EncryptedAssertion":
        raise DecryptionRefused(saml_refusals.SHAPE)
    return assertions[0]


def _check_elements(holder: Any) -> None:
    """Data and a key for it, each with its method and its value, by methods that hold; nothing besides, nothing elsewhere."""
    if any(child.tag not in CHILDREN.get(element.tag, ()) for element in holder.iter() for child in element):
        raise DecryptionRefused(saml_refusals.MORE_THAN_ENCRYPTED)
    data, keys = list(holder.iter(f"{ENC}EncryptedData")), list(holder.iter(f"{ENC}EncryptedKey"))
    if len(data) != 1 or len(keys) != 1 or len(data[0].findall(f"{DS}KeyInfo")) != 1:
        raise DecryptionRefused(saml_refusals.MORE_THAN_ENCRYPTED)
    for element, allowed in ((data[0], DATA_METHODS), (keys[0], KEY_METHODS)):
        methods, ciphers = element.findall(f"{ENC}EncryptionMethod"), element.findall(f"{ENC}CipherData")
        if len(methods) != 1 or len(ciphers) != 1 or len(ciphers[0]) != 1:
            raise DecryptionRefused(saml_refusals.MORE_THAN_ENCRYPTED)
        if methods[0].get("Algorithm") not in allowed:
            raise DecryptionRefused(saml_refusals.WEAK_ENCRYPTION)
