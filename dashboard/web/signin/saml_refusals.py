"""What is said of a SAML answer that signs nobody in, sentence by sentence."""

# None says whose the answer is: some are of answers that anybody may have written.
UNREADABLE = "The answer cannot be read."
UNSIGNED = "The answer is refused: its assertion is not signed."
FORGED = "The answer is refused: it is not signed with the certificate that your business has set up."
WEAK = "The answer is refused: it is not signed by RSA or ECDSA with SHA-256 or better, in exclusive canonical form."
SHAPE = "The answer is refused: it must hold one assertion, signed as a whole."
ELSEWHERE = "The answer is meant for another application."
OTHER_ADDRESS = "The answer is addressed to another page than ours."
TIMES = "The answer has expired, or is not valid yet. Start again; if it stays, a clock is wrong."
ENDLESS = "The answer does not say an end within a day."
UNASKED = "Your identity provider began this sign-in by itself. Begin it here."
OTHER_ISSUER = "The answer is of another identity provider than your business's."
NOT_SIGNED_IN = "The answer says that your identity provider did not sign you in."
ENCRYPTED = "The answer is encrypted. A super admin can switch that on here, or have it signed and not encrypted."
NOT_ENCRYPTED = "The answer is refused: its assertion is not encrypted, as your business has set up."
WEAK_ENCRYPTION = "The answer is refused: its assertion must be encrypted by AES, and its key by RSA-OAEP."
MORE_THAN_ENCRYPTED = "The answer is refused: its encrypted assertion must hold data and one key, each with its value, and nothing by reference."
# One sentence for all that can fail between decrypting and the signature inside: by two of them a stranger who changes what
# is encrypted byte by byte, and asks again and again, would read it.
NOT_OPENED = (
    "The answer is refused: its assertion is not encrypted for our key, or not signed as a whole with the certificate that "
    "your business has set up. A super admin can give your identity provider our metadata anew."
)
INVALID = "The answer is not valid SAML."
NO_NAME = "The answer does not say who you are: it needs one name id that stays the same."
NO_EMAIL = "The answer does not name one email address."
TWO_EMAILS = (
    f"{NO_EMAIL} Its name id is one and an attribute is another: a super admin can name the attribute that holds it."
)


def sentence_of(code: int) -> str:
    """The sentence for a refusal of the toolkit, by its code."""
    from onelogin.saml2.errors import OneLogin_Saml2_ValidationError as Codes

    sentences = {
        UNSIGNED: (Codes.NO_SIGNED_ASSERTION, Codes.NO_SIGNATURE_FOUND),
        FORGED: (Codes.INVALID_SIGNATURE, Codes.DEPRECATED_SIGNATURE_METHOD, Codes.DEPRECATED_DIGEST_METHOD),
        ELSEWHERE: (Codes.WRONG_AUDIENCE,),
        OTHER_ADDRESS: (Codes.WRONG_DESTINATION, Codes.EMPTY_DESTINATION),
        TIMES: (Codes.ASSERTION_EXPIRED, Codes.ASSERTION_TOO_EARLY, Codes.SESSION_EXPIRED),
        OTHER_ISSUER: (Codes.WRONG_ISSUER,),
        NOT_SIGNED_IN: (Codes.STATUS_CODE_IS_NOT_SUCCESS,),
        NO_NAME: (Codes.NO_NAMEID, Codes.EMPTY_NAMEID),
        SHAPE: (
            Codes.WRONG_NUMBER_OF_ASSERTIONS, Codes.WRONG_SIGNED_ELEMENT, Codes.ID_NOT_FOUND_IN_SIGNED_ELEMENT,
            Codes.DUPLICATED_ID_IN_SIGNED_ELEMENTS, Codes.INVALID_SIGNED_ELEMENT, Codes.UNEXPECTED_SIGNED_ELEMENTS,
            Codes.WRONG_NUMBER_OF_SIGNATURES_IN_RESPONSE, Codes.WRONG_NUMBER_OF_SIGNATURES_IN_ASSERTION,
        ),
    }  # fmt: skip
    return next((sentence for sentence, codes in sentences.items() if code in codes), INVALID)
