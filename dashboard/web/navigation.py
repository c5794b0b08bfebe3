"""The sidebar: one entry per area, shown to the roles that may open it according to the operation table; and the person's
menu at its foot, with what is one's own."""

from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from dashboard import cache, operations, operations_accounting, operations_pages, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.pages import SitePage
from dashboard.access.roles import Role
from dashboard.mirror.scopes import visible_fund_accounts

# A first account appears in the sidebar within this time.
EMPTY_FOR_S = 60


@dataclass(frozen=True)
class Entry:
    """A line of the sidebar: its title, its area (the name of its address), its icon, and what opens it."""

    title: str
    area: str
    icon: str
    opens: Operation | SitePage


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
        ),
    ),
    (
        "Spend",
        (
            Entry("Expenses", "expenses", "receipt", operations.LIST_EXPENSES),
            Entry("Cards", "cards", "credit-card", operations.READ_CARD),
            Entry("Bills", "bills", "file-text", operations_payables.LIST_BILLS),
            Entry("Subscriptions", "subscriptions", "repeat", operations.LIST_SUBSCRIPTIONS),
        ),
    ),
    (
        "Money",
        (
            Entry("Treasury", "treasury", "landmark", operations_pages.TREASURY),
            Entry("Investments", "investments", "sprout", operations_pages.INVESTMENTS),
            Entry("Payouts", "payouts", "send", operations.LIST_PAYOUTS),
            Entry("Transactions", "transactions", "arrow-left-right", operations.LIST_TRANSACTIONS),
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
        "Control",
        (
            Entry("Wallet policies", "wallet-policies", "key-round", operations_pages.WALLET_ACCESS),
            Entry("Spend policies", "policies", "shield-check", operations.LIST_POLICY_GROUPS),
            Entry("Accounting", "accounting", "book-open", operations_accounting.LIST_PERIODS),
            Entry("Roles and mandates", "mandates", "signature", operations.LIST_MANDATES),
            Entry("Audit", "audit", "scroll-text", operations_pages.AUDIT_LOG),
            Entry("Settings", "settings", "settings", operations_pages.CONNECTION),
        ),
    ),
)
# What is one's own: in the person's menu at the sidebar's foot.
OWN: tuple[Entry, ...] = (
    Entry("Delegation", "delegation", "user-check", operations_pages.DELEGATION),
    Entry("Decisions", "decisions", "list-checks", operations_pages.OWN_DECISIONS),
    Entry("Bulk actions", "bulk", "copy-check", operations_pages.LISTS),
    Entry("Exports", "exports", "download", operations_pages.LISTS),
)
# Reached from another area's pages, and by the palette: of too little weight for a line of the sidebar.
MORE: tuple[Entry, ...] = (
    Entry("Budgets", "budgets", "gauge", operations.LIST_BUDGETS),
    Entry("Chart of accounts", "categories", "folder-tree", operations.CREATE_CATEGORY),
    Entry("Category rules", "category_rules", "list-filter", operations_pages.CATEGORY_RULES),
    Entry("Without category", "uncategorised", "folder-search", operations.LIST_EXPENSES),
    Entry("Access reviews", "access-reviews", "user-check", operations_pages.ACCESS_REVIEWS),
    Entry("Who can move money", "wallet-policies_money", "banknote", operations_pages.PAYMENT_AUTHORITY),
    Entry("Withholding taxes", "taxes", "percent", operations.LIST_TAXES),
)
# Areas without an entry of their own, and the one that they are shown under: the sidebar fits a window of 800 pixels.
WITHIN = {
    "workflows": "policies",
    "categories": "accounting",
    "category": "accounting",  # its rules: an area is called by what stands before the first _ of an address's name
    "uncategorised": "expenses",
    "budgets": "accounting",
    "reconciliation": "accounting",
    "journal-exports": "accounting",
    "taxes": "accounting",
    "access-reviews": "people",
    "teams": "people",
    "newcomers": "people",
}
# Behind the bell, beside the business's name.
NOTIFICATIONS = Entry("Notifications", "notifications", "bell", operations_pages.NOTIFICATIONS)


@lru_cache(maxsize=1024)
def sidebar(role: Role, slug: str, empty: frozenset[str] = frozenset()) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    """The groups of areas for a role in a business, without the areas that are `empty`; groups without a link are left out."""
    groups = ((title, _links(entries, role, slug, empty)) for title, entries in GROUPS)
    return tuple((title, links) for title, links in groups if links)


@lru_cache(maxsize=1024)
def own_links(role: Role, slug: str) -> tuple[Link, ...]:
    """What the person's menu leads to within a business."""
    return _links(OWN, role, slug, frozenset())


@lru_cache(maxsize=1024)
def pages_of(role: Role, slug: str, empty: frozenset[str] = frozenset()) -> tuple[tuple[str, tuple[Link, ...]], ...]:
    """Every page that a role can be led to, without the areas that are `empty`: the areas, what is within them, and one's
    own, behind the bell included."""
    more = ("More", _links(MORE, role, slug, empty))
    return (
        *sidebar(role, slug, empty),
        *([more] if more[1] else []),
        ("Yours", _links((NOTIFICATIONS, *OWN), role, slug, frozenset())),
    )


def empty_areas(actor: Actor) -> frozenset[str]:
    """The areas in which there can be nothing for the actor: wallets and who may use them, for whom neither role nor policy
    opens any; accounts of funds, for whoever is here for their cards and operates none."""
    areas = set[str]()
    if actor.role not in operations.LIST_ACCOUNTS.roles:
        permissions = {permission for permission, _ in actor.grants}
        if operations.LIST_ACCOUNTS.grant not in permissions:
            areas.add("treasury")
        if not permissions:
            areas.add("wallet-policies")
    if actor.role not in operations_pages.INBOX.roles and _is_without_funds(actor):
        areas.add("investments")
    return frozenset(areas)


def _is_without_funds(actor: Actor) -> bool:
    name = f"without-funds:{actor.membership_id}"
    known = cache.load(name)
    if known is None:
        known = not visible_fund_accounts(actor).exists()
        cache.store(name, known, EMPTY_FOR_S)
    return bool(known)


def _links(entries: tuple[Entry, ...], role: Role, slug: str, empty: frozenset[str]) -> tuple[Link, ...]:
    return tuple(
        Link(entry.title, entry.area, entry.icon, reverse(entry.area, args=[slug]))
        for entry in entries
        if role in entry.opens.roles and entry.area not in empty
    )
