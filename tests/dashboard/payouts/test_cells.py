"""What an account must look like stands beside its cell: by the rules of the service where they can be known, and in its own
words where it refuses a row."""

from __future__ import annotations

import html

import pytest

from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.bills.upstream import vendor
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.payouts.test_payouts import GRACE, make, only, table

SWIFT = "Anna de Vries\tSWIFT\t{account}\t{bank}\t\t300\t"


@pytest.mark.parametrize(
    ("row", "column", "sentence"),
    [
        ("A\tMPESA_TILL\t5123\t\t\t300\t", "account", "A till number has 5 to 7 digits."),
        ("A\tMPESA_PAYBILL\t51234567\t\tINV-7\t300\t", "account", "A paybill number has 5 to 7 digits."),
        ("A\tPesaLink\t12345\tEquity Bank Kenya\t\t300\t", "account", "A Kenyan bank account has 6 to 16 digits."),
        ("A\tBANK_EFT\t12345678901234567\tEquity Bank Kenya\t\t300\t", "account", "has 6 to 16 digits."),
        (SWIFT.format(account="NL91ABNA0417164301", bank="ABNANL2A"), "account", "It is not a valid IBAN"),
        (SWIFT.format(account="0417164300", bank="ABNANL2A"), "account", "A bank in NL is paid by IBAN."),
        (SWIFT.format(account="NL91ABNA0417164300", bank="ABNANL2"), "bank", "It is not a valid BIC"),
        (SWIFT.format(account="NL91ABNA0417164300", bank="Equity Bank Kenya"), "bank", "It is not a valid BIC"),
    ],
)
def test_an_account_that_the_service_would_refuse_is_said_at_its_cell(
    world: World, row: str, column: str, sentence: str
) -> None:
    answer = make(world, table(GRACE, row))
    assert answer.status_code == 422
    shown = html.unescape(answer.content.decode())
    [cell] = [part for part in shown.split("<td>") if f'name="cell-3-{column}"' in part]
    assert sentence in cell
    assert "Grace Achieng" in shown
    assert not ApprovalRequest.objects.filter(business=world.business, kind="payout").exists()


def test_a_row_that_the_service_alone_refuses_is_said_at_its_cell_and_can_be_left_out(world: World) -> None:
    made = vendor(world, "Baobab Print", account="771234")
    new = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{made['_id']}/payment-instruction/add", new)
    rows = table(GRACE, "Baobab Print\tMPESA_TILL\t512345\t\t\t300\t", "Nobody\tMPESA_TILL\t612345\t\t\t300\t")
    answer = make(world, rows, note="Kept as typed")
    assert answer.status_code == 422
    shown = answer.content.decode()
    [cell] = [part for part in shown.split("<td>") if 'name="cell-3-account"' in part]
    assert "waits for a second person" in html.unescape(cell)
    assert 'name="cell-2-account"' not in shown
    assert "Kept as typed" in shown
    assert make(world, rows, leave_out="1").status_code == 302
    assert only(world).payload["item_count"] == 2
