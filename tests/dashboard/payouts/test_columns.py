"""The columns of a file of payments: asked where its first line does not say them, remembered for the business, shown,
changed, forgotten; and where a file does not fit what is remembered, that stands at the column."""

import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.payout_files.models import FileColumns
from tests.dashboard.conftest import World
from tests.dashboard.payouts.test_payouts import GRACE, make, meant, only, page, post, table, upstream

HEADER = "Empfänger;Weg;Konto;Betrag;Zweck"
ROW = "Grace Achieng;M-Pesa to a phone;0712 345 678;1,500.50;October"
CHOSEN = {
    "column-receiver": "0",
    "column-channel": "1",
    "column-account": "2",
    "column-amount": "3",
    "column-note": "4",
}


def bring(world: World, header: str = HEADER, row: str = ROW, who: str = "Ada", **form: Any) -> Any:
    file = SimpleUploadedFile("wages.csv", f"{header}\n{row}".encode(), "text/csv")
    return make(world, "", who, file=file, **form)


def typed_table(answer: Any) -> str:
    """The table as the page has it after a file was read."""
    found = re.search(r'<textarea name="rows"[^>]*>\s*(.*?)</textarea>', answer.content.decode(), re.DOTALL)
    assert found
    return found[1]


def chosen(world: World, answer: Any, **form: Any) -> Any:
    return make(world, typed_table(answer), **CHOSEN | form)


def test_columns_are_asked_once_and_the_next_file_is_read_by_them(world: World) -> None:
    asked = bring(world)
    shown = asked.content.decode()
    assert asked.status_code == 422
    assert "Match the columns" in shown
    assert "missing: receiver, channel, account, amount" in shown
    assert "Grace Achieng" in typed_table(asked)
    made = chosen(world, asked)
    assert made.status_code == 302, made.content.decode()
    [item] = upstream(world, only(world))["items"]
    assert (item["receiver_name"], item["amount"], item["note"]) == ("Grace Achieng", 1500.5, "October")
    again = bring(world, row=ROW.replace("Grace", "Rehema").replace("1,500.50", "20"))
    assert again.status_code == 302
    assert FileColumns.objects.get(business=world.business).columns == {
        "receiver": 0, "channel": 1, "account": 2, "amount": 3, "note": 4,
    }  # fmt: skip


def test_what_is_remembered_is_shown_changed_and_forgotten(world: World) -> None:
    chosen(world, bring(world))
    row = FileColumns.objects.get(business=world.business)
    shown = page(world, "Ada", "new/")
    assert "receiver = Empfänger, channel = Weg, account = Konto, amount = Betrag, note = Zweck" in shown
    wrong = bring(world, row=ROW.replace("0712 345 678", "12"))
    assert wrong.status_code == 422
    assert "Used for this table" in wrong.content.decode()
    address = f"new/columns/{row.pk}"
    assert "Empfänger, Weg, Konto, Betrag, Zweck" in page(world, "Ada", f"{address}/")
    twice = post(world, "Ada", address, **CHOSEN | {"column-note": "3"})
    assert (twice.status_code, "the amount already" in twice.content.decode()) == (422, True)
    assert post(world, "Ada", address, **CHOSEN | {"column-note": ""}).status_code == 302
    row.refresh_from_db()
    assert "note" not in row.columns
    assert post(world, "Ada", f"{address}/forget").status_code == 302
    assert not FileColumns.objects.filter(business=world.business).exists()
    assert "Match the columns" in bring(world).content.decode()


def test_a_file_that_no_longer_fits_says_so_at_its_column(world: World) -> None:
    chosen(world, bring(world))
    changed = bring(world, header=HEADER.replace("Betrag", "Summe"))
    shown = changed.content.decode()
    assert changed.status_code == 422
    found = re.search(r'id="id_column-amount_helptext">([^<]*)<', shown)
    assert found
    assert found[1] == "It was remembered as “Betrag”, which is not in this file."
    # What the file still has stands in its field.
    assert re.search(r'name="column-account".*?value="2" selected', shown, re.DOTALL)
    # The same payments were brought before: that is meant.
    assert chosen(world, changed, meant=meant(chosen(world, changed))).status_code == 302
    assert FileColumns.objects.filter(business=world.business).count() == 2


def test_what_is_chosen_twice_or_not_at_all_stands_at_its_column(world: World) -> None:
    asked = bring(world)
    twice = chosen(world, asked, **{"column-account": "0"})
    assert "This column is the receiver already." in twice.content.decode()
    none = chosen(world, twice, **{"column-amount": ""})
    assert 'id="id_column-amount_error"' in none.content.decode()
    foreign = chosen(world, none, **{"column-amount": "77"})
    assert foreign.status_code == 422
    assert not FileColumns.objects.filter(business=world.business).exists()
    assert "Grace Achieng" in typed_table(foreign)


def test_a_first_line_that_is_a_payment_is_not_taken_for_names(world: World) -> None:
    answer = make(world, "\n".join([GRACE, GRACE]))
    assert answer.status_code == 422
    assert "Match the columns" not in answer.content.decode()


def test_names_that_are_known_are_not_asked(world: World) -> None:
    assert make(world, table(GRACE)).status_code == 302
    assert not FileColumns.objects.filter(business=world.business).exists()


def test_they_are_the_business_s_own(world: World, new_world: Any) -> None:
    chosen(world, bring(world))
    row = FileColumns.objects.get(business=world.business)
    other = new_world()
    assert other.client("Ada").get(other.address(f"payouts/new/columns/{row.pk}/")).status_code == 404
    assert "Empfänger" not in page(other, "Ada", "new/")
    for who in ("Selma", "Rita"):
        assert world.client(who).get(world.address(f"payouts/new/columns/{row.pk}/")).status_code == 403
