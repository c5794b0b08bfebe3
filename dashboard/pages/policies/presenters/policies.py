"""Spend policies as they are shown: sentences in their groups, one policy, what applies to a person or a category."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.commands.policies import change_of_policy, deleting
from dashboard.impact.mandate_reads import Snapshot, open_proposal
from dashboard.lists.states import state_in
from dashboard.mirror.scopes import visible_categories, visible_employees
from dashboard.policies.findings import RuleFinding, all_findings, findings_of
from dashboard.policies.names import Names, names_for
from dashboard.policies.policy_text import POLICY_STATES, POLICY_TYPES, policy_sentence, policy_title
from dashboard.policies.rulebook import rulebook_for
from dashboard.proposals.models import POLICY, Proposal
from dashboard.schemas.policies import PolicyGroup, PolicySummary, SpendPolicy
from dashboard.web.submission import new_key

GENERAL = ("CHANNEL", "DAY_TIME", "VENDOR")


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """A policy as a line of a page: its sentence, its status in a word with its tone, and why it stands where it does."""

    policy: SpendPolicy
    title: str
    sentence: str
    state: tuple[str, str]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A group of policies with its lines."""

    title: str
    text: str
    lines: list[PolicyLine]
    id: str = ""


class OverviewContext(TypedDict):
    """What policies/policies.html reads: `problem` says why the service does not answer, `as_of` how old the copy is."""

    here: str
    sections: list[Section]
    count: int
    findings: list[tuple[SpendPolicy, RuleFinding]]
    is_grave: bool
    problem: str
    as_of: str
    may_change: bool


class ItemContext(TypedDict):
    """What policies/policy.html reads; `address` names the views that change a policy of this type."""

    policy: SpendPolicy
    heading: str
    sentence: str
    state: tuple[str, str]
    type: str
    findings: list[RuleFinding]
    problem: str
    as_of: str
    may_change: Verdict
    is_deleted: bool
    kind: str
    open: Proposal | None
    key: str


class ChooserContext(TypedDict):
    """What policies/types.html reads."""

    here: str
    groups: list[PolicyGroup]
    problem: str
    may_change: Verdict


class GroupContext(TypedDict):
    """What policies/group.html reads."""

    here: str
    group: PolicyGroup
    section: Section
    problem: str
    as_of: str


class CategoriesContext(TypedDict):
    """What policies/categories.html reads: `type` and `status` are what the address asks for."""

    here: str
    lines: list[PolicyLine]
    type: str
    status: str
    types: list[tuple[str, str]]
    statuses: list[tuple[str, str]]
    problem: str
    as_of: str
    may_change: bool


class AppliesContext(TypedDict):
    """What policies/applies.html reads: for whom or for what, what applies, and what would but for an exemption."""

    here: str
    categories: list[tuple[str, str]]
    category: str
    subject: str
    applies: list[PolicyLine]
    exempt: list[PolicyLine]
    problem: str
    as_of: str


def line_of(spend_policy: SpendPolicy, names: Names, note: str = "") -> PolicyLine:
    """A spend policy as a line of a list: its title, its sentence, the word and tone of its status, and a note."""
    return PolicyLine(
        spend_policy,
        policy_title(spend_policy),
        policy_sentence(spend_policy, names),
        state_in(POLICY_STATES, spend_policy.status),
        note,
    )


def overview_context(
    actor: Actor, groups: Snapshot[list[PolicyGroup]], summary: Snapshot[PolicySummary]
) -> OverviewContext:
    """All policies that are not deleted, in their groups, with what is wrong among them."""
    by_group = {group.id: group.policies for group in summary.value.groups}
    policies = [policy for rows in by_group.values() for policy in rows]
    names = names_for(actor.business, policies)
    sections = [
        Section(group.name, group.description, _lines(by_group.get(group.id, []), names), group.id)
        for group in groups.value
    ]
    findings = all_findings(rulebook_for(actor))
    return {
        "here": "policies",
        "sections": sections,
        "count": len(policies),
        "findings": findings,
        "is_grave": any(finding.grave for _, finding in findings),
        "problem": groups.trouble or summary.trouble,
        "as_of": summary.as_of,
        "may_change": bool(can_open(actor, operations.CREATE_POLICY)),
    }


def _lines(policies: Iterable[SpendPolicy], names: Names) -> list[PolicyLine]:
    ordered = sorted(
        policies, key=lambda policy: (policy.status != "ACTIVE", policy_title(policy).casefold(), policy.id)
    )
    return [line_of(policy, names) for policy in ordered]


