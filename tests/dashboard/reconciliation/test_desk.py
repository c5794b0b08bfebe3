"""A statement is brought, checked, imported once, matched and undone at its desk, against the real service."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.bank_statements.models import CsvMapping, StatementDraft
from dashboard.bank_statements.services import forget_old
from dashboard.mirror.models import Wallet
from tests.dashboard.accounting.test_periods import page
from tests.dashboard.bank_statements.samples import ENTITY_BOMB
from tests.dashboard.conftest import World

COLUMNS = {
    "day": "When", "amount": "How much", "description": "What", "day_format": "%Y-%m-%d", "mark": ",", "opening": "10.00",
    "closing": "5.00",
}  # fmt: skip


def wallet(world: World) -> Wallet:
    return Wallet.objects.get(business=world.business, org_wallet_ref="1")


def entries(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.upstream("/accounting/unmatched-entries", accountref="1")["docs"]
    return found


def camt(world: World, amounts: list[int], opening: int = 0, *, currency: str = "", closing: int | None = None) -> str:
    """A statement of today with these lines, in minor units."""
    day, currency = date.fromisoformat(entries(world)[0]["effective_on"]), currency or wallet(world).currency

    def amount(minor: int) -> str:
        sign = "CRDT" if minor >= 0 else "DBIT"
        return f'<Amt Ccy="{currency}">{Decimal(abs(minor)).scaleb(-2)}</Amt><CdtDbtInd>{sign}</CdtDbtInd>'

    def balance(code: str, minor: int) -> str:
        return f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{amount(minor)}<Dt><Dt>{day}</Dt></Dt></Bal>"

    lines = "".join(
        f"<Ntry>{amount(minor)}<Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt></BookgDt><AcctSvcrRef>L{place}-{minor}</AcctSvcrRef>"
        f"<AddtlNtryInf>Line {place}</AddtlNtryInf></Ntry>"
        for place, minor in enumerate(amounts, start=1)
    )
    ends = opening + sum(amounts) if closing is None else closing
    return (
        f"<Document><Stmt><Acct><Id><Othr><Id>KE-1</Id></Othr></Id></Acct>{balance('OPBD', opening)}"
        f"{balance('CLBD', ends)}{lines}</Stmt></Document>"
    )


def upload(world: World, text: str, by: str = "Ada", name: str = "bank.xml") -> Any:
    data = {"wallet": wallet(world).remote_id, "file": SimpleUploadedFile(name, text.encode())}
    return world.client(by).post(world.address("reconciliation/upload/"), data)


def bring(world: World, text: str, by: str = "Ada", key: str = "") -> Any:
    """Uploads and imports a file; the answer to the import."""
    answer = upload(world, text, by)
    assert answer.status_code == 302, page(answer)
    return world.client(by).post(f"{answer.url}import/", {"key": key} if key else {})


def desk(world: World, by: str = "Ada", query: str = "") -> str:
    answer = world.client(by).get(world.address(f"reconciliation/wallets/{wallet(world).remote_id}/{query}"))
    assert answer.status_code == 200
    return page(answer)


def act(world: World, what: str, by: str = "Ada", **form: Any) -> Any:
    return world.client(by).post(world.address(f"reconciliation/wallets/{wallet(world).remote_id}/{what}/"), form)


def test_the_same_statement_twice_makes_no_double_and_the_proof_is_zero(world: World) -> None:
    known = entries(world)[0]
    text = camt(world, [known["amount_minor"], -12_34])
    shown = world.client("Ada").get(upload(world, text).url)
    assert "Import 2 lines" in page(shown)
    assert world.upstream("/accounting/bank-lines")["total"] == 0
    assert bring(world, text).status_code == 302
    assert bring(world, text).status_code == 302
    assert world.upstream("/accounting/bank-lines")["total"] == 2
    assert "already imported" in page(world.client("Ada").get(upload(world, text).url)).lower()
    assert "The difference is zero." in desk(world)
    assert "Unmatched bank lines · 2" in desk(world)
    assert StatementDraft.objects.filter(business=world.business).count() == 2


def test_what_bank_and_books_differed_by_before_is_no_proof(world: World) -> None:
    """An opening balance that is not that of the books makes every sum come out, and proves nothing."""
    assert bring(world, camt(world, [-12_34], opening=500_00)).status_code == 302
    shown = desk(world)
    assert "Not proven" in shown
    assert "500.00 before the first statement" in shown
    assert "The difference is zero." not in shown


def test_what_was_not_checked_is_not_said_to_fit(world: World) -> None:
    named = page(world.client("Ada").get(upload(world, camt(world, [-1_00])).url))
    assert "Nothing is wrong with the period, the currency and the balances." in named
    assert "was not checked" not in named
    day = entries(world)[0]["effective_on"]
    unnamed = upload(world, f"When;What;How much\n{day};Fee;-5,00\n", name="a.csv").url
    assert world.client("Ada").post(f"{unnamed}columns/", COLUMNS).status_code == 302
    assert "does not name its account: that was not checked" in page(world.client("Ada").get(unnamed))


def test_a_row_that_cannot_be_read_takes_nothing_of_what_was_typed(world: World) -> None:
    file = upload(world, "When;What;How much\n2026-01-05;Fee;words\n", name="a.csv").url
    assert world.client("Ada").post(f"{file}columns/", COLUMNS).status_code == 302
    shown = world.client("Ada").get(file).content.decode()
    assert "The amount is not a number" in shown
    assert re.search(r'name="opening" value="10.00"', shown)
    assert re.search(r'name="closing" value="5.00"', shown)


def test_a_file_that_nobody_imports_is_gone_after_a_day(world: World) -> None:
    upload(world, camt(world, [-1_00]))
    upload(world, camt(world, [-2_00]))
    first, second = StatementDraft.objects.filter(business=world.business).order_by("created_at")
    StatementDraft.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=1, minutes=1))
    assert forget_old() >= 1
    assert list(StatementDraft.objects.filter(business=world.business)) == [second]


def test_matched_by_hand_with_a_fee_and_undone(world: World) -> None:
    known = entries(world)[0]
    bring(world, camt(world, [known["amount_minor"] - 100, 55_55]))
    lines = sorted(world.upstream("/accounting/bank-lines")["docs"], key=lambda row: row["number"])
    chosen = {"line": [lines[0]["_id"]], "entry": [str(known["seq"])]}
    summed = act(world, "match", do="sum", **chosen)
    assert summed.status_code == 200
    assert "difference" in page(summed)
    refused = act(world, "match", do="match", **chosen)
    assert refused.status_code == 422
    assert "tolerance" in page(refused)
    assert act(world, "match", do="match", tolerance="1.00", **chosen).status_code == 302
    shown = desk(world)
    assert "Matches · 1" in shown
    assert "The difference is zero." in shown
    [match] = world.upstream("/accounting/bank-matches")["docs"]
    assert match["difference_minor"] == -100
    assert act(world, f"matches/{match['_id']}/undo").status_code == 302
    assert "Matches · 0" in desk(world)
    assert "The difference is zero." in desk(world)
    codes = set(AuditEntry.objects.values_list("operation", flat=True))
    assert {"import_bank_lines", "create_bank_match", "undo_bank_match"} <= codes


def test_all_that_is_certain_is_accepted_at_once(world: World) -> None:
    amounts = [entry["amount_minor"] for entry in entries(world)]
    alone = next(minor for minor in amounts if amounts.count(minor) == 1)
    bring(world, camt(world, [alone]))
    assert "Accept 1 certain match" in desk(world)
    assert act(world, "accept").status_code == 302
    assert "Every bank line is matched." in desk(world)


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"currency": "EUR"}, "EUR"), ({"closing": 1}, "closing balance")],
)
def test_what_is_wrong_is_shown_before_anything_is_imported(world: World, changed: dict[str, Any], said: str) -> None:
    answer = upload(world, camt(world, [-5_00], **changed))
    shown = world.client("Ada").get(answer.url)
    assert said in page(shown)
    assert "Nothing was imported" in page(shown)
    assert f"{answer.url}import/" not in shown.content.decode()
    forced = world.client("Ada").post(f"{answer.url}import/")
    assert forced.status_code == 422
    assert world.upstream("/accounting/bank-statements")["total"] == 0


def test_broken_files_and_entity_bombs_say_why(world: World) -> None:
    for text, said in ((ENTITY_BOMB, "entities"), (camt(world, [1])[:-30], "broken")):
        answer = upload(world, text)
        assert said in page(world.client("Ada").get(answer.url)), said
    assert "empty" in page(upload(world, ""))
    assert upload(world, "words").status_code == 422
    assert "10 MB" in page(upload(world, "<" + " " * (10 * 1024 * 1024 + 10)))
    assert world.upstream("/accounting/bank-statements")["total"] == 0


def test_the_columns_of_a_csv_are_asked_once_and_remembered_by_its_header(world: World) -> None:
    day = entries(world)[0]["effective_on"]
    first = upload(world, f"When;What;How much\n{day};Fee;-5,00\n", name="a.csv").url
    assert "Date column" in page(world.client("Ada").get(first))
    wrong = world.client("Ada").post(f"{first}columns/", {**COLUMNS, "amount": ""})
    assert wrong.status_code == 422
    assert world.client("Ada").post(f"{first}columns/", COLUMNS).status_code == 302
    assert "Import 1 line" in page(world.client("Ada").get(first))
    second = upload(world, f"When;What;How much\n{day};Other;-6,00\n", name="b.csv").url
    shown = world.client("Abel").get(second)
    assert shown.status_code == 404
    again = world.client("Ada").get(second).content.decode()
    assert re.search(r'<option value="How much" selected', again)
    assert CsvMapping.objects.filter(business=world.business).count() == 1


def test_rules_are_added_and_deleted(world: World) -> None:
    rule = {"name": "Bank fees", "text": "fee", "type": "expense"}
    assert act(world, "rules", **{**rule, "text": ""}).status_code == 422
    assert act(world, "rules", **rule).status_code == 302
    assert act(world, "rules", **rule).status_code == 409
    [made] = world.upstream("/accounting/bank-rules")["docs"]
    assert made["type"] == "EXPENSE"
    assert act(world, f"rules/{made['_id']}/delete").status_code == 302
    assert world.upstream("/accounting/bank-rules")["total"] == 0


def test_who_reads_and_who_changes(world: World) -> None:
    bring(world, camt(world, [-5_00]))
    [line] = world.upstream("/accounting/bank-lines")["docs"]
    assert "Match selected" not in desk(world, "Apollo")
    chosen = {"line": [line["_id"]], "entry": [str(entries(world)[0]["seq"])], "do": "match"}
    assert act(world, "match", "Apollo", **chosen).status_code == 403
    assert upload(world, camt(world, [-6_00]), "Apollo").status_code == 403
    for who in ("Carla", "Rita"):
        assert world.client(who).get(world.address("reconciliation/")).status_code == 403
    assert world.upstream("/accounting/bank-matches")["total"] == 0


def test_a_lost_answer_is_unknown_and_the_same_form_finds_it_again(proxied_world: World) -> None:
    world = proxied_world
    answer = upload(world, camt(world, [-5_00]))
    assert world.proxy is not None
    world.proxy.fail("lost reply", method="POST", path="/accounting/bank-statements/lines")
    lost = world.client("Ada").post(f"{answer.url}import/", {"key": "lost"})
    assert lost.status_code >= 400
    assert "Nothing was changed" not in lost.content.decode()
    world.proxy.heal()
    assert world.client("Ada").post(f"{answer.url}import/", {"key": "lost"}).status_code == 302
    assert world.upstream("/accounting/bank-lines")["total"] == 1


def test_a_business_without_statements_says_so(world: World) -> None:
    shown = page(world.client("Apollo").get(world.address("reconciliation/")))
    assert "No bank statement has been imported yet." in shown
    assert "No statement of this wallet has a closing balance yet." in desk(world)


def test_another_businesss_wallet_and_file_are_404(world: World, new_world: Any) -> None:
    other = new_world()
    file = upload(other, camt(other, [-5_00])).url.replace(other.address(), world.address())
    ada = world.client("Ada")
    assert ada.get(file).status_code == 404
    assert ada.get(world.address(f"reconciliation/wallets/{wallet(other).remote_id}/")).status_code == 404
