"""What comes in from a conversation: a comment, a changed one, a reason for laying a red flag aside."""

from django import forms

from dashboard.web.fields import Sentences, Verbatim


class CommentForm(forms.Form):
    """A comment on an item, with the key of its form."""

    text = Sentences(
        label="Comment",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Enter a comment."},
    )
    key = Verbatim(max_length=64, widget=forms.HiddenInput)


class EditForm(forms.Form):
    """One's own comment, changed."""

    text = Sentences(
        label="Comment",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Comments are permanent: edit it, it cannot be emptied."},
    )


class DismissForm(forms.Form):
    """The red flag that is laid aside (by its key), and the reason."""

    flag = Verbatim(max_length=32)
    reason = Sentences(
        max_length=1000,
        error_messages={"required": "Enter what you checked: it is kept in the audit log."},
    )
