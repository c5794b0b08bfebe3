"""What became of a form, by its key: its arrival in our book, and what our own tables show that it led to.

Only what was seen is said. A form that was answered has the words that its person would have read; one that was not is
looked for where it would have left something; one that never arrived can be withdrawn, and only then is it said that
nothing was changed. Nor is it said of one sending of a form while another one is under way or has been carried out.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.addresses import showable
from dashboard.access.models import Business
from dashboard.bidi import isolated
from dashboard.bulk.models import Batch
from dashboard.client.models import OutboundOperation, OutboundState
from dashboard.conversation.models import Comment
from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.registry import DECIDED
from dashboard.delegation.models import Delegation
from dashboard.form_key import without_query
from dashboard.proposals.models import Proposal, ProposalState
from dashboard.times import day_and_time
from dashboard.web.models import Submission
from dashboard.web.submission import at_address, state_of_submission

# A worker that still held it by then was killed (config/gunicorn.py): nobody will answer it any more.
ANSWERED_WITHIN = timedelta(seconds=90)
# A sending in one of these states has changed nothing.
NOT_DONE = (Submission.State.REFUSED, Submission.State.WITHDRAWN)
# Where a form was posted to of which only that is known that it did not arrive.
NOWHERE = "/"
# The key of a form that carries out all parts of a plan (templates/approvals/whole.html): "<plan>:all".
ALL_PARTS = "all"
LOOK = "Check the page before you send it again."
NOT_KNOWN = "It is not known yet whether it was done."
STEP_CONFIRMED = "The finance service has confirmed a step of it; it is not known whether that was all."
AGAIN = "Sent again as it stands, it is done once at most."


class Known(StrEnum):
    """What is known of a form. ABSENT: it has not arrived, and still may; WITHDRAWN: it cannot be done any more."""

    DONE = "done"
    REFUSED = "refused"
    WORKING = "working"
    UNKNOWN = "unknown"
    ABSENT = "absent"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Status:
    """What is known of a form, in a sentence; the page that shows more, and the toast of a decision, where there is one."""

    known: Known
    sentence: str
    address: str = ""
    toast: str = ""


@dataclass(frozen=True)
class Submitter:
    """Whose form it is: a person, and who they are in the business it was sent in (None: in none)."""

    user_id: int
    actor: Actor | None

    @property
    def business(self) -> Business | None:
        """The business it was sent in."""
        return self.actor.business if self.actor else None


def status_of(submitter: Submitter, key: str, attempt: str = "", path: str = "") -> Status:
    """What became of the form with this key; of that one sending of it where `attempt` names one.

    `path` is where it is posted to, without a query: forms of one page may share a key, and what one of them has done is
    not said of another.
    """
    actor = submitter.actor
    if actor is not None and key and (decided := _decision(actor, key) or _bulk(actor, key)):
        return decided
    own = arrivals(submitter)
    arrived = own.filter(attempt=attempt).first() if attempt else own.filter(key=key).first() if key else None
    may_be_another = bool(key) and (arrived is None or arrived.state in NOT_DONE)
    # That was this sending of it: another one may be under way, or carried out.
    if may_be_another and (other := _other_sending(submitter, key, attempt, arrived, path)) is not None:
        return other
    if arrived is not None and arrived.state in {Submission.State.ANSWERED, Submission.State.REFUSED}:
        return _answered(submitter, arrived)
    if arrived is not None and arrived.state == Submission.State.WITHDRAWN:
        return withdrawn()
    if actor is not None and key and (left := _left_behind(actor, key, arrived, path)):
        return left
    if arrived is None:
        return Status(Known.ABSENT, "It has not arrived yet.")
    return _unanswered(submitter, arrived)


def arrivals(submitter: Submitter) -> QuerySet[Submission]:
    """The person's own arrivals in this business, the newest first."""
    mine = Submission.objects.filter(user_id=submitter.user_id, business=submitter.business)
    return mine.order_by("-received_at")


def withdrawn() -> Status:
    """The status of a form that did not arrive, and would be refused should it still do so."""
    sentence = "It did not arrive, and will not be done any more. Nothing was changed: send it again if you want it."
    return Status(Known.WITHDRAWN, sentence)


