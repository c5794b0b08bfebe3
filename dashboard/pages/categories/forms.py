"""The forms of the chart of accounts: a category, a subcategory, and many of both as a pasted table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from dashboard.schemas.categories import Category, CategoryFields, CategoryWithSubcategories, SubcategoryDetails
from dashboard.sheets import SheetError, TooManyRows, read_text
from dashboard.web.fields import Name, TextBlock, TextLine, Verbatim, set_choices

CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,39}\Z", "A code has letters, digits, dashes and underscores.")
STATUSES = (("ACTIVE", "Active"), ("ARCHIVED", "Archived: nothing more is categorised under it"))
MAX_ROWS = 1000
MAX_CATEGORIES = 500
MAX_MOVED = 100
HEADINGS = {"category", "account", "name"}
TOO_MANY = f"At most {MAX_ROWS} rows and {MAX_CATEGORIES} categories at a time: split it. Nothing was added."


@dataclass(frozen=True, slots=True)
class PastedRow:
    """A row of a pasted table by its number in it, from 1: without a subcategory it names the category alone. The code is
    that of the last of the two."""

    number: int
    category: str
    subcategory: str
    code: str


class SubcategoryForm(forms.Form):
    """What is filed under: only its name must be there. One that exists has a status, too."""

    name = Name(max_length=100)
    code = TextLine(max_length=40, required=False, validators=[CODE], help_text="Empty: made of the name.")
    status = forms.ChoiceField(choices=STATUSES)

    def __init__(self, *args: Any, exists: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if exists:
            self.fields["code"].required, self.fields["code"].help_text = True, ""
        else:
            del self.fields["status"]

    def body(self) -> CategoryFields:
        """What is sent: what was left empty is left out."""
        data = self.cleaned_data
        body: CategoryFields = {"name": data["name"]}
        if data["code"]:
            body["code"] = data["code"].upper()
        if "status" in data:
            body["status"] = data["status"]
        return body


class CategoryForm(SubcategoryForm):
    """A category: a subcategory's fields, and the group that it stands in."""

    group = TextLine(max_length=60, required=False, help_text="Such as Operations or People.")
    field_order = ("name", "code", "group", "status")

    def body(self) -> CategoryFields:
        """What is sent; a group that was emptied is sent empty."""
        return {**super().body(), "group": self.cleaned_data["group"]}


