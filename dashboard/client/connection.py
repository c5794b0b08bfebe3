"""The connection to a business's finance service: setting it, testing it, and what the test found as sentences."""

import time
from dataclasses import asdict, dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

from django.db import transaction
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Business
from dashboard.access.secrets import reseal, seal
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.client import token
from dashboard.client.address import refusal_of_address
from dashboard.client.gateway import ServiceResponse, service_account_of
from dashboard.client.http import Deadline
from dashboard.client.models import ServiceAccount
from dashboard.client.reads import read_live
from dashboard.errors import EntitlementMissing, FieldProblem, FinanceError, NotAllowed, Rejected, ScopeMissing
from dashboard.operations_pages import CONNECTION

TEST_S = 8.0
SKEW_AT_MOST_S = 30
# What the dashboard's pages call, by the scope it needs at a service that follows decisions B.5.
REQUIRED_SCOPES = frozenset(
    {
        "expenses:read",
        "expenses:review",
        "approvals:read",
        "approvals:decide",
        "payments:read",
        "employees:read",
        "teams:read",
        "categories:read",
        "accounts:read",
        "acting_employee",
    }
)


@dataclass(frozen=True)
class Findings:
    """What a test of the connection found. `entitled` and `clock_skew_s` are None where it is not known."""

    ok: bool
    error: str
    scopes: list[str]
    missing_scopes: list[str]
    entitled: bool | None
    clock_skew_s: int | None
    answered_ms: int | None

    @property
    def clock_is_right(self) -> bool:
        """Whether both clocks agree well enough for signatures and tokens."""
        return self.clock_skew_s is None or abs(self.clock_skew_s) <= SKEW_AT_MOST_S


def save_connection(
    actor: Actor,
    *,
    base_url: str,
    remote_business_id: str,
    client_id: str,
    client_secret: str = "",
    webhook_secret: str | None = None,
) -> ServiceAccount:
    """Sets how the business reaches its service; an empty secret keeps the one that is stored.

    Audited without any secret. Rejected with the field where an address may not be called or a secret is missing.
    """
    check_open(actor, CONNECTION)
    before = check_connection(actor.business, base_url=base_url, client_secret=client_secret)
    account = before or ServiceAccount(business=actor.business, secret_version=0)
    changes = _changes(account, base_url.rstrip("/"), remote_business_id, client_id)
    account.base_url, account.remote_business_id, account.client_id = (
        base_url.rstrip("/"), remote_business_id, client_id,
    )  # fmt: skip
    if client_secret:
        account.client_secret_sealed = seal(client_secret)
        account.secret_version += 1
    if webhook_secret is not None:
        account.webhook_secret_sealed = seal(webhook_secret) if webhook_secret else None
    with transaction.atomic():
        account.save()
        changes |= {"client_secret": "changed"} if client_secret else {}
        changes |= {"webhook_secret": "changed"} if webhook_secret is not None else {}
        record(actor, CONNECTION.name, None, Outcome.DONE, sentence="changed the connection", after=changes)
    return account


def check_connection(business: Business, *, base_url: str, client_secret: str) -> ServiceAccount | None:
    """The account that is stored, None for none; Rejected with the field where an address may not be called or a secret is
    missing."""
    if reason := refusal_of_address(base_url):
        raise _field_error("base_url", reason)
    before = ServiceAccount.objects.filter(business=business).first()
    if before is None and not client_secret:
        raise _field_error("client_secret", "Enter the client's secret.")
    # A stored secret goes only to the host it was entered for.
    if before is not None and not client_secret and before.base_url.rstrip("/") != base_url.rstrip("/"):
        raise _field_error("client_secret", "Enter the secret again: it is not sent to a new address.")
    return before


def snapshot_of_connection(business: Business) -> dict[str, str | int]:
    """What somebody saw of the connection: address, ids and the version of the secret; "" and 0 before there is one."""
    account = ServiceAccount.objects.filter(business=business).first()
    names = ("base_url", "remote_business_id", "client_id")
    seen: dict[str, str | int] = {name: str(getattr(account, name, "")) for name in names}
    return seen | {"secret_version": account.secret_version if account else 0}


def _changes(service_account: ServiceAccount, base_url: str, remote_business_id: str, client_id: str) -> dict[str, str]:
    values = {"base_url": base_url, "remote_business_id": remote_business_id, "client_id": client_id}
    return {name: value for name, value in values.items() if getattr(service_account, name) != value}


def _field_error(field: str, message: str) -> Rejected:
    return Rejected(message, code="validation_failed", fields=[FieldProblem(field, "invalid", message)])


def rotate_secrets() -> int:
    """Seals every stored secret again under the first key; how many accounts. For after a new key was put first."""
    for account in ServiceAccount.objects.all():
        account.client_secret_sealed = reseal(account.client_secret_sealed)
        if account.webhook_secret_sealed:
            account.webhook_secret_sealed = reseal(account.webhook_secret_sealed)
        account.save(update_fields=["client_secret_sealed", "webhook_secret_sealed"])
    return ServiceAccount.objects.count()


def test_connection(actor: Actor) -> Findings:
    """Tries the connection as it is stored: signs in, reads one expense, asks for one approval. Stores what it found."""
    check_open(actor, CONNECTION)
    account = service_account_of(actor)
    findings = _run_test(actor, account)
    account.findings, account.tested_at = asdict(findings), timezone.now()
    account.broken_since = None if findings.ok else (account.broken_since or timezone.now())
    account.save(update_fields=["findings", "tested_at", "broken_since"])
    record(
        actor,
        CONNECTION.name,
        None,
        Outcome.DONE if findings.ok else Outcome.FAILED,
        sentence="tested the connection",
        reason=findings.error,
    )
    return findings


test_connection.__test__ = False  # type: ignore[attr-defined]


def _run_test(actor: Actor, service_account: ServiceAccount) -> Findings:
    reader, started = Actor.reader_for(actor.business), time.monotonic()
    scopes: list[str] = []
    try:
        scopes = sorted(token.current(service_account, Deadline(TEST_S)).scopes)
        answer = read_live(reader, operations.LIST_EXPENSES, query={"page": 1, "limit": 1}, deadline=TEST_S)
        elapsed_ms = int((time.monotonic() - started) * 1000)
        entitled = _entitled(reader)
    except FinanceError as error:
        return Findings(False, error.user_message, scopes, _missing(scopes), None, None, None)
    return Findings(True, "", scopes, _missing(scopes), entitled, _skew(answer), elapsed_ms)


def _missing(scopes: list[str]) -> list[str]:
    return sorted(REQUIRED_SCOPES - set(scopes)) if scopes else []


def _entitled(reader: Actor) -> bool | None:
    try:
        read_live(reader, operations.LIST_APPROVALS, query={"page": 1, "limit": 1}, deadline=TEST_S)
    except EntitlementMissing:
        return False
    except ScopeMissing:
        return None
    except NotAllowed:
        return False
    return True


def _skew(answer: ServiceResponse) -> int | None:
    try:
        theirs = parsedate_to_datetime(answer.headers.get("Date", ""))
    except (TypeError, ValueError):
        return None
    return round((theirs.replace(tzinfo=theirs.tzinfo or UTC) - timezone.now()).total_seconds())