def _other_sending(
    submitter: Submitter, key: str, attempt: str, arrived: Submission | None, path: str
) -> Status | None:
    """What another sending of the same form is at, or has done; None where none was carried out or may have been."""
    actor, posted_to = submitter.actor, arrived.path if arrived is not None and arrived.path != NOWHERE else path
    rows = arrivals(submitter).filter(key=key).exclude(attempt=attempt).exclude(state__in=NOT_DONE)
    # The forms of one's own account are kept without their addresses: which of them it was is not known.
    if actor is not None and (address := without_query(posted_to)):
        rows = rows.filter(at_address(address))
    other = rows.first()
    if other is not None and other.state == Submission.State.RECEIVED and _is_in_time(other):
        return _unanswered(submitter, other)
    if actor is not None and (sent := state_of_submission(actor, key, posted_to)) is not None:
        is_done = sent is OutboundState.CONFIRMED
        status = None if is_done else _by_last_call(actor, key, other or arrived, posted_to)
        return status or _sent(sent, other or arrived)
    if other is None or (arrived is not None and arrived.state == Submission.State.REFUSED):
        # Why it was refused is the answer, then.
        return None
    if actor is not None and (left := _left_behind(actor, key, None, posted_to)) is not None:
        return left
    return _another(submitter, other)


def _decision(actor: Actor, key: str) -> Status | None:
    mine = Decision.objects.filter(business=actor.business, membership_id=actor.member_id)
    decision = mine.filter(key=key).first()
    if decision is None:
        return None
    sentence = f"It arrived: you {DECIDED[decision.operation].sentence(isolated(decision.title))}."
    known, state = {
        DecisionState.WAITING: (Known.WORKING, "It is waiting, and can be undone until it is sent."),
        DecisionState.SENDING: (Known.WORKING, "It is being sent."),
        DecisionState.DONE: (Known.DONE, decision.message),
        DecisionState.REFUSED: (Known.REFUSED, decision.message),
        DecisionState.LOST: (Known.UNKNOWN if decision.ended_in_doubt else Known.REFUSED, decision.message),
        DecisionState.CANCELLED: (Known.REFUSED, decision.message),
        DecisionState.UNKNOWN: (
            Known.UNKNOWN,
            "It was sent and no answer came back. We are finding out; do not repeat it.",
        ),
    }[DecisionState(decision.state)]
    slug = actor.business.slug
    toast = reverse("decisions_toast", args=[slug, decision.pk])
    return Status(known, f"{sentence} {state}".strip(), reverse("decisions", args=[slug]), toast)


def _bulk(actor: Actor, key: str) -> Status | None:
    mine = Batch.objects.filter(business=actor.business, membership_id=actor.member_id)
    mine = mine.exclude(state=Batch.State.PLANNED)
    plan, _, part = key.partition(":")
    rows = mine.filter(key__startswith=f"{plan}:") if part == ALL_PARTS and plan else mine.filter(key=key)
    bulk = rows.order_by("created_at").first()
    if bulk is None:
        return None
    address = reverse("approvals_several", args=[actor.business.slug, bulk.pk])
    states = {batch.state for batch in rows}
    if states & {Batch.State.QUEUED, Batch.State.RUNNING}:
        processed = "is being processed"
    else:
        processed = "was stopped before its end" if Batch.State.STOPPED in states else "was processed"
    return Status(Known.DONE, f"It arrived and {processed}: see the results by item.", address)


def _answered(submitter: Submitter, arrived: Submission) -> Status:
    sentence = arrived.sentence or "See the page for the result."
    address = showable(arrived.path)
    if arrived.state == Submission.State.REFUSED:
        return Status(Known.REFUSED, f"It arrived, and was not done: {sentence}", address)
    return Status(Known.DONE, f"It arrived{_when(submitter, arrived)} and was answered. {sentence}", address)


def _another(submitter: Submitter, other: Submission) -> Status:
    """Another sending of the form, of which no trace was found: that it was answered says not that it was carried out."""
    if submitter.actor is None:
        return Status(
            Known.UNKNOWN, f"Another sending of it, or of another form of your account, arrived. {NOT_KNOWN} {LOOK}"
        )
    if other.state != Submission.State.ANSWERED:
        return _unanswered(submitter, other)
    sentence = f"It arrived another time{_when(submitter, other)} and was answered. {other.sentence}".strip()
    return Status(Known.UNKNOWN, f"{sentence} {NOT_KNOWN} {LOOK}", showable(other.path))


