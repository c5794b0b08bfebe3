"""What people say to each other about an item, and the red flags they have dismissed; both are kept for good."""

import uuid

from django.db import models
from django.utils import timezone

from dashboard.access.roles import Role


class Comment(models.Model):
    """Something said about an item, by whom and in which role at the time.

    `kind` and `remote_id` name the item as the gate does (access/subject.py). `mentions` are the memberships that were
    named in it, `former` what it said before it was edited: [{"text", "at"}]. `key` was born with the form.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="comments")
    author_name = models.CharField(max_length=254)
    author_role = models.CharField(max_length=12)
    kind = models.CharField(max_length=40)
    remote_id = models.CharField(max_length=64)
    text = models.TextField()
    mentions = models.JSONField(default=list)
    former = models.JSONField(default=list)
    key = models.CharField(max_length=64)
    written_at = models.DateTimeField(default=timezone.now)
    edited_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["business", "key"], name="one_comment_per_form")]
        indexes = [models.Index(fields=["business", "kind", "remote_id", "written_at"], name="comments_of_item")]

    def __str__(self) -> str:
        return f"{self.author_name} on {self.kind} {self.remote_id}"


class Dismissal(models.Model):
    """A red flag that somebody has looked into and laid aside, with the reason.

    `flag` is made of the flag's words with the number in them: when the number changes it is another flag, and red.
    """

    business = models.ForeignKey("access.Business", on_delete=models.CASCADE, related_name="+")
    membership = models.ForeignKey("access.Membership", on_delete=models.CASCADE, related_name="+")
    by_name = models.CharField(max_length=254)
    by_role = models.CharField(max_length=12)
    kind = models.CharField(max_length=40)
    remote_id = models.CharField(max_length=64)
    flag = models.CharField(max_length=32)
    words = models.CharField(max_length=500)
    reason = models.TextField()
    dismissed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "kind", "remote_id", "flag"], name="one_dismissal_per_flag")
        ]

    def __str__(self) -> str:
        return f"{self.words}: dismissed by {self.by_name}"

    def get_role_display(self) -> str:
        """The role at the time, in words."""
        return Role(self.by_role).label.lower() if self.by_role in Role.values else ""
