"""What people can be told of, and what holds for a topic until somebody chooses otherwise."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """Something to be told of: its title, when it is told, and through which channels by default."""

    name: str
    title: str
    purpose: str
    in_app: bool = True
    by_mail: bool = True


MENTION = Topic("mention", "Mentions", "somebody writes @ and your name")
COMMENT = Topic("comment", "Comments", "somebody comments on your items, or where you commented", by_mail=False)
DECIDED = Topic("decided", "Decisions on my requests", "somebody decides on your expense or request")
QUESTION = Topic("asked", "Questions to me", "a reviewer asks for details or a receipt")
ANSWERED = Topic("answered", "Answers to my questions", "somebody answers what you asked")
DELEGATION = Topic("delegation", "Delegation", "somebody delegates approvals to you, or a delegation ends")
ACCESS = Topic("access", "Access changes", "an access change waits for you, or yours is decided")
PAYEES = Topic("payees", "Payee changes", "a vendor's new account waits for a second person, or yours is decided")

TOPICS: dict[str, Topic] = {
    topic.name: topic for topic in (MENTION, COMMENT, QUESTION, ANSWERED, DECIDED, DELEGATION, ACCESS, PAYEES)
}
