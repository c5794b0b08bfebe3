"""Rows by Jinja2: what is printed stays text, is isolated, and was given; the markup holds no blanks beside cells."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from django.utils.safestring import mark_safe
from jinja2 import UndefinedError

from dashboard.audit.changes import FieldChange
from dashboard.bidi import FSI, PDI, turns
from dashboard.mirror.models import Employee, Wallet
from dashboard.pages.accounting.presenters.books import LedgerLine
from dashboard.pages.approvals.tables.inbox import Row as InboxRow
from dashboard.pages.audit.tables import Line
from dashboard.pages.uncategorised.presenters import Line as QueueRow
from dashboard.pages.wallet_policies.presenters.matrix import Cell
from dashboard.pages.wallet_policies.presenters.matrix import MatrixRow as Person
from dashboard.pages.wallet_policies.presenters.payment_authority import AuthorityRow
from dashboard.pages.wallet_policies.presenters.payment_authority import Line as AuthorityLine
from dashboard.web.card_tiles import FundingText, Gauge, Tile
from dashboard.web.jinja2 import ENGINE, item_address, markup

FOLDER = Path(__file__).resolve().parents[3] / "templates_jinja"
RLO = "\u202e"
# One in the place of each text of a row: escaped, isolated, and told apart by its number.
HOSTILE = "</td><script>alert('{}')</script>\"&{{{{ 7 * 7 }}}}" + RLO
BESIDE_CELLS = re.compile(r"\s</?t[rdh]\b|</?t[rdh]\b[^>]*>\s")


def hostile(count: int) -> list[str]:
    return [HOSTILE.format(number) for number in range(count)]


def _tile() -> Tile:
    name, holder, team, last_four, kind, state, tone, source, spent, limit = hostile(10)
    gauge = Gauge(spent, limit, 50)
    return Tile("c", name, holder, team, last_four, kind, state, tone, False, FundingText(source, True), gauge)


def _audit_line() -> Line:
    one, two, three, four, five, six, seven, eight, nine, ten, eleven = hostile(11)
    change = FieldChange(eight, nine, ten)
    return Line(1, one, two, three, four, five, six, True, seven, eleven, "/a/", (change,))


def _list() -> dict[str, Any]:
    tick, name, href, *texts = hostile(12)
    looks = ("text", "text", "figure", "amount", "state", "risk")
    tones = {"state": texts[7], "risk": texts[8]}
    cells = [(tones.get(look, ""), texts[at]) for at, look in enumerate(looks)]
    columns = [(look, True, at == 0) for at, look in enumerate(looks)]
    return {"rows": [(tick, name, href, list(zip(columns, cells, strict=True)))], "ticked": True, "checked": ()}


def _wallets() -> list[tuple[Wallet, bool]]:
    texts = hostile(9)
    return [
        (Wallet(remote_id=texts[at], name=texts[at + 1], currency=texts[at + 2]), bool(at)) for at in range(0, 9, 3)
    ]


# Each template of rows with hostile texts in every place, and how many of them it prints.
ROWS = {
    "lists/rows.html": _list,
    "approvals/rows.html": lambda: {
        "rows": [InboxRow(*hostile(11))],
        "list_address": "/acme/approvals/",
        "query": "a=1&b=2",
        "heads": {},
        "is_mine": True,
    },
    "accounting/account_options.html": lambda: {
        "accounts": list(zip(hostile(5), hostile(10)[5:], strict=True)),
        "chosen": "",
    },
    "accounting/ledger_rows.html": lambda: {"lines": [LedgerLine(*hostile(8))]},
    "uncategorised/rows.html": lambda: {"rows": [QueueRow(*hostile(9), is_ticked=True)]},
    "audit/lines.html": lambda: {"rows": [_audit_line()]},
    "cards/tiles.html": lambda: {"rows": [(*hostile(2), _tile())], "checked": ()},
    "wallet_policies/authority_rows.html": lambda: {
        "lines": [AuthorityRow(*hostile(4), [(HOSTILE.format(4), [AuthorityLine(*hostile(9)[5:])])])],
    },
    "wallet_policies/wallet_choices.html": lambda: {"choices": _wallets(), "is_narrowed": True},
    "wallet_policies/rows.html": lambda: {
        "lines": [
            Person(
                Employee(name=HOSTILE.format(8), status=HOSTILE.format(9)),
                HOSTILE.format(10),
                "/a/",
                [Cell(*hostile(7))],
            )
        ]
    },
}


def test_every_template_of_rows_is_tested_here() -> None:
    assert {str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.html")} == {*ROWS, "cards/plastic.html"}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_printed_is_text_whatever_it_holds(name: str) -> None:
    shown = markup(name, **ROWS[name]())
    assert "<script" not in shown
    assert "alert('" not in shown
    assert "{{ 7 * 7 }}" in shown
    printed = set(re.findall(r"alert\(&#39;(\d+)&#39;\)&lt;/script&gt;&#34;&amp;", shown))
    assert len(printed) >= 7, printed


@pytest.mark.parametrize("name", ROWS)
def test_what_turns_its_surroundings_around_is_isolated_wherever_it_is_printed(name: str) -> None:
    shown = markup(name, **ROWS[name]())
    # Opened by nothing and closed by nothing, so it is not printed; what stood around it is between FSI and PDI.
    assert RLO not in shown
    assert shown.count("&lt;/td&gt;") == shown.count(f"{FSI}&lt;/td&gt;") > 7
    assert shown.count(FSI) == shown.count(PDI)
    assert not turns(re.sub(f"{FSI}[^{PDI}]*{PDI}", "", shown))


@pytest.mark.parametrize("name", ROWS)
def test_there_are_no_blanks_beside_cells(name: str) -> None:
    # Fifty rows hold a thousand of them, and a browser keeps each as a node of its own.
    shown = markup(name, **ROWS[name]()).strip()
    assert BESIDE_CELLS.findall(shown) == []
    two = {key: value * 2 if key in {"rows", "lines"} else value for key, value in ROWS[name]().items()}
    assert BESIDE_CELLS.findall(markup(name, **two).strip()) == []


def test_a_name_that_was_not_given_is_an_error_and_not_a_blank() -> None:
    with pytest.raises(UndefinedError):
        markup("lists/rows.html")
    with pytest.raises(UndefinedError):
        markup("approvals/rows.html", rows=[InboxRow(*hostile(11))], query="")
    with pytest.raises(UndefinedError):
        markup("cards/plastic.html#gauge")


def test_markup_and_numbers_come_through_as_they_are() -> None:
    template = engines[ENGINE].from_string("{{ a }}|{{ b }}|{{ c }}")
    assert template.render({"a": mark_safe("<i>"), "b": 7, "c": "<i>"}) == "<i>|7|&lt;i&gt;"


def test_a_macro_is_rendered_by_its_name_in_a_page_of_djangos() -> None:
    page = engines["django"].from_string('{% jinja "cards/plastic.html#gauge" gauge=gauge %}')
    shown = page.render({"gauge": Gauge("KES 1 <b>", "of KES 2", 50)})
    assert shown.startswith('<div class="gauge"><p class="figs"><b class="strong">KES 1 &lt;b&gt;</b>')
    assert 'aria-label="50 % spent"><rect width="50" height="6"/></svg></div>' in shown
    unlimited = page.render({"gauge": Gauge("KES 1", "No spending limit", None)})
    assert "<svg" not in unlimited


def test_an_items_address_is_that_of_reverse_whatever_the_business_and_the_ids_are_called() -> None:
    assert item_address("audit_evidence", "acme-id-0-kind", "kind", "id") == "/acme-id-0-kind/audit/evidence/kind/id/"
    assert item_address("expenses_item", "acme", "a/b c") == "/acme/expenses/a%2Fb%20c/"
    assert item_address("expenses_item", "acme", "X0X") == "/acme/expenses/X0X/"
