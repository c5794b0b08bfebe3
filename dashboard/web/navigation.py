"""The sidebar: one entry per area, shown to the roles that may open it according to the operation table."""

from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from dashboard import operations, operations_pages
from dashboard.access.operation import Operation
from dashboard.access.pages import Page
from dashboard.access.roles import Role


@dataclass(frozen=True)
class Entry:
    """A line of the sidebar: its title, its area (the name of its address), its icon, and what opens it."""

    title: str
    area: str
    icon: str
    opens: Operation | Page


@dataclass(frozen=True)
class Link:
    """An entry as a template prints it."""

    title: str
    area: str
    icon: str
    href: str


GROUPS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "",
        (
            Entry("Home", "home", "house", operations_pages.HOME),
            Entry("Approvals", "approvals", "inbox", operations_pages.INBOX),
            Entry("Expenses", "expenses", "receipt", operations.LIST_EXPENSES),
            Entry("Cards", "cards", "credit-card", operations.READ_CARD),
            Entry("Notifications", "notifications", "bell", operations_pages.NOTIFICATIONS),
        ),
    ),
    (
        "Money",
        (
            Entry("Treasury", "treasury", "landmark", operations_pages.TREASURY),
            Entry("Investments", "investments", "sprout", operations_pages.INVESTMENTS),
            Entry("Transactions", "transactions", "arrow-left-right", operations.LIST_TRANSACTIONS),
            Entry("Subscriptions", "subscriptions", "repeat", operations.LIST_SUBSCRIPTIONS),
        ),
    ),
    (
        "Relationships",
        (
            Entry("Customers", "customers", "contact", operations.LIST_CUSTOMERS),
            Entry("Vendors", "vendors", "store", operations.LIST_VENDORS),
            Entry("People", "people", "users", operations.LIST_EMPLOYEES),
        ),
    ),
    (
        "Governance",
        (
            Entry("Wallet policies", "wallet-policies", "key-round", operations_pages.WALLET_ACCESS),
            Entry("Roles and mandates", "mandates", "signature", operations.LIST_MANDATES),
            Entry("Decisions", "decisions", "list-checks", operations_pages.OWN_DECISIONS),
            Entry("Delegation", "delegation", "user-check", operations_pages.DELEGATION),
            Entry("Bulk actions", "bulk", "copy-check", operations_pages.LISTS),
            Entry("Exports", "exports", "download", operations_pages.LISTS),
            Entry("Audit", "audit", "scroll-text", operations_pages.AUDIT_LOG),
            Entry("Settings", "settings", "settings", operations_pages.CONNECTION),
        ),
    ),
)


@lru_cache(maxsize=1024)
def sidebar(role: Role, slug: str) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    """The groups and links for a role in a business; groups without a link are left out."""
    groups = []
    for title, entries in GROUPS:
        links = tuple(
            Link(entry.title, entry.area, entry.icon, reverse(entry.area, args=[slug]))
            for entry in entries
            if role in entry.opens.roles
        )
        if links:
            groups.append((title, links))
    return tuple(groups)
