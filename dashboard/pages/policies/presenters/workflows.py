"""Approval workflows as they are shown: the lists, one workflow in words, and the form with its sentences beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can_open
from dashboard.commands.workflows import change_of_workflow, creating
from dashboard.delegation.presence import presence_of
from dashboard.impact.mandate_reads import Snapshot, open_proposal
from dashboard.pages.policies.forms.reach import reaches_waiting
from dashboard.pages.policies.forms.workflow import Steps, WorkflowForm
from dashboard.pages.policies.selectors.workflows import WorkflowLists, waiting_under
from dashboard.policies import workflow_text
from dashboard.policies.dead_ends import workflow_findings
from dashboard.policies.drafts import workflow_draft
from dashboard.policies.findings import RuleFinding
from dashboard.policies.names import Names, names_for
from dashboard.policies.rulebook import rulebook_for
from dashboard.policies.workflow_text import sentences_of, workflow_kind
from dashboard.proposals.models import WORKFLOW, Proposal
from dashboard.schemas.workflows import OF_BILLS, OF_POLICIES, Workflow, WorkflowBody
from dashboard.web.submission import new_key

KIND_NAMES = {OF_BILLS: "bills", OF_POLICIES: "policies"}


@dataclass(frozen=True, slots=True)
class WorkflowLine:
    """A workflow as a line: its sentences and its status in a word with its tone."""

    workflow: Workflow
    sentences: list[str]
    state: tuple[str, str]


@dataclass(frozen=True, slots=True)
class WorkflowSection:
    """The workflows of one kind; `refused` says why they cannot be read, `kind` is the word in addresses."""

    kind: str
    title: str
    text: str
    lines: list[WorkflowLine]
    refused: str
    may_create: bool


class ListContext(TypedDict):
    """What policies/workflows.html reads."""

    here: str
    sections: list[WorkflowSection]
    problem: str
    as_of: str


class ItemContext(TypedDict):
    """What policies/workflow.html reads."""

    workflow: Workflow
    heading: str
    kind: str
    kind_title: str
    sentences: list[str]
    state: tuple[str, str]
    findings: list[RuleFinding]
    waiting: int
    problem: str
    as_of: str
    may_change: Verdict
    open: Proposal | None
    key: str


class SentencesContext(TypedDict):
    """What policies/sentences.html reads: the workflow in words as it is typed; none where the form cannot be read yet."""

    sentences: list[str]
    findings: list[RuleFinding]
    incomplete: bool


TEXTS = {
    OF_BILLS: "Who approves a bill payment. Of the workflows that match, the lowest priority applies; without one, the mandate.",
    OF_POLICIES: "Who approves what a spend policy sends for approval. A policy may name one; else the lowest priority that matches applies.",
}  # fmt: skip


def workflows_context(actor: Actor, lists: WorkflowLists) -> ListContext:
    """What the list of approval workflows reads: those of bills and those of policies, or why either could not be
    read."""
    every = [*lists.of_bills.value, *lists.of_policies.value]
    names = names_for(actor.business, workflows=every)
    reads = ((OF_BILLS, lists.of_bills, ""), (OF_POLICIES, lists.of_policies, lists.refused))
    return {
        "here": "workflows",
        "sections": [
            WorkflowSection(
                KIND_NAMES[kind], workflow_kind(kind), TEXTS[kind], [_line(row, names) for row in read.value], refused,
                bool(can_open(actor, creating(kind))) and not refused,
            )
            for kind, read, refused in reads
        ],
        "problem": lists.of_bills.trouble or lists.of_policies.trouble,
        "as_of": lists.of_bills.as_of,
    }  # fmt: skip


def _line(workflow: Workflow, names: Names) -> WorkflowLine:
    return WorkflowLine(workflow, sentences_of(workflow, names), workflow_text.STATES[workflow.active])


def workflow_context(actor: Actor, read: Snapshot[Workflow]) -> ItemContext:
    """One workflow in words, with its dead ends and what waits under it."""
    workflow, rulebook = read.value, rulebook_for(actor)
    return {
        "workflow": workflow,
        "heading": workflow.name,
        "kind": KIND_NAMES.get(workflow.action_type, "policies"),
        "kind_title": workflow_kind(workflow.action_type),
        "sentences": sentences_of(workflow, names_for(actor.business, workflows=[workflow])),
        "state": workflow_text.STATES[workflow.active],
        "findings": workflow_findings(workflow, rulebook, presence_of(actor.business)),
        "waiting": waiting_under(actor, workflow.id),
        "problem": read.trouble,
        "as_of": read.as_of,
        "may_change": can_open(actor, change_of_workflow(workflow.action_type)),
        "open": open_proposal(actor, WORKFLOW, workflow.id),
        "key": new_key(),
    }


def sentences_of_stored(actor: Actor, workflow: Workflow) -> SentencesContext:
    """A workflow in words as it is, with its dead ends."""
    findings = workflow_findings(workflow, rulebook_for(actor), presence_of(actor.business))
    names = names_for(actor.business, workflows=[workflow])
    return {"sentences": sentences_of(workflow, names), "findings": findings, "incomplete": False}


def sentences_context(
    actor: Actor, form: WorkflowForm, steps: Steps, action_type: int, before: Workflow | None
) -> SentencesContext:
    """The workflow in words as far as it is typed, with its dead ends; both forms are valid, or nothing is said."""
    if not (form.is_bound and form.is_valid() and steps.is_valid()):
        return {"sentences": [], "findings": [], "incomplete": True}
    draft = workflow_draft(body_of(form, steps), action_type=action_type, before=before)
    return sentences_of_stored(actor, draft)


def body_of(form: WorkflowForm, steps: Steps) -> WorkflowBody:
    """The workflow of valid forms as its operations take it, whole."""
    data = form.cleaned_data
    body: WorkflowBody = {
        "name": data["name"],
        "active": data["active"],
        "priority": data["priority"],
        "conditions": form.conditions(),
        "steps": steps.body(),
    }
    if reaches_waiting(form):
        body["also_waiting"] = True
    return body
