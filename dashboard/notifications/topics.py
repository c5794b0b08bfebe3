"""What people can be told of, and what holds for a topic until somebody chooses otherwise."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """Something to be told of: its title, when it is told, and through which channels by default.

    `push_text` is what a device shows of it: a sentence that may pass through another company's server, and so holds no
    name, amount or number. `by_push` counts only for whoever has switched a device on.
    """

    name: str
    title: str
    purpose: str
    push_text: str
    in_app: bool = True
    by_mail: bool = True
    by_push: bool = True


# In the app it is the inbox that shows what waits, by mail the daily digest: both by the item are for whoever chooses it.
WAITING = Topic(
    "waiting", "Items that wait for me", "an item comes to wait for your approval",
    "An item waits for your approval", in_app=False, by_mail=False,
)  # fmt: skip
MENTION = Topic("mention", "Mentions", "somebody writes @ and your name", "Somebody mentioned you")
COMMENT = Topic(
    "comment", "Comments", "somebody comments on your items, or where you commented", "Somebody commented on an item",
    by_mail=False, by_push=False,
)  # fmt: skip
DECIDED = Topic(
    "decided", "Decisions on my requests", "somebody decides on your expense or request", "Your request was decided on",
    by_push=False,
)  # fmt: skip
QUESTION = Topic("asked", "Questions to me", "a reviewer asks for details or a receipt", "A reviewer has a question")
ANSWERED = Topic("answered", "Answers to my questions", "somebody answers what you asked", "Your question was answered")
DELEGATION = Topic(
    "delegation", "Delegation", "somebody delegates approvals to you, or a delegation ends", "A delegation has changed"
)
ACCESS = Topic(
    "access", "Access changes", "an access change waits for you, or yours is decided",
    "An access change waits, or was decided on", by_push=False,
)  # fmt: skip
PAYEES = Topic(
    "payees", "Payee changes", "a vendor's new account waits for a second person, or yours is decided",
    "A payee change waits, or was decided on",
)  # fmt: skip
PAYMENTS = Topic(
    "payments", "Payments that fail", "a bill payment that you asked for, or your payout, fails or is put on hold",
    "A payment was not made",
)  # fmt: skip
BILLS_RECEIVED = Topic(
    "bills_received", "Bills by email", "a message comes to the bills' mailbox", "A bill has come by email",
    by_mail=False, by_push=False,
)  # fmt: skip
BILLS_DUE = Topic(
    "bills_due", "Bills that are due", "a bill is due soon or today, and nothing of it is being paid", "A bill is due",
    by_push=False,
)  # fmt: skip
DOCUMENTS = Topic(
    "documents", "Vendor documents", "a contract or certificate of a vendor is about to end",
    "A document of a vendor is about to end", by_push=False,
)  # fmt: skip
BUDGETS = Topic(
    "budgets", "Budgets", "a budget reaches a part of its amount", "A budget has reached its threshold", by_push=False
)
RENEWALS = Topic(
    "renewals", "Subscriptions that renew", "the last day to cancel a subscription is near, or one is charged after the last charge that was expected",
    "A subscription needs attention", by_push=False,
)  # fmt: skip
ACCESS_REVIEWS = Topic(
    "access_reviews", "Access reviews", "the access review of a quarter is due", "An access review is due",
    by_push=False,
)  # fmt: skip
TOP_UPS = Topic(
    "top_ups", "Recurring top-ups", "a recurring top-up is paused, refused or in doubt", "A recurring top-up needs attention",
    by_push=False,
)  # fmt: skip
EXPORTS = Topic(
    "exports", "Exports", "an export that was written in the background is ready, or failed", "An export has finished",
    by_mail=False, by_push=False,
)  # fmt: skip

TOPICS: dict[str, Topic] = {
    topic.name: topic
    for topic in (
        WAITING,
        MENTION,
        COMMENT,
        QUESTION,
        ANSWERED,
        DECIDED,
        DELEGATION,
        ACCESS,
        PAYEES,
        PAYMENTS,
        BILLS_RECEIVED,
        BILLS_DUE,
        DOCUMENTS,
        BUDGETS,
        RENEWALS,
        ACCESS_REVIEWS,
        TOP_UPS,
        EXPORTS,
    )
}
