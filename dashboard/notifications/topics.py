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
COMMENT = Topic("comment", "Comments", "somebody comments on what is yours, or where you commented", by_mail=False)
DECIDED = Topic("decided", "Decisions on yours", "what you spent or asked for was decided on")
DELEGATION = Topic("delegation", "Standing in", "somebody hands their items to you, or that ends")
ACCESS = Topic("access", "Changes of access", "a change of access waits for you, or yours was decided on")

TOPICS: dict[str, Topic] = {topic.name: topic for topic in (MENTION, COMMENT, DECIDED, DELEGATION, ACCESS)}
