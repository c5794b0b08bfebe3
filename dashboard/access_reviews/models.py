"""A quarter's review and its rows: facts as they were when it was opened, and what was decided on each person.

Once it is signed the database refuses every change of it (signed.sql).
"""

from django.db import models
from django.utils import timezone

from dashboard.access.models import Business, Membership
from dashboard.access_reviews.quarters import Quarter

# What a revocation does and what it leaves: said where one is made, on the row, and in the signed files.
REVOKES = (
    "Revoking ends the access to this dashboard. It changes nothing at the finance service: a role, wallet policies, mandates "
    "and fund accounts there stand until somebody is offboarded under People."
)


class AccessReview(models.Model):
    """A review of one quarter. `mandates_as_of` says how old the mandates were that its rows were written from.

    Signed, it holds who signed in which role, its content (content.py) with the SHA-256 of it, and the id of the audit's line that
    holds the same; `joined` are the names of those who got access after it was opened, whom it says nothing of.
    """

    business = models.ForeignKey(Business, on_delete=models.CASCADE, related_name="+", db_index=False)
    year = models.PositiveSmallIntegerField()
    quarter = models.PositiveSmallIntegerField()
    opened_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    opened_name = models.CharField(max_length=254)
    opened_at = models.DateTimeField(default=timezone.now)
    mandates_as_of = models.CharField(max_length=60, blank=True)
    joined = models.JSONField(default=list)
    signed_by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    signed_name = models.CharField(max_length=254, blank=True)
    signed_role = models.CharField(max_length=12, blank=True)
    signed_at = models.DateTimeField(null=True)
    content = models.TextField(blank=True)
    content_sha256 = models.CharField(max_length=64, blank=True)
    audit_entry_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "year", "quarter"], name="one_access_review_per_quarter")
        ]

    def __str__(self) -> str:
        return f"Access review {self.period}"

    @property
    def period(self) -> Quarter:
        """The quarter that it is of."""
        return Quarter(self.year, self.quarter)

    @property
    def is_open(self) -> bool:
        """Whether it is not signed yet."""
        return self.signed_at is None


class ReviewDecision(models.TextChoices):
    """What was decided on a person."""

    KEEP = "KEEP", "Keep"
    REVOKE = "REVOKE", "Revoke"


class ReviewedPerson(models.Model):
    """One person of a review: the facts as they were when it was opened, and the verdict ("" before there is one).

    `service_role` is the role that the finance service says they have, "" where it says none; `money` says in sentences
    what lets them move money, and how much; `unused` why their access looks unused ([]: it does not). An employee who can move
    money at the service and has no access to this dashboard has no membership, no role here and no `joined_at`.
    """

    review = models.ForeignKey(AccessReview, on_delete=models.CASCADE, related_name="people")
    membership = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=254)
    email = models.CharField(max_length=254)
    employee_id = models.CharField(max_length=64, blank=True)
    role = models.CharField(max_length=12, blank=True)
    service_role = models.CharField(max_length=12, blank=True)
    is_suspended = models.BooleanField(default=False)
    money = models.JSONField(default=list)
    joined_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    decided_last_at = models.DateTimeField(null=True)
    unused = models.JSONField(default=list)
    verdict = models.CharField(max_length=6, choices=ReviewDecision.choices, blank=True)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    decided_name = models.CharField(max_length=254, blank=True)
    decided_role = models.CharField(max_length=12, blank=True)
    decided_at = models.DateTimeField(null=True)
    proposal_id = models.BigIntegerField(null=True)
    # When their access had ended, whoever ended it; written when the review is signed.
    ended_at = models.DateTimeField(null=True)
    # Of somebody without a membership: whether the finance service had suspended or removed them; written then, too.
    is_stopped = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["review", "membership"], name="one_row_per_person_and_review"),
            models.UniqueConstraint(
                fields=["review", "employee_id"],
                condition=models.Q(membership=None),
                name="one_row_per_employee_outside",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict or 'not decided'}"
