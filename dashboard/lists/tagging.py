"""Tags and categories: which tags there are to choose from, what lists of expenses and transactions do with them in bulk, and
how each is undone."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db.models import CharField, Func
from django.db.models.expressions import Combinable
from django.http import QueryDict

from dashboard import operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.commands.expenses import save_tags, tags_of
from dashboard.commands.run import CommandResult, FormKey
from dashboard.errors import FAILED, FinanceError
from dashboard.lists.actions import Action, AnsweredCommand, Question, Undo
from dashboard.lists.columns import Exported, Row
from dashboard.mirror.cached_responses import read_or_cached
from dashboard.mirror.models import Expense
from dashboard.web.forms import TagsForm

MAX_TAGS = 200
NO_TAGS = "There are no tags yet: the first one is added on the page of an expense."
# Of a tag no line feed is part.
BETWEEN = "\n"
Unfit = Callable[[Any], tuple[str, str] | None]


class TagsOf(Func):
    """SQL: the names of the tags in the payload of an expense, one a line."""

    template = (
        "array_to_string(array(select jsonb_array_elements_text(case jsonb_typeof((%(expressions)s) -> 'tag') "
        "when 'array' then (%(expressions)s) -> 'tag' else '[]'::jsonb end)), E'\\n')"
    )
    output_field = CharField()


class TagsInFile(Func):
    """SQL: tags that stand one a line as a cell has them: with commas."""

    template = "replace(%(expressions)s, E'\\n', ', ')"
    output_field = CharField()


def tags_exported(field: str) -> Exported:
    """The tags of a row in a file."""

    def expression(_: Actor) -> Combinable:
        return TagsInFile(field)

    return expression


def tags_text(row: Row, _: Actor) -> str:
    """The tags of a row on the screen."""
    return str(row["tags"] or "").replace(BETWEEN, ", ")


def tag_choices(actor: Actor) -> tuple[tuple[str, str], ...]:
    """The tags of the business, as they are now or were when they could last be read."""
    answer = read_or_cached(actor, operations_extra.LIST_EXPENSE_TAGS, query={"limit": MAX_TAGS})
    names = [str(row.get("name")) for row in read_page(answer.data).rows]
    return tuple((name, name) for name in names)


def tags_to_choose(actor: Actor, otherwise: Iterable[str] = ()) -> tuple[list[str], FinanceError | None]:
    """The names of the tags that the business has, read live, MAX_TAGS at most; where they cannot be read, the names given
    `otherwise`, each once, so that a form can be shown as it was, with what went wrong."""
    try:
        answer = read_live(actor, operations_extra.LIST_EXPENSE_TAGS, query={"limit": MAX_TAGS})
    except FAILED as trouble:
        return list(dict.fromkeys(otherwise)), trouble
    return [str(row.get("name")) for row in read_page(answer.data).rows], None


def tags_form(actor: Actor, expense: Expense, posted: QueryDict | None) -> tuple[TagsForm, FinanceError | None]:
    """The form of an expense's tags, bound where something was posted, and why it is not known which tags there are to choose
    from, None where it is."""
    present = tags_of(expense)
    names, trouble = tags_to_choose(actor, [*present, *(posted.getlist("tags") if posted is not None else [])])
    may_add = bool(can_open(actor, operations_extra.CREATE_EXPENSE_TAG))
    return TagsForm(posted, initial={"tags": present}, names=names, may_add=may_add), trouble


def save_tags_form(
    actor: Actor, expense: Expense, form: TagsForm, trouble: FinanceError | None, *, key: FormKey
) -> None:
    """Sends what a valid form chose, the new tag first. Raises the trouble where it is not known what there is to choose from,
    and what `save_tags` raises."""
    if trouble:
        raise trouble
    save_tags(actor, expense, form.cleaned_data["tags"], form.cleaned_data.get("new", ""), key=key)


def tag_actions(
    kind: str, add: AnsweredCommand, remove: AnsweredCommand, unfit: Unfit = lambda _: None
) -> tuple[Action, ...]:
    """Adding a tag to rows and removing one, each undone by the other in the rows where it changed something."""

    def put_back(
        actor: Actor, row: Any, given: str, before: Mapping[str, str], /, *, key: str, deadline: float
    ) -> CommandResult:
        command = add if given in _had(before) else remove
        return command(actor, row, given, key=key, deadline=deadline)

    def unchanged(row: Any, given: str, before: Mapping[str, str]) -> tuple[str, str] | None:
        if (given in _had(before)) == (given in str(row.tags or "").split(BETWEEN)):
            return "nothing to undo", "Its tags are as they were before."
        return None

    undo = Undo(before=lambda row: {"was_tags": str(row.tags or "")}, command=put_back, unfit=unchanged)
    operation = operations_extra.TAG_EXPENSE
    return (
        Action(
            "tag", "Tag", "tagged", operation, kind, unfit=unfit, undo=undo,
            confirm="They keep the tags that they have.",
            question=Question("Tag", "Choose a tag.", add, choices=tag_choices, empty=NO_TAGS),
        ),
        Action(
            "untag", "Untag", "untagged", operation, kind, unfit=unfit, undo=undo,
            confirm="Their other tags stay.",
            question=Question("Tag", "Choose a tag.", remove, choices=tag_choices, empty=NO_TAGS),
        ),
    )  # fmt: skip


def _had(before: Mapping[str, str]) -> list[str]:
    return before.get("was_tags", "").split(BETWEEN)


def category_undo(subcategory_of: Callable[[Any], str], categorise: AnsweredCommand) -> Undo:
    """Files rows under the category that they had; one that had none stays, and one that was filed otherwise since."""

    def put_back(
        actor: Actor, row: Any, given: str, before: Mapping[str, str], /, *, key: str, deadline: float
    ) -> CommandResult:
        return categorise(actor, row, before.get("was_subcategory", ""), key=key, deadline=deadline)

    def unfit(row: Any, given: str, before: Mapping[str, str]) -> tuple[str, str] | None:
        if not before.get("was_subcategory"):
            return (
                "had no category before",
                "It had no category before, and a category cannot be removed: choose another.",
            )
        if subcategory_of(row) != given:
            return "categorised again since", "It was categorised otherwise since."
        if before["was_subcategory"] == given:
            return "nothing to undo", "It had this category before."
        return None

    return Undo(before=lambda row: {"was_subcategory": subcategory_of(row)}, command=put_back, unfit=unfit)
