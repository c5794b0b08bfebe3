"""A proposed change and what became of it, and whether a business asks for a second admin at all."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone


class ProposalState(models.TextChoices):
    """Where a proposal stands. CONFIRMED: it is applied as soon as its day has come and the service answers.

    UNKNOWN: it was sent, no answer came for a day, and it is not sent again."""

    WAITING = "WAITING", "Waits for a second admin"
    CONFIRMED = "CONFIRMED", "Confirmed"
    APPLIED = "APPLIED", "Applied"
    DECLINED = "DECLINED", "Declined"
    WITHDRAWN = "WITHDRAWN", "Withdrawn"
    STALE = "STALE", "Overtaken by another change"
    REFUSED = "REFUSED", "Refused by the service"
    UNKNOWN = "UNKNOWN", "Not known whether it was made"


OPEN_PROPOSAL_STATES = (ProposalState.WAITING, ProposalState.CONFIRMED)
# What a proposal is about when it is about no operation of the service: asking for no second admin any more.
SWITCH_OFF = "switch_off_second_admin"
# And where it is about who belongs to the business here, with which role.
CHANGE_MEMBER_ROLE, INVITE_MEMBER, END_MEMBER = "change_member_role", "invite_member", "end_member"
# And which employee at the finance service a member acts as.
LINK_MEMBER = "link_member"
# And which roles may approve what a policy blocks: for the same people to decide.
CHANGE_OVERRIDE_ROLES = "change_override_roles"
# And at which identity provider people sign in.
CHANGE_SINGLE_SIGN_ON = "change_single_sign_on"
# And with which key of ours.
CHANGE_OWN_KEY = "change_own_key"
# And at which finance service, as which client, which roles need a second factor, and who gets the token of SCIM.
CHANGE_CONNECTION, CHANGE_SECOND_FACTOR, ISSUE_SCIM_TOKEN = (
    "change_connection", "change_second_factor", "issue_scim_token",
)  # fmt: skip
# What a proposal is about where that is a spend policy or an approval workflow (targets.py).
POLICY, WORKFLOW = "policy", "workflow"
# And a journal export that is to be undone.
JOURNAL_EXPORT = "journal_export"
# And what bank and books of a wallet differed by before its first statement, that is to be accepted, or no longer is.
BANK_DIFFERENCE = "bank_difference"
# And a bank statement that was imported, and is to be taken back.
BANK_STATEMENT = "bank_statement"
# And two vendors that are one.
VENDOR_MERGE = "vendor_merge"
# And subcategories that move to a category, where a policy of either counts what is filed there.
CATEGORY_MOVE = "category_move"
NOUNS = {
    POLICY: "a policy change", WORKFLOW: "a workflow change", JOURNAL_EXPORT: "an export undo",
    BANK_DIFFERENCE: "an opening difference", BANK_STATEMENT: "a statement removal", VENDOR_MERGE: "a vendor merge",
    CATEGORY_MOVE: "a move of subcategories",
}  # fmt: skip
OF_MEMBERS = frozenset(
    {
        CHANGE_MEMBER_ROLE, INVITE_MEMBER, END_MEMBER, LINK_MEMBER, CHANGE_OVERRIDE_ROLES, CHANGE_SINGLE_SIGN_ON,
        CHANGE_CONNECTION, CHANGE_SECOND_FACTOR, ISSUE_SCIM_TOKEN, CHANGE_OWN_KEY,
    }
)  # fmt: skip


class FourEyes(models.Model):
    """Whether changes of access need a second admin in a business. No row: they do not."""

    business = models.OneToOneField("access.Business", on_delete=models.CASCADE, related_name="+")
    is_on = models.BooleanField(default=False)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.business}: {'on' if self.is_on else 'off'}"


class Proposal(models.Model):
    """One change, said in sentences, as it would be sent; `seen_version` is the policy's that the proposer looked at,
    `seen` what they saw of a mandate, a role or a person's rights.

    Amounts in `body` are text, so that the database's JSON makes no float of them.
    """

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    operation = models.CharField(max_length=60)
    path = models.JSONField(default=dict)
    body = models.JSONField(null=True)
    wallet_id = models.CharField(max_length=64, blank=True)
    employee_id = models.CharField(max_length=64, blank=True)
    policy_id = models.CharField(max_length=64, blank=True)
    seen_version = models.BigIntegerField(null=True)
    # What it is about where that is no wallet policy (targets.py), what the proposer saw of it, and whom it concerns.
    target_type = models.CharField(max_length=20, blank=True)
    target_id = models.CharField(max_length=64, blank=True)
    seen = models.JSONField(default=dict)
    about = models.JSONField(default=list)
    title = models.CharField(max_length=300)
    sentences = models.JSONField(default=list)
    consequences = models.JSONField(default=list)
    reason = models.CharField(max_length=500, blank=True)
    # When it shall take effect; None: as soon as it is confirmed.
    effective_at = models.DateTimeField(null=True)
    key = models.CharField(max_length=255)
    state = models.CharField(max_length=9, choices=ProposalState.choices, default=ProposalState.WAITING)
    proposed_by = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    # The program in the name of whoever has set it up, where no person proposed it: "SCIM".
    program = models.CharField(max_length=60, blank=True, default="", db_default="")
    proposed_at = models.DateTimeField(default=timezone.now)
    decided_by = models.ForeignKey("access.Membership", null=True, on_delete=models.CASCADE, related_name="+")
    decided_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True)
    request_id = models.CharField(max_length=80, blank=True)
    # Who applies it just now, and whether an earlier try may have reached the service.
    lease_until = models.DateTimeField(null=True)
    may_be_sent = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "key"], name="one_proposal_per_form"),
            models.UniqueConstraint(
                fields=["business", "wallet_id", "employee_id", "target_type", "target_id"],
                condition=Q(state__in=["WAITING", "CONFIRMED"]),
                name="one_open_proposal_per_target",
            ),
        ]
        indexes = [
            models.Index(fields=["business", "-id"], name="proposal_recent"),
            models.Index(fields=["effective_at"], condition=Q(state="CONFIRMED"), name="proposal_due"),
        ]

    def __str__(self) -> str:
        return f"{self.title}: {self.state}"

    @property
    def proposer(self) -> str:
        """Who proposed it, by name: a person, or the program that did."""
        return self.program or str(self.proposed_by.user.get_full_name())

    @property
    def noun(self) -> str:
        """What a sentence calls it, with its article: an access change, or a change of a policy or a workflow."""
        return NOUNS.get(self.target_type, "an access change")

    @property
    def bare_noun(self) -> str:
        """The noun without its article: "policy change"."""
        return self.noun.partition(" ")[2]

    @property
    def headline(self) -> str:
        """What it is in a line: whose access to which wallet, or what becomes of a mandate, a role or a policy."""
        if self.target_type in NOUNS:
            more = f" and {len(self.sentences) - 1} more" if len(self.sentences) > 1 else ""
            return f"{self.title}: {self.sentences[0].rstrip('.')}{more}" if self.sentences else self.title
        return self.sentences[0].rstrip(".") if self.target_type and self.sentences else self.title

    @property
    def required_body(self) -> Any:
        """The body of a change that is nothing without one, as its operation takes it; LookupError where none is stored."""
        if self.body is None:
            raise LookupError(f"{self.operation} was proposed without a body")
        return self.body

    @property
    def body_without_secrets(self) -> Mapping[str, object] | None:
        """The body as it is kept once the proposal has ended: what was sealed in it is stored where it belongs, or nowhere."""
        if self.body is None:
            return None
        return {name: "" if name.startswith("sealed_") else value for name, value in self.body.items()}

    @property
    def is_open(self) -> bool:
        """Whether it is waiting, or confirmed and not applied yet."""
        return self.state in OPEN_PROPOSAL_STATES

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for a second admin."""
        return self.state == ProposalState.WAITING

    @property
    def is_due(self) -> bool:
        """Whether its effective date has come."""
        return self.effective_at is None or self.effective_at <= timezone.now()
