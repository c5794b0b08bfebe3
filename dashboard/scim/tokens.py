"""The token of an identity provider: issued and shown once, replaced by the next one, and known again by its hash."""

import hashlib
import secrets
from datetime import timedelta

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.errors import NotAllowed
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.scim_token import use_confirmation
from dashboard.scim.models import ScimToken

PROGRAM = "SCIM"
# What a provider that synchronises all its people sends in a minute is less than this.
REQUESTS_PER_MINUTE = 600
USE_NOTED_EVERY = timedelta(minutes=1)


def issue_token(actor: Actor) -> str:
    """A new token in place of the one before, which opens nothing from now on; the only time that it is shown.

    NotAllowed for who may not, and, where a second admin is asked for, for whom none has let issue one (scim_token.py).
    """
    check_open(actor, MEMBERS)
    token = f"scim_{secrets.token_urlsafe(32)}"
    values = {
        "digest": _digest(token), "ending": token[-4:], "set_up_by_id": actor.member_id, "created_at": timezone.now(),
        "last_used_at": None,
    }  # fmt: skip
    with transaction.atomic():
        if requires_second_admin(actor.business) and not use_confirmation(actor):
            raise NotAllowed("A second super admin has to confirm first that you issue a token.", code="second_admin")
        ScimToken.objects.update_or_create(business=actor.business, defaults=values)
        record(actor, MEMBERS.name, None, Outcome.DONE, sentence=f"issued a SCIM token, ending in {token[-4:]}")
    return token


def end_token(actor: Actor) -> None:
    """From now on no token of the business opens anything; nothing where there is none. NotAllowed for who may not."""
    check_open(actor, MEMBERS)
    with transaction.atomic():
        count, _ = ScimToken.objects.filter(business=actor.business).delete()
        if count:
            record(actor, MEMBERS.name, None, Outcome.DONE, sentence="ended the SCIM token")


def token_row(authorization: str) -> ScimToken | None:
    """The row of the token in an Authorization header; None for any other. Its use is noted, once a minute."""
    scheme, _, given = authorization.partition(" ")
    if scheme.casefold() != "bearer" or not given.isascii() or len(given) > 200:
        return None
    rows = ScimToken.objects.select_related("set_up_by__user", "set_up_by__business", "business")
    row = rows.filter(digest=_digest(given.strip())).first()
    now = timezone.now()
    if row is not None and (row.last_used_at is None or now - row.last_used_at > USE_NOTED_EVERY):
        ScimToken.objects.filter(pk=row.pk).update(last_used_at=now)
    return row


def is_rate_limited(row: ScimToken) -> bool:
    """Counts a request of this token; True where it is one too many in this minute."""
    key = f"scim:{row.pk}:{timezone.now():%H%M}"
    cache.add(key, 0, timeout=120)
    return int(cache.incr(key)) > REQUESTS_PER_MINUTE


def actor_of(row: ScimToken) -> Actor:
    """Who acts by the token: the program, for the business. That whoever issued it leaves ends no token: the company's
    off-switch would end with them, and would not reach them."""
    return Actor.for_token(row.business, PROGRAM, issued_by=row.set_up_by_id)


def _digest(token: str) -> str:
    # Long and random: nothing is gained by a slow hash.
    return hashlib.sha256(token.encode()).hexdigest()
