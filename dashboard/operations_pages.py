"""Pages whose door is not an operation's: who may open them, and which operations they show the answers of.

What stands on such a page is asked operation by operation; a role only opens the door.
"""

from dashboard import operations, operations_extra
from dashboard.access.pages import SitePage
from dashboard.access.roles import CONFIGURING, EVERYONE, FINANCE, OWNING, REVIEWING, STAFF, Role

HOME = SitePage("home", EVERYONE, "items waiting for oneself, and what needs attention", (operations.LIST_EXPENSES,))
INBOX = SitePage(
    "inbox",
    STAFF,
    "everything that waits for a decision; a super admin can only read",
    (operations.LIST_EXPENSES, operations.LIST_APPROVALS, operations.LIST_APPROVALS_DIGEST),
)
SAMPLES = SitePage(
    "samples",
    REVIEWING,
    "approvals of what looked clean, and of each week by people and by nobody, drawn for a second look by somebody else",
    (operations.LIST_EXPENSES,),
)
SAMPLE_SHARE = SitePage("sample_share", OWNING, "which share of the approvals of what looked clean is sampled")
OWN_DECISIONS = SitePage("own_decisions", STAFF, "one's own decisions and their status")
FINDER = SitePage("finder", EVERYONE, "any page and any item one has access to, by name, reference or amount")
LISTS = SitePage("lists", EVERYONE, "one's own saved views, exports and bulk actions of lists one has access to")
AUDIT_LOG = SitePage("audit_log", FINANCE, "the audit log of this dashboard, and its verification")
TREASURY = SitePage(
    "treasury",
    EVERYONE,
    "the wallets that one's role or a wallet policy gives access to",
    (operations.LIST_ACCOUNTS, operations.READ_ACCOUNT, operations.READ_ACCOUNT_BALANCE),
)
CONVERSATION = SitePage("conversation", EVERYONE, "activity and comments of items one has access to")
WALLET_ACCESS = SitePage(
    "wallet_access",
    EVERYONE,
    "who can use which wallet; card users and reviewers see their own",
    (operations.LIST_WALLET_POLICIES, operations.LIST_EMPLOYEE_WALLET_POLICIES),
)
PAYMENT_AUTHORITY = SitePage(
    "payment_authority",
    FINANCE,
    "who can move money from which wallet, and how much",
    (
        operations.LIST_WALLET_POLICIES,
        operations.LIST_MANDATES,
        operations.LIST_BUSINESS_CARDS,
        operations_extra.LIST_FUND_ACCOUNTS,
    ),
)
PROPOSALS = SitePage(
    "proposals", FINANCE, "changes to access, policies and workflows that are or were waiting for a second admin"
)
ACCESS_CHANGES = SitePage("access_changes", CONFIGURING, "requiring a second admin, and confirming as one")
DELEGATION = SitePage("delegation", STAFF, "delegations; delegating one's own approvals")
OFFBOARDING = SitePage("offboarding", FINANCE, "offboardings, and the steps of them that need one's role")
ACCESS_REVIEWS = SitePage(
    "access_reviews", CONFIGURING, "the quarterly reviews of who has access, and deciding and signing them"
)
NOTIFICATIONS = SitePage("notifications", EVERYONE, "one's notifications and notification settings")
SUBMISSIONS = SitePage("submissions", EVERYONE, "the result of one's own form whose answer was lost")
INVESTMENTS = SitePage(
    "investments",
    EVERYONE,
    "the fund accounts that one's role gives access to, or that one operates",
    (operations_extra.LIST_FUND_ACCOUNTS, operations_extra.READ_FUND_ACCOUNT, operations.READ_OWN_FUND_ACCESS),
)
# No page of its own: a choice on the forms of a card, beside the operation that sends it (decisions F.5).
CARD_FUNDING = SitePage("card_funding", frozenset({Role.ADMIN}), "letting a card spend from a business wallet")
CATEGORY_RULES = SitePage(
    "category_rules",
    FINANCE,
    "rules that categorise, their trials on the last 90 days, and what each has categorised",
    (operations.LIST_EXPENSES, operations.LIST_TRANSACTIONS),
)
CHANGE_CATEGORY_RULES = SitePage(
    "change_category_rules",
    CONFIGURING,
    "writing, trying, ordering and switching rules that categorise",
    (operations.CATEGORISE_EXPENSE, operations.TAG_TRANSACTION),
)
MEMBERS = SitePage("members", OWNING, "members, their roles, and invitations", is_ours=True)
MEMBER_SESSIONS = SitePage(
    "member_sessions",
    CONFIGURING,
    "where somebody whom one could suspend is signed in, and signing them out there",
    is_ours=True,
)
CONNECTION = SitePage("connection", OWNING, "the connection to the finance service", is_ours=True)
STATUS = SitePage("status", OWNING, "how the copy, the connection and what waits stand", is_ours=True)

PAGES: dict[str, SitePage] = {
    page.name: page
    for page in (
        HOME, INBOX, SAMPLES, SAMPLE_SHARE, OWN_DECISIONS, FINDER, LISTS, AUDIT_LOG, TREASURY, INVESTMENTS, CONVERSATION, WALLET_ACCESS, PAYMENT_AUTHORITY, PROPOSALS, ACCESS_CHANGES,
        DELEGATION, OFFBOARDING, ACCESS_REVIEWS, NOTIFICATIONS, SUBMISSIONS, CARD_FUNDING, CATEGORY_RULES, CHANGE_CATEGORY_RULES, MEMBERS, MEMBER_SESSIONS,
        CONNECTION, STATUS,
    )
}  # fmt: skip
