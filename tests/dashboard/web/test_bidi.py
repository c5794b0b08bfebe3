"""A text from outside cannot turn around what stands beside it: not on a list, an item, a toast, a title, nor in a file."""

import csv
import io
import re
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest
from django.template import Context, Engine
from django.template.loader import get_template

from dashboard.bidi import FSI, PDI, TURNS, isolated, settled
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.journal_exports.formats import xlsx
from dashboard.journal_exports.journal import JournalLine
from dashboard.journal_exports.mapped_lines import MappedCode, MappedLine
from dashboard.lists import files
from dashboard.spreadsheet import safe_row
from dashboard.web.charts import parts_chart
from dashboard.web.loaders import isolating
from tests.dashboard.pages.conftest import House

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
DASHBOARD = TEMPLATES.parent / "dashboard"
RLO, PDF = "\u202e", "\u202c"
EVIL, ARABIC = f"{RLO}gnp.tpieceR", "شركة النور"
PAIRS = {"\u202a": PDF, "\u202b": PDF, "\u202d": PDF, RLO: PDF, "\u2066": PDI, "\u2067": PDI, FSI: PDI}
# What a field sends back stays as it came, in a box of its own.
FIELD = re.compile(r"<textarea.*?</textarea>", re.DOTALL)
VOID = re.compile(r"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)


def loose(text: str) -> list[str]:
    """The controls in a text that have no other half in their line."""
    found: list[str] = []
    for line in text.splitlines():
        stack: list[str] = []
        for each in line:
            if each in PAIRS:
                stack.append(PAIRS[each])
            elif each in PAIRS.values():
                found += [] if stack and stack[-1] == each else [each]
                stack = stack[:-1]
        found += stack
    return found


@pytest.mark.parametrize(
    ("text", "printed_as"),
    [
        ("Shell", "Shell"), ("Zoë – 1.200", "Zoë – 1.200"), ("", ""), (EVIL, f"{FSI}gnp.tpieceR{PDI}"),
        (f"{RLO}abc{PDF} d", f"{FSI}{RLO}abc{PDF} d{PDI}"), (ARABIC, f"{FSI}{ARABIC}{PDI}"),
        (f"{PDI}{PDF}out", f"{FSI}out{PDI}"), (f"\u2067a{RLO}b{PDI}c", f"{FSI}\u2067ab{PDI}c{PDI}"),
        (f"a{RLO}\nb{PDF}", f"{FSI}a{PDI}\n{FSI}b{PDI}"), ("\u200fa", f"{FSI}\u200fa{PDI}"),
    ],
)  # fmt: skip
def test_a_text_that_turns_is_isolated_and_what_it_leaves_open_is_not_printed(text: str, printed_as: str) -> None:
    assert isolated(text) == printed_as
    assert loose(settled(text)) == []


def test_a_variable_is_isolated_by_where_it_stands() -> None:
    source = (
        '<title>{{ a }}</title><a href="/{{ b }}" title="{{ c }}">{{ d }}</a><textarea>{{ e }}</textarea>'
        "<option value='{{ f }}'>{{ g }}</option>{# {{ no }} #}<p{% if x %} class=\"{{ h }}\"{% endif %}>{{ i|linebreaksbr }}"
        "{% block title %}{{ j }}{% endblock %}{{ k|default:'–' }}<script>{{ l }}</script>"
    )
    given = re.findall(r"\{\{ (.*?) \}\}", isolating(source))
    assert given == [
        "a|fsi", "b", "c|fsi", "d|bdi", "e", "f", "g|fsi", "no", "h", "i|fsi|linebreaksbr", "j|fsi", "k|default:'–'|bdi", "l",
    ]  # fmt: skip
    assert isolating("Dear {{ name }}", markup=False) == "Dear {{ name|fsi }}"


def test_every_template_of_ours_prints_its_texts_isolated() -> None:
    files = [file for file in TEMPLATES.rglob("*") if file.suffix in {".html", ".txt"}]
    assert len(files) > 150
    for file in files:
        source = getattr(get_template(str(file.relative_to(TEMPLATES))), "template", None)
        assert source is not None
        assert source.source == isolating(file.read_text(), markup=file.suffix == ".html"), file
    whole = isolating((TEMPLATES / "expenses" / "item.html").read_text())
    assert "{{ item.title|fsi }}" in whole


def test_markup_and_numbers_come_through_as_they_are() -> None:
    engine = Engine.get_default()
    page = engine.from_string(isolating("<b>{{ a }}</b>{{ b }}{{ c }}{{ d }}"))
    shown = page.render(Context({"a": f"<{ARABIC}>", "b": 7, "c": "<i>", "d": None}))
    assert shown == f"<b><bdi>&lt;{ARABIC}&gt;</bdi></b>7&lt;i&gt;None"


def texts(markup: str) -> str:
    """What is read of a page, its tags gone."""
    return VOID.sub("\n", markup)


@pytest.mark.parametrize("merchant", [EVIL, f"{ARABIC} 12", f"a{PDI}{PDF}b", "\u2067open"])
def test_a_merchant_turns_nothing_around(house: House, merchant: str) -> None:
    expense = house.expense(merchant=merchant, notes=f"line one {RLO}\nline two", employee_name=f"Amina {RLO}")
    browser = house.browser("Apollo")
    safe = settled(merchant)
    for address in (
        "expenses/",
        f"expenses/{expense.remote_id}/",
        "approvals/",
        f"approvals/expense/{expense.remote_id}/",
    ):
        page = FIELD.sub("", browser.get(house.address(address)).content.decode())
        assert f"{FSI}{safe}{PDI}" in page or f"<bdi>{safe}" in page or f"{safe}</bdi>" in page, address
        assert loose(page) == [], address
        assert RLO not in texts(page), address
    title = re.search(
        r"<title>(.*?)</title>", browser.get(house.address(f"expenses/{expense.remote_id}/")).content.decode()
    )
    assert title is not None
    assert f"{FSI}{safe}{PDI} · Countersign" in title[1]


def test_a_toast_names_what_turns_and_is_read_as_it_is_said(house: House) -> None:
    answer = house.browser("Ada").post(
        house.address("lists/expenses/views/"), {"name": f"Mine {RLO}", "list": ""}, follow=True
    )
    page = answer.content.decode()
    assert "Mine" in page
    assert loose(page) == []


@pytest.mark.parametrize("merchant", [EVIL, f"{ARABIC} 12", f"a{PDI}{PDF}b"])
def test_what_became_of_a_form_names_the_item_in_json_without_turning_the_sentence(house: House, merchant: str) -> None:
    """static/js/doubts.js writes the sentence behind the label of the button."""
    browser, attempt = house.browser("Apollo"), "a" * 32
    expense = house.expense(merchant=merchant)
    form = {"key": "k1", "fingerprint": fingerprint_of(expense)}
    address = house.address(f"approvals/expense/{expense.remote_id}/approve/")
    assert browser.post(address, form, headers={"HX-Request": "true", "X-Attempt": attempt}).status_code == 200
    sentence = browser.get(house.address(f"submissions/k1/?attempt={attempt}")).json()["sentence"]
    assert loose(sentence) == []
    assert f"{FSI}{settled(merchant)}{PDI}" in sentence or f"{FSI}{settled(merchant)}" in sentence
    assert RLO not in sentence
    named = browser.post(
        house.address("lists/expenses/views/"), {"name": f"Mine {merchant}", "list": "", "key": "k2"},
        headers={"X-Attempt": "b" * 32},
    )  # fmt: skip
    assert named.status_code == 302
    sentence = browser.get(house.address(f"submissions/k2/?attempt={'b' * 32}")).json()["sentence"]
    assert "Mine" in sentence
    assert (sentence[0], sentence[-1]) == (FSI, PDI)
    assert loose(sentence) == []


def test_a_chart_draws_and_says_its_names_isolated() -> None:
    chart = parts_chart(f"Spent {RLO}", [(EVIL, 1), (ARABIC, 2), ("Fuel", 3)], "KES", "en_KE")
    assert chart is not None
    assert chart["labels"] == [f"{FSI}gnp.tpieceR{PDI}", f"{FSI}{ARABIC}{PDI}", "Fuel"]
    assert chart["series"][0]["name"] == f"{FSI}Spent {PDI}"


def test_json_that_scripts_print_is_isolated_where_it_is_made() -> None:
    """The others answer with numbers, with what is no page's, and with names that go back into a field as they are."""
    bare = {
        "approvals/views/inbox.py", "audit/views/log.py", "conversation/views.py", "notifications/views.py", "account_views.py",
        "health.py", "manifest.py", "respond.py",
    }  # fmt: skip
    folders = [DASHBOARD / "pages", DASHBOARD / "web"]
    using = {
        str(file.relative_to(folder))
        for folder in folders
        for file in folder.rglob("*.py")
        if "JsonResponse(" in file.read_text()
    }
    assert using == bare


def test_scripts_write_names_from_outside_isolated() -> None:
    """A file's or a person's name goes through static/js/bidi.js, but where it is put into a field or compared."""
    name = re.compile(r"\b(?:file|person)\.name\b")
    kept = re.compile(r"isolated\((?:\w+\.)?(?:file|person)\.name\)|dataset\.name = person\.name|name: file\.name")
    files = sorted((TEMPLATES.parent / "static" / "js").glob("*.js"))
    naming = [file for file in files if name.search(file.read_text())]
    assert {file.name for file in naming} >= {"mention.js", "uploads.js"}
    for file in naming:
        assert name.search(kept.sub("", file.read_text())) is None, file.name
    turns = re.search(r"const TURNS = /\[(.*?)\]/u;", (TEMPLATES.parent / "static" / "js" / "bidi.js").read_text())
    assert turns is not None
    ours = re.sub(r"\\u\{(\w+)\}|\\u(\w{4})", lambda match: chr(int(match[1] or match[2], 16)), turns[1])
    assert f"[{ours}]" == TURNS.pattern


def test_a_file_keeps_what_turns_to_its_cell_and_an_arabic_name_as_it_is() -> None:
    file = io.StringIO()
    csv.writer(file).writerow(safe_row([EVIL, ARABIC, f"={RLO}1", 7]))
    cells = next(csv.reader(io.StringIO(file.getvalue())))
    assert loose(file.getvalue()) == []
    assert cells[0] == f"{FSI}gnp.tpieceR{PDI}"
    assert cells[1] == ARABIC
    assert cells[2].startswith("'")
    assert cells[3] == "7"


CELLS = (EVIL, ARABIC, f"={RLO}1", "Taxi")


def cells_of(workbook: Path | io.BytesIO) -> list[str]:
    rows = openpyxl.load_workbook(workbook).active.iter_rows()
    return [cell.value for row in rows for cell in row if isinstance(cell.value, str)]


def test_so_does_every_cell_of_a_workbook(tmp_path: Path) -> None:
    file = tmp_path / "rows.xlsx"
    files.write("xlsx", file, CELLS, [[CELLS]], [(EVIL, EVIL)], lambda _: None)
    kept = [f"{FSI}gnp.tpieceR{PDI}", ARABIC, f"{FSI}=1{PDI}", "Taxi"]
    assert cells_of(file) == [*kept, *kept, kept[0], kept[0]]
    assert loose("".join(cells_of(file))) == []


def test_so_does_every_text_of_a_journal_export() -> None:
    day, now = date(2026, 3, 31), datetime(2026, 3, 31, tzinfo=UTC)
    line = JournalLine(1, day, now, 7, "CARD_SPEND", EVIL, EVIL, 5, 1, "WALLET", EVIL, "KES", 12_50, "c", "t", "x")
    [export] = xlsx.write([MappedLine(line, MappedCode(EVIL, EVIL), EVIL, EVIL, (EVIL,))], "stem", EVIL)
    texts = cells_of(io.BytesIO(export.content))
    assert texts.count(f"{FSI}gnp.tpieceR{PDI}") >= 5
    assert loose("".join(texts)) == []
