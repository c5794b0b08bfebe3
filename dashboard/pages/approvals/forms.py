"""What comes in with a decision: a reason, and the hidden facts of what was seen."""

from django import forms

from dashboard.web.fields import Sentences, Verbatim


class DecisionReasonForm(forms.Form):
    """The reason of a rejection, or what details are missing: the person it concerns will read it."""

    reason = Sentences(
        max_length=2000,
        error_messages={"required": "Enter a reason: the requester will read it."},
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class OverrideReasonForm(forms.Form):
    """Why an item is approved that a policy blocks: the audit keeps it."""

    reason = Sentences(max_length=2000, error_messages={"required": "Enter a reason: overriding a policy needs one."})


class OptionalReasonForm(forms.Form):
    """The reason of an approval, which needs none."""

    reason = Sentences(max_length=2000, required=False)


class DecisionForm(forms.Form):
    """What travels with every decision: the form's own key, and the fingerprint of what was seen."""

    key = Verbatim(max_length=64)
    fingerprint = Verbatim(max_length=12_000)
    step = Verbatim(max_length=10, required=False)
    override = forms.BooleanField(required=False)


class CheckedSampleForm(forms.Form):
    """What the second look at a drawn approval has found: the audit keeps it."""

    found = forms.ChoiceField(
        label="Result",
        choices=[("in_order", "In order"), ("problem", "Problem found")],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a result.", "invalid_choice": "Choose a result."},
    )
    note = Sentences(
        label="What did you find?",
        max_length=2000,
        error_messages={"required": "Enter what you found: the audit keeps it."},
        widget=forms.Textarea(attrs={"rows": 2}),
    )
