"""The person at a page: whoever acts there has a membership and an id."""

from django.http import HttpRequest

from dashboard.access.actor import Actor


def membership_of(actor: Actor) -> int:
    """The id of the membership that someone at a page acts by; TypeError for a job, which has none."""
    if actor.membership_id is None:
        raise TypeError("a job has no membership")
    return actor.membership_id


def user_of(request: HttpRequest) -> int:
    """The id of the person who is signed in; TypeError for nobody."""
    if request.user.pk is None:
        raise TypeError("nobody is signed in")
    return int(request.user.pk)