def chooser_context(actor: Actor, read: Snapshot[list[PolicyGroup]]) -> ChooserContext:
    """The groups with their types, to begin a new policy of one."""
    return {
        "here": "policies",
        "groups": read.value,
        "problem": read.trouble,
        "may_change": can_open(actor, operations.CREATE_POLICY),
    }


def group_context(actor: Actor, read: Snapshot[PolicyGroup]) -> GroupContext:
    """One group with its policies."""
    group = read.value
    names = names_for(actor.business, group.policies)
    section = Section(group.name, group.description, _lines(group.policies, names), group.id)
    return {"here": "policies", "group": group, "section": section, "problem": read.trouble, "as_of": read.as_of}


def categories_context(actor: Actor, read: Snapshot[list[SpendPolicy]], type_: str, status: str) -> CategoriesContext:
    """The policies on categories and subcategories, as the address asks for them."""
    names = names_for(actor.business, read.value)
    return {
        "here": "categories",
        "lines": _lines(read.value, names),
        "type": type_,
        "status": status,
        "types": [("", "Categories and subcategories"), ("CATEGORY", "Categories"), ("SUBCATEGORY", "Subcategories")],
        "statuses": [("", "All but deleted"), *((code, word) for code, (word, _) in POLICY_STATES.items())],
        "problem": read.trouble,
        "as_of": read.as_of,
        "may_change": bool(can_open(actor, operations.SET_CATEGORY_POLICY)),
    }


def policy_context(actor: Actor, read: Snapshot[SpendPolicy]) -> ItemContext:
    """One policy as a sentence, what is wrong with it, and what may be done with it."""
    policy = read.value
    rulebook = rulebook_for(actor)
    return {
        "policy": policy,
        "heading": policy_title(policy),
        "sentence": policy_sentence(policy, names_for(actor.business, [policy])),
        "state": state_in(POLICY_STATES, policy.status),
        "type": POLICY_TYPES.get(policy.type, policy.type),
        "findings": findings_of(policy, rulebook.with_policy(policy)),
        "problem": read.trouble,
        "as_of": read.as_of,
        "may_change": can_open(actor, change_of_policy(policy.type)),
        "is_deleted": policy.status == "DELETED",
        "kind": "category_" if deleting(policy.type) is operations.DELETE_CATEGORY_POLICY else "",
        "open": open_proposal(actor, POLICY, policy.id),
        "key": new_key(),
    }


def applies_context(actor: Actor, read: Snapshot[PolicySummary], person_id: str, category_id: str) -> AppliesContext:
    """What applies to a person, or to what is filed under a subcategory: active policies alone."""
    active = [row for group in read.value.groups for row in group.policies if row.status == "ACTIVE"]
    names = names_for(actor.business, active)
    filed = visible_categories(actor).order_by("category_name", "name")
    categories = [(row.remote_id, f"{row.category_name} · {row.name}") for row in filed]
    person = visible_employees(actor).filter(remote_id=person_id).first() if person_id else None
    parents: Mapping[str, str] = {row.remote_id: row.category_id for row in filed}
    subjects = [person.name if person else "", dict(categories).get(category_id, "")]
    applies: list[PolicyLine] = []
    exempt: list[PolicyLine] = []
    for policy in active if any(subjects) else []:
        if category_id in parents and not _is_about(policy, category_id, parents[category_id]):
            continue
        is_exempt = person is not None and (
            person.remote_id in policy.exempt.employee_ids or person.team_id in policy.exempt.team_ids
        )
        (exempt if is_exempt else applies).append(line_of(policy, names, _limits_of_use(policy)))
    return {
        "here": "applies",
        "categories": categories,
        "category": category_id if category_id in parents else "",
        "subject": " and ".join(filter(None, subjects)),
        "applies": applies,
        "exempt": exempt,
        "problem": read.trouble,
        "as_of": read.as_of,
    }


def _is_about(spend_policy: SpendPolicy, subcategory_id: str, category_id: str) -> bool:
    if spend_policy.type in GENERAL:
        return True
    return spend_policy.target == (subcategory_id if spend_policy.type == "SUBCATEGORY" else category_id)


def _limits_of_use(spend_policy: SpendPolicy) -> str:
    if spend_policy.per_person:
        return "The limit counts what each person spends."
    if spend_policy.period:
        return "The limit counts what everybody spends together."
    return (
        "Not for card purchases, which are categorised later."
        if spend_policy.type in ("CATEGORY", "SUBCATEGORY")
        else ""
    )
