"""Who can move money, as it is read: for each person and wallet what they can do, up to how much, and by what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypedDict

from django.db.models import Model

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.impact import wallet_mandates
from dashboard.impact.mandate_reads import mandates_of
from dashboard.impact.payment_authority import APPROVE_CODE, MANAGE_CODE, Authority
from dashboard.lists import files
from dashboard.mirror.models import Card, Employee, FundAccount, SyncCursor, Wallet, WalletPolicy
from dashboard.mirror.schedule import is_filled_by
from dashboard.money import Money, text
from dashboard.pages.wallet_policies.selectors.authority_copy import sync_cursor_of, usable_wallets_for
from dashboard.pages.wallet_policies.selectors.payment_authority import (
    FILTERS,
    MANDATES_FRESH_S,
    AuthorityQuery,
    PersonAuthority,
    everybody,
    people_page,
    wallets_of,
)
from dashboard.web.freshness import Freshness, freshness_by
from dashboard.web.jinja2 import item_address

ROWS, COLUMNS = 50, 3
AUTHORITY_HEADINGS = (
    "Person", "Email", "Role here", "Role at the finance service", "Status", "Wallet", "Currency", "Can", "From amount",
    "Up to amount", "Per", "By", "Alone", "Alone up to amount", "Approvals needed", "Of approvers", "Blocked because",
)  # fmt: skip


# What is not read yet is not known to be nothing.
READ_FIRST: tuple[tuple[str, type[Model]], ...] = (
    ("people", Employee), ("wallets", Wallet), ("wallet policies", WalletPolicy), ("cards", Card),
    ("fund accounts", FundAccount),
)  # fmt: skip


class Line(NamedTuple):
    """One line of a cell: what can be done, up to how much, and by what."""

    tone: str
    label: str
    amount: str
    note: str


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """A person with the lines of each wallet, as (name of the wallet, lines)."""

    name: str
    href: str
    role: str
    allocated: str
    cells: list[tuple[str, list[Line]]]


class AuthorityContext(TypedDict):
    """What wallet_policies/payment_authority.html reads; `before` and `beyond` are the queries of the wallets beside."""

    filters: AuthorityQuery
    rows: list[AuthorityRow]
    columns: list[Wallet]
    choices: list[tuple[Wallet, bool]]
    currencies: list[str]
    can: tuple[tuple[str, str], ...]
    roles: list[tuple[str, str]]
    next: str
    before: str
    beyond: str
    others: int
    mandates_as_of: str
    mandates_trouble: str
    unread: str
    fresh: Freshness
    query: str


def authority_context(actor: Actor, query: AuthorityQuery, first_wallet: int) -> AuthorityContext:
    """The page of a query, with the columns from the wallet of this place on."""
    every = usable_wallets_for(actor)
    wallets = wallets_of(every, query)
    start = first_wallet if 0 <= first_wallet < len(wallets) else 0
    columns = wallets[start : start + COLUMNS]
    listed = people_page(actor, query, wallets, columns, ROWS)
    words = _Words(actor)
    after = {"after": str(query.base.after)} if query.base.after else {}
    cursor = sync_cursor_of(actor)
    return {
        "filters": query,
        "rows": [words.row(person, columns) for person in listed.people],
        "columns": columns,
        "choices": [(wallet, wallet.remote_id in query.base.wallets) for wallet in every],
        "currencies": sorted({wallet.currency for wallet in every}),
        "can": FILTERS,
        "roles": Role.choices,
        "next": query.query(after=listed.next, column=start or "") if listed.next else "",
        "before": query.query(column=max(0, start - COLUMNS), **after) if start else "",
        "beyond": query.query(column=start + COLUMNS, **after) if start + COLUMNS < len(wallets) else "",
        "others": len(wallets) - len(columns),
        "mandates_as_of": listed.mandates.as_of,
        "mandates_trouble": listed.mandates.trouble,
        "unread": unread_text(cursor),
        "fresh": freshness_by(actor.business, cursor),
        "query": query.query(),
    }


def unread_text(sync_cursor: SyncCursor | None) -> str:
    """What of all this the copy has not read once: "cards and fund accounts"; "" where it has read it all."""
    names = [name for name, model in READ_FIRST if not is_filled_by(sync_cursor, model)]
    return _listed(names) if names else ""


class _Words:
    """The lines of cells: the same authority is worded once, however many people have it."""

    def __init__(self, actor: Actor) -> None:
        self.slug, self.locale = actor.business.slug, actor.business.locale
        self._lines: dict[tuple[tuple[Authority, ...], str], list[Line]] = {}
        self._roles: dict[tuple[str, str, bool, str], str] = {}

    def row(self, person_authority: PersonAuthority, columns: Sequence[Wallet]) -> AuthorityRow:
        """The row of a person."""
        href = (
            item_address("wallet-policies_person", self.slug, person_authority.employee_id)
            if person_authority.employee_id
            else ""
        )
        allocated = ", ".join(
            text(minor, currency, self.locale) for currency, minor in person_authority.allocated.items()
        )
        cells = [
            (
                wallet.name or wallet.org_wallet_ref,
                self._cell(person_authority.cells[wallet.remote_id], wallet.currency),
            )
            for wallet in columns
        ]
        key = person_authority.role, person_authority.service_role, person_authority.has_access, person_authority.status
        role = self._roles.get(key)
        if role is None:
            role = self._roles[key] = role_text(person_authority)
        return AuthorityRow(person_authority.name, href, role, allocated, cells)

    def _cell(self, authorities: tuple[Authority, ...], currency: str) -> list[Line]:
        if not authorities:
            return []
        key = authorities, currency
        if key not in self._lines:
            groups: dict[tuple[Any, ...], list[Authority]] = defaultdict(list)
            for authority in authorities:
                groups[(authority.code == APPROVE_CODE, authority.limit, authority.alone, authority.blocked, authority.votes, authority.least,
                        authority.code == MANAGE_CODE)].append(authority)  # fmt: skip
            self._lines[key] = [self._line(group, currency) for group in groups.values()]
        return self._lines[key]

    def _line(self, group: list[Authority], currency: str) -> Line:
        line = group[0]
        if line.code == MANAGE_CODE:
            return Line("", line.label, "", "by role; this moves no money")
        if line.code == APPROVE_CODE:
            kinds = list(
                dict.fromkeys(
                    wallet_mandates.MANDATE_KINDS.get(authority.action_type, f"type {authority.action_type}")
                    for authority in group
                )
            )
            needed, of = line.votes or (0, 0)
            return Line(
                "", f"Approve {_listed(kinds)}", self._band(line, currency), f"mandate, {needed} of {of} must approve"
            )
        labels = [authority.label for authority in group]
        label = _listed([labels[0], *(name[:1].lower() + name[1:] for name in labels[1:])])
        if line.blocked:
            return Line("blocked", label, "", f"blocked: {line.blocked}")
        amount = f"{self._most(line, currency)}{f' {line.limit.per}' if line.limit.per else ''}"
        return Line(
            "alone" if line.is_alone else "", label, amount, f"by {line.limit.source}; {self._alone(line, currency)}"
        )

    def _alone(self, authority: Authority, currency: str) -> str:
        if authority.alone == 0:
            return "never alone"
        if authority.alone is None or authority.alone == authority.limit.minor:
            return "alone"
        return f"alone up to {text(authority.alone, currency, self.locale)}"

    def _most(self, authority: Authority, currency: str) -> str:
        return (
            "any amount"
            if authority.limit.minor is None
            else f"up to {text(authority.limit.minor, currency, self.locale)}"
        )

    def _band(self, authority: Authority, currency: str) -> str:
        least = text(authority.least, currency, self.locale)
        if not authority.least:
            return self._most(authority, currency)
        return (
            f"from {least}"
            if authority.limit.minor is None
            else f"{least} to {text(authority.limit.minor, currency, self.locale)}"
        )


def role_text(person_authority: PersonAuthority) -> str:
    """The role here and at the finance service where they differ, and what keeps somebody from acting."""
    at_service = (
        Role(person_authority.service_role).label
        if person_authority.service_role in Role.values
        else person_authority.service_role
    )
    here = Role(person_authority.role).label if person_authority.role else ""
    roles = here if not at_service or here == at_service else f"{here} here, {at_service} at the finance service"
    if not here:
        roles = f"{at_service} at the finance service, no access here"
    elif not person_authority.has_access:
        roles = f"{roles}, no access here now"
    return roles if person_authority.status == "ACTIVE" else f"{roles} · {person_authority.status.lower()}"


def authority_file(actor: Actor, query: AuthorityQuery, form: str) -> bytes:
    """All that a query leaves as a file, "csv" or "xlsx": a row for each cell, and below them what they were chosen by."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        files.write(form, path, AUTHORITY_HEADINGS, file_rows(actor, query), file_summary(actor, query), lambda _: None)
        return path.read_bytes()


