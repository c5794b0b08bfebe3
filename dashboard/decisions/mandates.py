"""Under which rule a request for votes came, by its name and version: mandates and workflows, read now and then, and kept.

A request tells only the rule's id. What cannot be read within a moment is not told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, Forbidden, NotFound
from dashboard.mirror.models import Approval

READ_S = 0.6
CACHED_S, FAILED_S = 300, 30
MOST = 200
APPROVAL_RULE_READS: tuple[tuple[Operation, str], ...] = (
    (operations.LIST_MANDATES, "Mandate"),
    (operations.READ_BILL_WORKFLOW, "Workflow"),
    (operations.LIST_POLICY_WORKFLOWS, "Workflow"),
)


@dataclass(frozen=True)
class ApprovalRule:
    """A mandate or a workflow: the word for which of the two it is, its name and its current version."""

    word: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.word} “{self.name}”{f', version {self.version}' if self.version else ''}"


def approval_rule_of(business: Business, approval: Approval) -> ApprovalRule | None:
    """The rule that asked for the votes; None where the service does not tell."""
    workflow, mandate = approval.payload.get("workflow_id"), approval.payload.get("mandate_id")
    rule_id = workflow or mandate
    if not rule_id:
        return None
    rule = _rules(business).get(str(rule_id))
    return ApprovalRule(*rule) if rule else None


def _rules(business: Business) -> dict[str, tuple[str, str, str]]:
    key = f"approval-rules:{business.pk}"
    cached: dict[str, tuple[str, str, str]] | None = cache.get(key)
    if cached is not None:
        return cached
    reader, rules = Actor.reader_for(business), dict[str, tuple[str, str, str]]()
    whole = True
    for operation, word in APPROVAL_RULE_READS:
        try:
            rules |= {str(row.get("_id")): _rule_fields(row, word) for row in _rows(reader, operation)}
        except (Forbidden, NotFound):
            continue
        except FinanceError:
            # Whoever waits for the page does not wait for the next list as well.
            whole = False
            break
    cache.set(key, rules, CACHED_S if whole else FAILED_S)
    return rules


def _rows(reader: Actor, operation: Operation) -> Iterator[dict[str, Any]]:
    answer = read_live(reader, operation, query={"limit": MOST}, deadline=READ_S, tries=1)
    yield from read_page(answer.data).rows


def _rule_fields(row: dict[str, Any], word: str) -> tuple[str, str, str]:
    return word, str(row.get("name") or "without a name"), str(row.get("version") or "")
