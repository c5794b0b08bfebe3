"""The audit of wallet policies: searching it, and proving that nobody changed a line of it (decisions B.11)."""

from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet

from service import periods
from service.auth import Caller
from service.wallet_policies.models import PolicyAudit
from service.wallet_policies.schemas import PolicyAuditSearch
from service.wallet_policies.selectors import get_business_wallet, get_policy

# Each line hashes to what it says, carries the hash of the line before, and the numbers have no gap; the head, which
# only the trigger writes, is the last line.
BREACHES = """
WITH lines AS (
    SELECT a.business_id, a.seq, a.id, a.hash, a.prev_hash, wallet_policy_audit_hash(a) AS true_hash,
           lag(a.hash, 1, '') OVER chain AS before, lag(a.seq, 1, 0::bigint) OVER chain + 1 AS due
    FROM wallet_policies_policyaudit a
    WINDOW chain AS (PARTITION BY a.business_id ORDER BY a.seq))
SELECT business_id, seq, id, CASE
    WHEN seq <> due THEN 'the line before it is missing'
    WHEN prev_hash <> before THEN 'it does not follow the line before it'
    ELSE 'it was changed' END
FROM lines WHERE seq <> due OR prev_hash <> before OR hash <> true_hash
UNION ALL
SELECT h.business_id, h.seq, '', 'the last line is missing'
FROM wallet_policies_policyaudithead h
WHERE NOT EXISTS (SELECT 1 FROM wallet_policies_policyaudit a
                  WHERE a.business_id = h.business_id AND a.seq = h.seq AND a.hash = h.hash)
ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Breach:
    """A line that is not what was written: the business, its number and id, and the reason: what is wrong with it."""

    business_id: str
    seq: int
    id: str
    reason: str


def chain_breaches() -> list[Breach]:
    """Every line that was changed, taken out or put in, in all businesses; nothing where the chains hold."""
    with connection.cursor() as cursor:
        cursor.execute(BREACHES)
        return [Breach(*row) for row in cursor.fetchall()]


def lines(caller: Caller) -> QuerySet[PolicyAudit]:
    """The audit of the caller's business."""
    return PolicyAudit.objects.filter(business_id=caller.business.id)


def audit_of_wallet(caller: Caller, wallet_id: str) -> QuerySet[PolicyAudit]:
    """The changes of one wallet's policies; 404 when it is none of the business's."""
    return lines(caller).filter(wallet_id=get_business_wallet(caller, wallet_id).id)


def of_policy(caller: Caller, policy_id: str) -> QuerySet[PolicyAudit]:
    """The changes of one policy; 404 when the business has none such."""
    return lines(caller).filter(policy_id=get_policy(caller, policy_id).id)


def search(caller: Caller, query: PolicyAuditSearch) -> QuerySet[PolicyAudit]:
    """The lines that the filters let through."""
    rows = lines(caller)
    for name in ("wallet_id", "employee_id", "policy_id", "actor", "action"):
        if getattr(query, name) is not None:
            rows = rows.filter(**{name: getattr(query, name)})
    start, end = periods.between(caller.business, query.from_, query.to)
    if start:
        rows = rows.filter(at__gte=start)
    if end:
        rows = rows.filter(at__lt=end)
    return rows
