"""What each channel takes: check digits of IBANs, forms of BICs, Kenyan banks and branches, phones, tills and paybills."""

import pytest

from service.vendors.destinations import Destination, field_messages
from tests.service.house import House, code
from tests.service.vendors.conftest import vendor

IBAN, BIC = "NL91ABNA0417164300", "ABNANL2A"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (Destination("BANK_SWIFT", IBAN, BIC), ""),
        (Destination("BANK_SWIFT", IBAN.lower(), BIC), ""),
        (Destination("BANK_SWIFT", "NL91ABNA0417164301", BIC), "account"),
        (Destination("BANK_SWIFT", "NL91ABNA041716430", BIC), "account"),
        (Destination("BANK_SWIFT", "0417164300", BIC), "account"),
        (Destination("BANK_SWIFT", "1234567890", "KCBLKENX"), ""),
        (Destination("BANK_SWIFT", "021000021123", "CHASUS33"), ""),
        (Destination("BANK_SWIFT", IBAN, "ABNANL"), "bank_code"),
        (Destination("BANK_SWIFT", IBAN), "bank_code"),
        (Destination("BANK_EFT", "0011223344", "01", "012"), ""),
        (Destination("BANK_EFT", "0011223344", "01", "12"), "branch_code"),
        (Destination("BANK_EFT", "0011223344", "99"), "bank_code"),
        (Destination("BANK_RTGS", "12AB", "01"), "account"),
        (Destination("MPESA_SEND_MONEY", "254712345678"), ""),
        (Destination("MPESA_SEND_MONEY", "0712345678"), "account"),
        (Destination("MPESA_TILL", "512345"), ""),
        (Destination("MPESA_TILL", "51234567890"), "account"),
        (Destination("MPESA_PAYBILL", "400200", account_reference="ACC-7"), ""),
        (Destination("MPESA_PAYBILL", "400200"), "account_reference"),
        (Destination("MPESA_PAYBILL", "40A200", account_reference="ACC-7"), "account"),
    ],
)
def test_what_a_channel_takes(given: Destination, field: str) -> None:
    assert list(field_messages(given, "KE")) == ([field] if field else [])


def test_a_proposed_account_with_wrong_check_digits_is_refused_at_its_field(house: House) -> None:
    created = vendor(house)
    wrong = {"channel": "BANK_SWIFT", "account": "NL91ABNA0417164301", "bank_code": BIC, "branch_code": ""}
    for path in (
        f"/vendors/{created['_id']}/payment-instruction/add",
        f"/bills/vendors/{created['_id']}/payment-method",
    ):
        answer = house.post(path, wrong)
        assert code(answer) == (422, "validation_failed")
        assert [error["field"] for error in answer.json()["errors"]] == ["account"]
    assert len(house.get(f"/vendors/{created['_id']}").json()["payment_instructions"]) == 1
