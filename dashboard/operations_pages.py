"""Pages whose door is not an operation's: who may open them, and which operations they show the answers of.

What stands on such a page is asked operation by operation; a role only opens the door.
"""

from dashboard import operations, operations_extra
from dashboard.access.pages import Page
from dashboard.access.roles import CONFIGURING, EVERYONE, FINANCE, OWNING, STAFF, Role

HOME = Page("home", EVERYONE, "my queue, and what needs attention", (operations.LIST_EXPENSES,))
INBOX = Page(
    "inbox",
    STAFF,
    "everything that waits for a decision; a super admin reads, decides nothing",
    (operations.LIST_EXPENSES, operations.LIST_APPROVALS, operations.LIST_APPROVALS_DIGEST),
)
OWN_DECISIONS = Page("own_decisions", STAFF, "one's own decisions on their way to the service")
FINDER = Page("finder", EVERYONE, "any page, and any thing of a list that one may open, by name, reference or amount")
LISTS = Page("lists", EVERYONE, "one's own saved views, exports and bulk actions; of a list that one may open")
AUDIT_LOG = Page("audit_log", FINANCE, "what was done through this dashboard, and its proof")
TREASURY = Page(
    "treasury",
    EVERYONE,
    "the wallets that one's role shows, or that a wallet policy names",
    (operations.LIST_ACCOUNTS, operations.READ_ACCOUNT, operations.READ_ACCOUNT_BALANCE),
)
CONVERSATION = Page("conversation", EVERYONE, "what was done with an item that one may see, and said about it")
WALLET_ACCESS = Page(
    "wallet_access",
    EVERYONE,
    "who may use which wallet; card users and reviewers see what is theirs",
    (operations.LIST_WALLET_POLICIES, operations.LIST_EMPLOYEE_WALLET_POLICIES),
)
PROPOSALS = Page("proposals", FINANCE, "changes of access that wait, or waited, for a second admin")
ACCESS_CHANGES = Page("access_changes", CONFIGURING, "asking for a second admin, and being one")
DELEGATION = Page("delegation", STAFF, "who stands in for whom; handing one's own items over")
NOTIFICATIONS = Page("notifications", EVERYONE, "what one was told; choosing what of, and how")
SUBMISSIONS = Page("submissions", EVERYONE, "what became of a form of one's own whose answer was lost")
INVESTMENTS = Page(
    "investments",
    EVERYONE,
    "the fund accounts that one's role shows, or that one operates",
    (operations_extra.LIST_FUND_ACCOUNTS, operations_extra.READ_FUND_ACCOUNT, operations.READ_OWN_FUND_ACCESS),
)
# No page of its own: a choice on the forms of a card, beside the operation that sends it (decisions F.5).
CARD_FUNDING = Page("card_funding", frozenset({Role.ADMIN}), "letting a card spend a wallet of the business")
MEMBERS = Page("members", OWNING, "who belongs to the business, with which role; invitations", is_ours=True)
CONNECTION = Page("connection", OWNING, "how the business reaches its finance service", is_ours=True)

PAGES: dict[str, Page] = {
    page.name: page
    for page in (
        HOME, INBOX, OWN_DECISIONS, FINDER, LISTS, AUDIT_LOG, TREASURY, INVESTMENTS, CONVERSATION, WALLET_ACCESS, PROPOSALS, ACCESS_CHANGES,
        DELEGATION, NOTIFICATIONS, SUBMISSIONS, CARD_FUNDING, MEMBERS, CONNECTION,
    )
}  # fmt: skip
