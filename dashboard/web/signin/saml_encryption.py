"""Assertions that are encrypted to our key: decrypted before anything is checked, so that what is checked is what is read.

Decrypting proves nothing: anybody can encrypt to our certificate. What comes out is looked over like what comes in, and has
to be signed by the provider all the same.
"""

from collections.abc import Sequence
from typing import Any

from dashboard.single_sign_on.xml_guard import XmlRefused, element_names
from dashboard.web.signin import saml_refusals

SAML = "{urn:oasis:names:tc:SAML:2.0:assertion}"
PROTOCOL = "{urn:oasis:names:tc:SAML:2.0:protocol}"
ENC = "{http://www.w3.org/2001/04/xmlenc#}"
DS = "{http://www.w3.org/2000/09/xmldsig#}"
DATA_METHODS = frozenset(f"http://www.w3.org/2001/04/xmlenc#aes{bits}-cbc" for bits in (128, 192, 256)) | frozenset(
    f"http://www.w3.org/2009/xmlenc11#aes{bits}-gcm" for bits in (128, 192, 256)
)
# By the older padding a key could be assertions out by asking often enough.
KEY_METHODS = frozenset({"http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p", "http://www.w3.org/2009/xmlenc11#rsa-oaep"})

OTHER_KEY = (
    "The answer is refused: it is encrypted for another key than ours. A super admin can give your identity provider our "
    "metadata anew."
)
WEAK_ENCRYPTION = "The answer is refused: its assertion must be encrypted by AES, and its key by RSA-OAEP."


class DecryptionRefused(ValueError):
    """This answer is not decrypted; the text is a sentence that says why, "" for a shape that none of SAML has."""


def decrypted(root: Any, key: str, certificates: Sequence[str], most_bytes: int) -> bytes:
    """A response (an lxml tree) with its one encrypted assertion in plain, as text that was looked over.

    `key` is ours (PEM), `certificates` the provider's (PEM). A signature of the response itself is checked here, over
    what it was made of, and left out. DecryptionRefused for what does not hold.
    """
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as Toolkit
    from onelogin.saml2.xml_utils import OneLogin_Saml2_XML as Xml

    holder = _only_encrypted(root)
    for signature in root.findall(f"{DS}Signature"):
        path = Toolkit.RESPONSE_SIGNATURE_XPATH
        if not Toolkit.validate_sign(root, xpath=path, multicerts=list(certificates), raise_exceptions=False):
            raise DecryptionRefused(saml_refusals.FORGED)
        root.remove(signature)
    assertion = _decrypted(_data_of(holder), key)
    if assertion.tag != f"{SAML}Assertion":
        raise DecryptionRefused
    root.replace(holder, assertion)
    content = bytes(Xml.to_string(root))
    try:
        names = element_names(content, most_bytes)
    except XmlRefused:
        raise DecryptionRefused from None
    if any(name.startswith("Encrypted") for name in names):
        raise DecryptionRefused
    return content


def _only_encrypted(root: Any) -> Any:
    assertions = [
        element for element in root.iter() if str(element.tag).endswith(("}EncryptedAssertion", "}Assertion"))
    ]
    if root.tag != f"{PROTOCOL}Response" or len(assertions) != 1 or assertions[0].getparent() is not root:
        raise DecryptionRefused
    if assertions[0].tag != f"{SAML}EncryptedAssertion":
        raise DecryptionRefused
    return assertions[0]


def _data_of(holder: Any) -> Any:
    """The encrypted data with its encrypted key in it, where some providers put it beside."""
    data = holder.findall(f"{ENC}EncryptedData")
    keys = list(holder.iter(f"{ENC}EncryptedKey"))
    if len(data) != 1 or len(keys) != 1:
        raise DecryptionRefused
    methods = [element.find(f"{ENC}EncryptionMethod") for element in (data[0], keys[0])]
    named = [method.get("Algorithm", "") if method is not None else "" for method in methods]
    if named[0] not in DATA_METHODS or named[1] not in KEY_METHODS:
        raise DecryptionRefused(WEAK_ENCRYPTION)
    info = data[0].find(f"{DS}KeyInfo")
    if info is None:
        raise DecryptionRefused
    if keys[0].getparent() is not info:
        info[:] = [keys[0]]
    return data[0]


def _decrypted(data: Any, key: str) -> Any:
    import xmlsec
    from onelogin.saml2.utils import OneLogin_Saml2_Utils as Toolkit

    try:
        return Toolkit.decrypt_element(data, key, inplace=True)
    except (xmlsec.Error, ValueError):
        # Whatever failed, the key or what it opens: who asks again and again learns nothing by it.
        raise DecryptionRefused(OTHER_KEY) from None