class MoveForm(forms.Form):
    """Which subcategories move, and into which category: `chart` is what there is to choose from. `seen` names the plan that
    was shown; empty before one was."""

    row = forms.TypedMultipleChoiceField(widget=forms.CheckboxSelectMultiple, label="Subcategories", error_messages={
        "required": "Tick the subcategories to move.", "invalid_choice": "One of them is not in the chart any more.",
    })  # fmt: skip
    to = forms.ChoiceField(label="Move to", error_messages={"required": "Choose a category."})
    seen = Verbatim(max_length=64, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, chart: Iterable[Category] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chart = list(chart)
        children = [(child.id, child.name) for category in self.chart for child in category.subcategories]
        set_choices(self, "row", children)
        active = [(category.id, category.name) for category in self.chart if category.status == "ACTIVE"]
        set_choices(self, "to", [("", "Choose a category"), *active])

    def clean_row(self) -> list[str]:
        """At most a hundred at once."""
        rows: list[str] = self.cleaned_data["row"]
        if len(rows) > MAX_MOVED:
            raise forms.ValidationError(f"At most {MAX_MOVED} subcategories at a time: move them in parts.")
        return rows


class ManyForm(forms.Form):
    """Many categories and subcategories as a table: category, subcategory and, perhaps, a code in each row.

    Cleaned it is the rows. `chart` is what is there already: every row is held against it and against all others.
    """

    table = TextBlock(
        max_length=500_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        label="Category, subcategory, code",
        help_text=f"One row each, from a spreadsheet or separated by commas; at most {MAX_ROWS} rows. The chart has two "
        "levels.",
    )

    def __init__(self, *args: Any, chart: Iterable[Category] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.chart = chart

    def clean_table(self) -> list[PastedRow]:
        """The rows in their order; every row that is wrong is named, the first 20 of them."""
        try:
            cells = read_text(self.cleaned_data["table"], MAX_ROWS + 1)
        except TooManyRows:
            raise forms.ValidationError(TOO_MANY) from None
        except SheetError as wrong:
            raise forms.ValidationError(str(wrong)) from None
        numbered = [(number, [cell.strip() for cell in row]) for number, row in enumerate(cells, 1) if any(row)]
        if numbered and numbered[0][1][0].lower() in HEADINGS:
            numbered = numbered[1:]
        rows, problems = _pasted_rows(numbered)
        problems |= tree_problems(rows, self.chart)
        if len(numbered) > MAX_ROWS or len({row.category.casefold() for row in rows}) > MAX_CATEGORIES:
            raise forms.ValidationError(TOO_MANY)
        if not numbered:
            raise forms.ValidationError("Paste at least one row.")
        if problems:
            sentences = [f"Row {number}: {problem}" for number, problem in sorted(problems.items())]
            more = [f"And {len(sentences) - 20} more rows."] if len(sentences) > 20 else []
            raise forms.ValidationError([*sentences[:20], *more])
        return rows


def _pasted_rows(numbered: list[tuple[int, list[str]]]) -> tuple[list[PastedRow], dict[int, str]]:
    """The rows that can be read, and by its number what is wrong with each that cannot."""
    rows: list[PastedRow] = []
    problems: dict[int, str] = {}
    for number, cells in numbered:
        if any(cells[3:]):
            levels = sum(map(bool, cells))
            problems[number] = f"{levels} cells are filled: a row has a category, a subcategory and a code."
            continue
        name, subcategory, code = (*cells, "", "", "")[:3]
        if not name:
            problems[number] = "The first cell names the category; it is empty."
            continue
        try:
            rows.append(
                PastedRow(
                    number,
                    Name(max_length=100).clean(name),
                    Name(max_length=100, required=False).clean(subcategory),
                    TextLine(max_length=40, required=False, validators=[CODE]).clean(code).upper(),
                )
            )
        except forms.ValidationError as wrong:
            problems[number] = " ".join(wrong.messages)
    return rows, problems


def tree_problems(rows: Iterable[PastedRow], chart: Iterable[Category]) -> dict[int, str]:
    """By its row's number, why a row cannot become part of the chart: there twice, under itself (directly or by way of
    other rows or of the chart), a third level, under an archived category, or with a code that is taken. Names are compared
    as the service does, without regard to case; a row that is in the chart already is none."""
    there = by_name(chart)
    rows, above = list(rows), _above(rows, there.values())
    first_rows: dict[tuple[str, str], int] = {}
    codes: dict[tuple[str, str], str] = _codes_of(there)
    problems: dict[int, str] = {}
    for row in rows:
        upper, lower = row.category.casefold(), row.subcategory.casefold()
        if first := first_rows.get((upper, lower)):
            problems[row.number] = f"{row.subcategory or row.category} is there twice: row {first} has it too."
            continue
        first_rows[upper, lower] = row.number
        if is_known(row, there):
            continue
        category, code_key = there.get(upper), (upper if row.subcategory else "", row.code)
        if row.subcategory and (problem := _place_problem(row, category, above)):
            problems[row.number] = problem
        elif row.code and code_key in codes:
            problems[row.number] = f"The code {row.code} is taken by {codes[code_key]}."
        elif row.code:
            codes[code_key] = row.subcategory or row.category
    return problems


def by_name(chart: Iterable[Category]) -> dict[str, Category]:
    """The categories by their casefolded names; of several with one name the oldest, to which the service adds."""
    return {category.name.casefold(): category for category in sorted(chart, key=lambda row: row.id, reverse=True)}


def is_known(row: PastedRow, there: Mapping[str, Category]) -> bool:
    """Whether a row is in the chart already; `there` is its categories by their casefolded names."""
    category = there.get(row.category.casefold())
    if category is None or not row.subcategory:
        return category is not None
    return row.subcategory.casefold() in {child.name.casefold() for child in category.subcategories}


def _place_problem(row: PastedRow, category: Category | None, above: Mapping[str, dict[str, str]]) -> str:
    """Why a subcategory cannot stand where its row puts it; "" where it can. `category` is the chart's, None for a new one."""
    upper, lower = row.category.casefold(), row.subcategory.casefold()
    if lower == upper:
        return f"{row.category} cannot stand under itself."
    if lower in _ancestors(upper, above):
        return f"{row.subcategory} would stand under itself: {row.category} is below it."
    if category is None and (parents := above.get(upper)):
        return f"{row.category} stands under {next(iter(parents.values()))}, so this would be a third level: the chart has two."
    if category is not None and category.status == "ARCHIVED":
        return f"{row.category} is archived: activate it before anything is added to it."
    return ""


def _above(rows: Iterable[PastedRow], chart: Iterable[Category]) -> dict[str, dict[str, str]]:
    """By its casefolded name, above each subcategory of the rows and of the chart the names of its categories as written."""
    above: dict[str, dict[str, str]] = {}
    for category in chart:
        for child in category.subcategories:
            above.setdefault(child.name.casefold(), {})[category.name.casefold()] = category.name
    for row in rows:
        if row.subcategory:
            above.setdefault(row.subcategory.casefold(), {}).setdefault(row.category.casefold(), row.category)
    return above


def _ancestors(name: str, above: Mapping[str, dict[str, str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for parent in above.get(waiting.pop(), ()):
            if parent not in reached:
                reached.add(parent)
                waiting.append(parent)
    return reached


def _codes_of(there: Mapping[str, Category]) -> dict[tuple[str, str], str]:
    """Who has each code of the chart: categories under "", subcategories under their category's casefolded name."""
    codes = {("", category.code): category.name for category in there.values()}
    for name, category in there.items():
        codes |= {(name, child.code): child.name for child in category.subcategories}
    return codes


def categories_body(rows: Iterable[PastedRow]) -> list[CategoryWithSubcategories]:
    """The categories of CREATE_CATEGORIES's body, each once with its subcategories, in the order of the rows."""
    categories: dict[str, CategoryWithSubcategories] = {}
    for row in rows:
        category = categories.setdefault(row.category.casefold(), {"name": row.category, "subcategories": []})
        if row.subcategory:
            child: SubcategoryDetails = (
                {"name": row.subcategory, "code": row.code} if row.code else {"name": row.subcategory}
            )
            category["subcategories"].append(child)
        elif row.code:
            category["code"] = row.code
    return list(categories.values())


def category_initial(category: Category) -> dict[str, str]:
    """The initial values of a CategoryForm, as the category is now."""
    return {"name": category.name, "code": category.code, "group": category.group, "status": category.status}
