"""The forms of the chart of accounts: a category, a subcategory, and many of both as a pasted table."""

from typing import Any, NotRequired, TypedDict

from django import forms
from django.core.validators import RegexValidator

from dashboard.schemas.categories import Category
from dashboard.sheets import SheetError, read_text
from dashboard.web.fields import Name, TextBlock, TextLine

CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,39}\Z", "A code has letters, digits, dashes and underscores.")
STATUSES = (("ACTIVE", "Active"), ("ARCHIVED", "Archived: nothing more is filed under it"))
MAX_ROWS = 1000
MAX_CATEGORIES = 500
HEADINGS = {"category", "account", "name"}


class CategoryBody(TypedDict):
    """The body of an operation on a category or a subcategory: code, group and status where the form has them filled."""

    name: str
    code: NotRequired[str]
    group: NotRequired[str]
    status: NotRequired[str]


class SubcategoryBody(TypedDict):
    """A subcategory in the body of CREATE_CATEGORIES."""

    name: str
    code: NotRequired[str]


class CategoryWithSubcategories(TypedDict):
    """A category in the body of CREATE_CATEGORIES."""

    name: str
    subcategories: list[SubcategoryBody]


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

    def body(self) -> CategoryBody:
        """What is sent: what was left empty is left out."""
        data = self.cleaned_data
        body: CategoryBody = {"name": data["name"]}
        if data["code"]:
            body["code"] = data["code"].upper()
        if "status" in data:
            body["status"] = data["status"]
        return body


class CategoryForm(SubcategoryForm):
    """A category: a subcategory's fields, and the group that it stands in."""

    group = TextLine(max_length=60, required=False, help_text="Such as Operations or People.")
    field_order = ("name", "code", "group", "status")

    def body(self) -> CategoryBody:
        """What is sent; a group that was emptied is sent empty."""
        return {**super().body(), "group": self.cleaned_data["group"]}


class ManyForm(forms.Form):
    """Many categories and subcategories as a table: category, subcategory and, perhaps, a code in each row."""

    table = TextBlock(
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        label="Category, subcategory, code",
        help_text=f"One row each, from a spreadsheet or separated by commas; at most {MAX_ROWS} rows.",
    )

    def clean_table(self) -> list[CategoryWithSubcategories]:
        """The categories with their subcategories, in the order of the rows; every row that is wrong is named."""
        try:
            rows = [[cell.strip() for cell in row] for row in read_text(self.cleaned_data["table"])]
        except SheetError as wrong:
            raise forms.ValidationError(str(wrong)) from None
        numbered = [(number, row) for number, row in enumerate(rows, 1) if any(row)]
        if numbered and numbered[0][1][0].lower() in HEADINGS:
            numbered = numbered[1:]
        return _categories(numbered)


def _categories(numbered: list[tuple[int, list[str]]]) -> list[CategoryWithSubcategories]:
    problems: list[str] = []
    categories: dict[str, CategoryWithSubcategories] = {}
    named: set[tuple[str, str]] = set()
    for number, row in numbered:
        name, subcategory, code = (*row, "", "", "")[:3]
        try:
            name = Name(max_length=100).clean(name)
            subcategory = Name(max_length=100, required=False).clean(subcategory)
            code = TextLine(max_length=40, required=False, validators=[CODE]).clean(code)
        except forms.ValidationError as wrong:
            problems.append(f"Row {number}: {' '.join(wrong.messages)}")
            continue
        if (name.casefold(), subcategory.casefold()) in named:
            problems.append(f"Row {number}: {subcategory or name} is there twice.")
            continue
        named.add((name.casefold(), subcategory.casefold()))
        category = categories.setdefault(name.casefold(), {"name": name, "subcategories": []})
        if subcategory:
            row_body: SubcategoryBody = {"name": subcategory}
            if code:
                row_body["code"] = code.upper()
            category["subcategories"].append(row_body)
    if len(numbered) > MAX_ROWS or len(categories) > MAX_CATEGORIES:
        problems.append(f"At most {MAX_ROWS} rows and {MAX_CATEGORIES} categories at once: split it.")
    if not numbered:
        problems.append("Paste at least one row.")
    if problems:
        more = [f"And {len(problems) - 20} more rows."] if len(problems) > 20 else []
        raise forms.ValidationError([*problems[:20], *more])
    return list(categories.values())


def initial_of(category: Category) -> dict[str, str]:
    """The initial values of a CategoryForm, as the category is now."""
    return {"name": category.name, "code": category.code, "group": category.group, "status": category.status}