def _left_behind(actor: Actor, key: str, arrived: Submission | None, path: str) -> Status | None:
    """What a form that was not answered has left in our tables; None where nothing of its key is there."""
    where, mine = actor.business, {"business": actor.business, "membership_id": actor.member_id}
    if Comment.objects.filter(**mine, key=key).exists():
        return Status(Known.DONE, "It arrived: your comment was added.")
    if Delegation.objects.filter(business=where, delegator_id=actor.member_id, key=key).exists():
        return Status(Known.DONE, "It arrived: the delegation was created.", reverse("delegation", args=[where.slug]))
    proposed = Proposal.objects.filter(business=where, proposed_by_id=actor.member_id, key__endswith=f"-{key}")
    if (proposal := proposed.first()) is not None:
        return _proposed(where, proposal)
    return _by_last_call(actor, key, arrived, path)


def _by_last_call(actor: Actor, key: str, arrived: Submission | None, path: str) -> Status | None:
    """What the outbox shows of a form of which no sending is known to have run to its end; None where nothing went out."""
    calls = OutboundOperation.objects.filter(business=actor.business, membership_id=actor.member_id, form_key=key)
    if posted_to := arrived.path if arrived is not None else path:
        calls = calls.filter(form_path=without_query(posted_to))
    sent = calls.order_by("-pk").first()
    # Refused, or not sent: what was said of it would be in the answer, which is not there (yet).
    if sent is None or sent.state not in {OutboundState.CONFIRMED, OutboundState.UNKNOWN}:
        return None
    if sent.state == OutboundState.CONFIRMED:
        # A form may have several steps, and whoever was to answer may have ended between two of them.
        return Status(
            Known.UNKNOWN, f"It arrived. {STEP_CONFIRMED} {LOOK} {AGAIN}", showable(arrived.path) if arrived else ""
        )
    return _sent(OutboundState(sent.state), arrived)


def _proposed(where: Business, proposal: Proposal) -> Status:
    """How the proposal stands that a form has left."""
    known, state = {
        ProposalState.WAITING: (Known.DONE, "It waits for a second admin."),
        # Its day may lie months ahead: of the form there is no more to ask.
        ProposalState.CONFIRMED: (
            Known.DONE,
            "It was confirmed, and may have reached the finance service. It is not known yet whether it was applied."
            if proposal.may_be_sent
            else "It was confirmed, and is not applied yet.",
        ),
        ProposalState.APPLIED: (Known.DONE, "It was confirmed and applied."),
        ProposalState.DECLINED: (Known.REFUSED, "It was declined, and not applied."),
        ProposalState.WITHDRAWN: (Known.REFUSED, "It was withdrawn, and not applied."),
        ProposalState.STALE: (Known.REFUSED, "It was overtaken by another change, and not applied."),
        ProposalState.REFUSED: (Known.REFUSED, "It was confirmed, then refused, and not applied."),
        ProposalState.UNKNOWN: (Known.UNKNOWN, "It was confirmed, and it is not known whether it was applied."),
    }[ProposalState(proposal.state)]
    address = reverse("wallet-policies_proposal", args=[where.slug, proposal.pk])
    # Of who declined or withdrew it, the outcome is the reason, in their own words.
    in_their_words = proposal.state in {ProposalState.DECLINED, ProposalState.WITHDRAWN}
    outcome = "" if in_their_words else isolated(proposal.outcome)
    return Status(known, f"It arrived as a proposal. {state} {outcome}".strip(), address)


def _sent(state: OutboundState, arrived: Submission | None) -> Status:
    address = showable(arrived.path) if arrived else ""
    if state == OutboundState.CONFIRMED:
        return Status(Known.DONE, "It arrived, and the finance service has confirmed it.", address)
    doubt = f"It was sent to the finance service, and no answer came back. {NOT_KNOWN} {AGAIN}"
    return Status(Known.UNKNOWN, doubt, address)


def _unanswered(submitter: Submitter, arrived: Submission) -> Status:
    address = showable(arrived.path)
    if arrived.state == Submission.State.RECEIVED and _is_in_time(arrived):
        return Status(Known.WORKING, f"It arrived{_when(submitter, arrived)} and is being worked on.", address)
    sentence = arrived.sentence or f"It arrived{_when(submitter, arrived)}, and was not answered. {NOT_KNOWN} {LOOK}"
    return Status(Known.UNKNOWN, sentence, address)


def _is_in_time(arrived: Submission) -> bool:
    return arrived.received_at > timezone.now() - ANSWERED_WITHIN


def _when(submitter: Submitter, arrived: Submission) -> str:
    return f" ({day_and_time(arrived.received_at, submitter.business)})" if submitter.business else ""