def file_rows(actor: Actor, query: AuthorityQuery) -> Iterator[list[tuple[Any, ...]]]:
    """A row for each thing that somebody can do with a wallet, in the order of AUTHORITY_HEADINGS, in batches of a person each;
    amounts are Decimal in the currency's units, None for any amount."""
    wallets = wallets_of(usable_wallets_for(actor), query)
    for person in everybody(actor, query, wallets):
        who = (person.name, person.email, str(person.role), person.service_role, person.status)
        yield [
            (*who, wallet.name or wallet.org_wallet_ref, wallet.currency, *_cells(line, wallet.currency))
            for wallet in wallets
            for line in person.cells[wallet.remote_id]
        ]


def file_summary(actor: Actor, query: AuthorityQuery) -> list[tuple[str, Any]]:
    """What stands below the rows of the file: what was asked for, and how old the mandates are."""
    mandates = mandates_of(actor, fresh_s=MANDATES_FRESH_S)
    cursor = sync_cursor_of(actor)
    return [
        ("Filter", query.query() or "none"),
        ("Mandates", f"{mandates.as_of} {mandates.trouble}".strip() or "never read"),
        ("Copy of people, wallets, policies and cards", freshness_by(actor.business, cursor).text),
        ("Not read yet, so not in this file", unread_text(cursor) or "nothing"),
    ]


def _cells(authority: Authority, currency: str) -> tuple[Any, ...]:
    def amount(minor: int | None) -> Decimal | None:
        return None if minor is None else Money(minor, currency).amount

    kind = (
        f" {wallet_mandates.MANDATE_KINDS.get(authority.action_type, f'type {authority.action_type}')}"
        if authority.action_type
        else ""
    )
    needed, of = authority.votes or (None, None)
    moves = authority.code not in {APPROVE_CODE, MANAGE_CODE}
    alone = ("yes" if authority.is_alone else "no") if moves else ""
    return (
        f"{authority.label}{kind}", amount(authority.least) if authority.votes else None, amount(authority.limit.minor), authority.limit.per,
        authority.limit.source, alone, amount(authority.alone) if authority.is_alone else None, needed, of, authority.blocked,
    )  # fmt: skip


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
