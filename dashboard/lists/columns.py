"""What a list is declared by: its columns, its sorts, its filters, and where its rows come from.

    EXPENSES = List(name="expenses", rows=visible_expenses, columns=(Column("who", "Who", field="employee_name"), …), …)

A declaration holds no request and no person: those come in as the Actor, and the rows are scoped by the area's one
function (dashboard/mirror/scopes.py), for the screen, the totals, the count and the export alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import F, QuerySet
from django.db.models.expressions import Combinable

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.pages import SitePage
from dashboard.lists.actions import Action
from dashboard.lists.filters import Filter
from dashboard.lists.states import States, state_in

Row = Mapping[str, Any]
CellKind = Literal["text", "figure", "amount", "state", "risk"]
Exported = Callable[[Actor], Combinable]
Narrowed = Callable[[QuerySet[Any], Mapping[str, str], Actor], QuerySet[Any]]


@dataclass(frozen=True)
class Column:
    """A column: the field of the row it reads, how it is printed on the screen, and what stands in the file.

    `states` are the words of the codes that the field holds. `render` gives the cell's text otherwise, for the kinds
    "state" and "risk" its tone and its text. `exported` gives the
    database's own expression for the file; without it the field goes in as it is. `computed` is the database's expression of a
    field that the table has not: it is put together and read where the column is shown, exported or acted by. `sort` is a field with an index, `sorted_as` its kind.
    `narrowed` adds to the rows what the filters that are set say of that field, though they are of another one: where its index begins and
    ends for them. It takes no row away.
    """

    name: str
    title: str
    field: str
    kind: CellKind = "text"
    states: States | None = None
    render: Callable[[Row, Actor], str | tuple[str, str]] | None = None
    needs: tuple[str, ...] = ()
    exported: Exported | None = None
    computed: Exported | None = None
    file_title: str = ""
    sort: str = ""
    sorted_as: type = datetime
    narrowed: Narrowed | None = None
    always: bool = False
    by_default: bool = True
    less: bool = False

    def cell(self, row: Row, actor: Actor) -> tuple[str, str]:
        """What the cell prints: its tone, "" without one, and its text."""
        if self.states is not None:
            word, tone = state_in(self.states, row[self.field])
            return tone, word
        content = self.render(row, actor) if self.render else row[self.field]
        if isinstance(content, tuple):
            return content
        return "", str(content) if content not in ("", None) else "–"

    def in_file(self, actor: Actor) -> Combinable:
        """The database expression of the column in a file."""
        return self.exported(actor) if self.exported else F(self.field)


@dataclass(frozen=True, eq=False)
class List:
    """A list, declared: one object per list, equal to itself alone."""

    name: str
    title: str
    noun: tuple[str, str]
    icon: str
    opens: Operation | SitePage
    rows: Callable[[Actor], QuerySet[Any]]
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...]
    sort: str
    address: str  # name of the list's address; an item's is `item_address`
    item_address: str = ""
    item_id: str = "remote_id"
    money: tuple[str, str] | None = None  # the fields of currency and minor units
    # What its totals add up where that is not `money`: the currency and minor units, as fields or expressions, and what the sum is.
    summed: tuple[str, Any] | None = None
    summed_title: str = ""
    search: str = ""  # the tsvector's field
    search_hint: str = "Name, reference or amount"
    file_only: tuple[Column, ...] = ()
    empty: str = ""
    mirrored: bool = True  # answered from the copy, so that its age is told
    # A list whose rows are printed by its page's own template prepares each for that.
    line: Callable[[Actor, Any], Any] | None = None
    # The template of all others' rows, in templates_jinja/. A list whose rows are more than cells has one of its own, and says by
    # `row` what that prints of an object, given the value of its box, "" without one.
    template: str = "lists/rows.html"
    row: Callable[[Actor, Any, str], Any] | None = None
    # What can be done to several rows, and the fields of a row that one decides by: a row in which they changed is new.
    actions: tuple[Action, ...] = ()
    seen: tuple[str, ...] = ("status",)
    # A list whose page prints the boxes itself says which of its lines have one: what was ticked and has none any more is not shown again.
    has_box: Callable[[Any], bool] | None = None

    @property
    def sorts(self) -> dict[str, str]:
        """The fields that the list can be sorted by: column name to field."""
        return {column.name: column.sort for column in self.columns if column.sort}

    def sorted_column(self, sort: str) -> Column:
        """The column that a sort goes by."""
        return next(column for column in self.columns if column.name == sort.lstrip("-"))

    def sorted_as(self, sort: str) -> type:
        """The kind of value that a sort goes by: datetime, int or str."""
        return self.sorted_column(sort).sorted_as

    @property
    def choosable(self) -> tuple[Column, ...]:
        """The columns that a person can show or hide."""
        return tuple(column for column in self.columns if not column.always)

    @property
    def usual_columns(self) -> str:
        """The names of the default columns, comma-separated."""
        return ",".join(column.name for column in self.choosable if column.by_default)

    @property
    def money_title(self) -> str:
        """What the amounts of its rows are called: as the column of those that `money` names, whatever else has one."""
        amounts = [column for column in self.columns if column.kind == "amount"]
        summed = [column for column in amounts if self.money and self.money[1] in (column.field, column.sort)]
        return next((column.title for column in summed or amounts), "Amount")

    @property
    def sums_title(self) -> str:
        """What stands after a sum of its amounts, "spent this month"; "" where they are amounts and nothing more."""
        if self.summed_title:
            return self.summed_title
        return "" if self.money_title == "Amount" else self.money_title.lower()

    def fields(self, columns: tuple[Column, ...], sort: str) -> tuple[str, ...]:
        """The fields of a row that the cells of these columns, the selection and the next page's cursor need, each once: what
        is not shown is not read. `sort` is the field that the rows are sorted by."""
        names = ["pk", self.item_id, sort, *(column.field for column in columns)]
        names += [name for column in columns for name in column.needs]
        names += self.seen if self.actions else ()
        return tuple(dict.fromkeys(names))

    def with_computed(
        self, rows: QuerySet[Any], actor: Actor, columns: tuple[Column, ...] | None = None
    ) -> QuerySet[Any]:
        """The rows with what these columns compute, all of the list's where none are named."""
        chosen_columns = self.columns if columns is None else columns
        computed = {column.field: column.computed(actor) for column in chosen_columns if column.computed}
        return rows.annotate(**computed) if computed else rows

    def in_file(self) -> tuple[Column, ...]:
        """The columns of an export: all of the list's, whatever is chosen for the screen, and those only files have."""
        return (*self.file_only, *self.columns)
