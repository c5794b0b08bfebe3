"""The deducted tax against its table: DEDUCTED, then REMITTED for good, by a remittance alone."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.ledger.balances import balance
from service.ledger.chart import system_account
from service.taxes.models import TaxTransaction
from tests.service.house import House
from tests.service.taxes.conftest import day, deducted, remit

MOVES = st.lists(
    st.tuples(st.sampled_from(["remit", "with another", "tomorrow", "rename", "list"]), st.integers(0, 2)), max_size=8
)


@settings(max_examples=6)
@given(moves=MOVES)
def test_no_transition_outside_the_table_is_reachable(paying: House, moves: list[tuple[str, int]]) -> None:
    TaxTransaction.objects.filter(business=paying.business).delete()
    before = TaxTransaction.objects.count()
    rows = [deducted(paying, 50_000 + place, f"INV-{before}-{place}", code="WHT_RENT") for place in range(3)]
    left = balance(system_account(paying.business, "WHT_PAYABLE", "KES")).posted
    expected = ["DEDUCTED"] * 3
    for name, place in moves:
        named = [place, (place + 1) % 3] if name == "with another" else [place]
        if name == "rename":
            assert paying.send("PUT", f"/taxes/{rows[place]['tax_id']}/edit", {"name": "Rent"}).status_code == 200
        elif name == "list":
            assert paying.get(f"/taxes/transactions?tax_id={rows[place]['tax_id']}").json()["total"] == 3
        else:
            more = {"remitted_on": day(paying, 1)} if name == "tomorrow" else {}
            answer = remit(paying, *(rows[each] for each in named), **more)
            over = any(expected[each] == "REMITTED" for each in named)
            assert answer.status_code == (422 if more else 409 if over else 201)
            if answer.status_code == 201:
                left -= sum(rows[each]["tax_amount_minor"] for each in named)
                expected = ["REMITTED" if each in named else state for each, state in enumerate(expected)]
        found = dict(TaxTransaction.objects.filter(business=paying.business).values_list("id", "status"))
        assert [found[row["_id"]] for row in rows] == expected
        assert balance(system_account(paying.business, "WHT_PAYABLE", "KES")).posted == left
