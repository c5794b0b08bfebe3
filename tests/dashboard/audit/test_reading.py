"""Reading the audit: by key, filtered, for those who may; and the evidence of one item."""

import csv
import io

import pytest

from dashboard import operations
from dashboard.audit.lines import Filters, entry_page, evidence, evidence_csv, trail_of
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.audit.seal import seal_chain
from dashboard.errors import NotAllowed
from tests.dashboard.access.house import House, build


def test_pages_by_key_cover_every_line_once_the_newest_first(house: House) -> None:
    ada = house.actor("Ada")
    written = [
        record(ada, f"n{number}", None, Outcome.NOTED, sentence=f"wrote entry {number}").pk for number in range(25)
    ]
    record(build().actor("Ada"), "note", None, Outcome.NOTED, sentence="wrote elsewhere")
    numbers: list[int] = []
    after: int | None = None
    while True:
        page = entry_page(ada, Filters(), before=after, rows=10)
        numbers += [line.pk for line in page.lines]
        after = page.after
        if after is None:
            break
    assert numbers == sorted(written, reverse=True)


def test_filters(house: House) -> None:
    rita, ada = house.actor("Rita"), house.actor("Ada")
    own, other = house.expense("Rita"), house.expense("Carla")
    denied = record_denial(rita, operations.APPROVE_EXPENSE, own, reason="own", rule="not_own")
    done = record(rita, operations.APPROVE_EXPENSE, other, Outcome.DONE)
    seen = record(ada, operations.REJECT_EXPENSE, other, Outcome.DONE)

    def numbers(**filters: object) -> set[int]:
        return {line.pk for line in entry_page(ada, Filters(**filters)).lines}  # type: ignore[arg-type]

    assert numbers() == {denied.pk, done.pk, seen.pk}
    assert numbers(user_id=house.people["Rita"].user_id) == {denied.pk, done.pk}
    assert numbers(operation="reject_expense") == {seen.pk}
    assert numbers(outcome="DENIED") == {denied.pk}
    assert numbers(object_type="expense", object_id=other.remote_id) == {done.pk, seen.pk}
    assert numbers(own_items=True) == {denied.pk}
    assert numbers(since=done.at, until=seen.at) == {done.pk}


@pytest.mark.parametrize("name", ["Carla", "Rita", "Rex"])
def test_the_audit_is_not_for_everyone(house: House, name: str) -> None:
    with pytest.raises(NotAllowed):
        entry_page(house.actor(name), Filters())
    with pytest.raises(NotAllowed):
        evidence(house.actor(name), "expense", "1")


def test_the_evidence_of_one_item_carries_its_seals_and_no_formula(house: House) -> None:
    row = house.expense("Carla")
    record(house.actor("Rita"), operations.REJECT_EXPENSE, row, Outcome.DONE, reason="=1+1")
    record(house.actor("Rita"), operations.APPROVE_EXPENSE, house.expense("Carla"), Outcome.DONE)
    seal_chain(house.business.pk)
    pack = evidence(house.actor("Ada"), "expense", row.remote_id)
    finding = "sealed to 2, 0 waiting, anchored to 2"
    assert pack["chain"] == {"ok": True, "compared_outside": True, "finding": finding}
    [line] = pack["lines"]
    assert (line["actor"], line["number"], len(line["hash"])) == ("Rita", 1, 64)
    rows = list(csv.DictReader(io.StringIO("".join(evidence_csv(house.actor("Ada"), "expense", row.remote_id)))))
    assert rows[0]["reason"] == "'=1+1"
    assert [entry.object_id for entry in trail_of(house.actor("Rita"), "expense", row.remote_id)] == [row.remote_id]
