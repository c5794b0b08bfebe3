"""The lists of spend policies and of workflows for the list engine: filters, saved views, exports, the palette's search."""

from django.db.models import Case, CharField, Value, When
from django.db.models.expressions import Combinable

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.lists.columns import Column, List, Row
from dashboard.lists.expressions import exported_amount, exported_day, exported_field, label, yes_or
from dashboard.lists.filters import ANY, ChoiceFilter
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.scopes import visible_spend_policies, visible_workflows
from dashboard.money import text
from dashboard.policies import workflow_text
from dashboard.policies.policy_text import ACTIONS, POLICY_STATES, POLICY_TYPES, limit_period_text


def _limit(row: Row, actor: Actor) -> str:
    if row["limit_minor"] is None:
        return "any amount"
    limit = text(row["limit_minor"], row["currency"], actor.business.locale)
    return f"{limit} {limit_period_text(row['period'], per_person=row['per_person']) or 'each'}"


def _flow_state(row: Row, _: Actor) -> tuple[str, str]:
    word, tone = workflow_text.STATES[row["is_active"]]
    return tone, word


def _kind(_: Actor) -> Combinable:
    whens = [When(action_type=code, then=Value(name)) for code, name in workflow_text.KINDS.items()]
    return Case(*whens, default=Value("Other"), output_field=CharField())


POLICIES = register(
    List(
        name="policies",
        title="Spend policies",
        noun=("spend policy", "spend policies"),
        icon="shield-check",
        opens=operations.READ_POLICY,
        rows=visible_spend_policies,
        address="policies_all",
        item_address="policies_item",
        sort="name",
        search="search",
        search_hint="Name",
        empty="Spend policies appear here as soon as there are any.",
        filters=(
            ChoiceFilter(
                "status", "Status", "status", usual="ACTIVE",
                of=(*((code, state) for code, (state, _) in POLICY_STATES.items()), (ANY, "Any status")),
            ),
            ChoiceFilter("type", "Type", "type", of=tuple(POLICY_TYPES.items())),
            ChoiceFilter("action", "Action", "action", of=tuple(ACTIONS.items())),
        ),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="sort_name", sorted_as=str, always=True),
            Column("type", "Type", "type", exported=label("type", POLICY_TYPES), render=lambda row, _: POLICY_TYPES.get(row["type"], str(row["type"]))),
            Column("action", "Action", "action", exported=label("action", ACTIONS), render=lambda row, _: ACTIONS.get(row["action"], str(row["action"]))),
            Column("limit", "Limit", "limit_minor", "figure", needs=("currency", "period", "per_person"), render=_limit, exported=exported_amount("limit_minor", "currency")),
            Column("status", "Status", "status", "state", states=POLICY_STATES, exported=label("status", words(POLICY_STATES))),
            Column(
                "changed", "Changed", "changed_at", "figure", exported=exported_day("changed_at"), sort="changed_at", less=True,
                render=lambda row, actor: times.day(row["changed_at"], actor.business),
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"), Column("target", "Target", "target"), Column("currency", "Currency", "currency"),
            Column("period", "Period", "period"), Column("per_person", "Per person", "per_person", exported=yes_or("per_person", "Yes", "No")),
        ),
    )
)  # fmt: skip

WORKFLOWS = register(
    List(
        name="workflows",
        title="Approval workflows",
        noun=("workflow", "workflows"),
        icon="list-checks",
        opens=operations.READ_BILL_WORKFLOW,
        rows=visible_workflows,
        address="workflows_all",
        item_address="workflows_item",
        sort="name",
        search="search",
        search_hint="Name",
        empty="Workflows appear here as soon as there are any.",
        filters=(
            ChoiceFilter("for", "For", "action_type", of=tuple((str(code), name) for code, name in workflow_text.KINDS.items())),
            ChoiceFilter("status", "Status", "is_active", of=(("True", "Active"), ("False", "Inactive"))),
        ),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="sort_name", sorted_as=str, always=True),
            Column("for", "For", "action_type", render=lambda row, _: workflow_text.KINDS.get(row["action_type"], "–"), exported=_kind),
            Column("priority", "Priority", "priority", "figure", sort="priority", sorted_as=int),
            Column("steps", "Steps", "step_count", "figure", less=True),
            Column("status", "Status", "is_active", "state", render=_flow_state, exported=yes_or("is_active", "Active", "Inactive")),
            Column(
                "changed", "Changed", "changed_at", "figure", exported=exported_day("changed_at"), sort="changed_at", less=True,
                render=lambda row, actor: times.day(row["changed_at"], actor.business),
            ),
        ),
        file_only=(Column("id", "Id", "remote_id"),),
    )
)  # fmt: skip
