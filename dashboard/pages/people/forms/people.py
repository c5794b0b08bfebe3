"""The forms of the people and the teams: a new person, a profile, a team, money to allocate, and a handover."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, TypedDict

from django import forms
from django.core.validators import RegexValidator

from dashboard.access.roles import Role
from dashboard.access.second_admin import ROLES_NEED_TWO
from dashboard.inputs import Choices, InputError, typed_minor
from dashboard.mirror.models import Wallet
from dashboard.schemas.employees import Employee, HandoverBody, NewPersonBody, ProfileBody
from dashboard.schemas.teams import TeamFields
from dashboard.web.fields import LocaleForm, MailField, Name, PhoneField, TextBlock, TextLine, set_choices
from dashboard.web.forms import amount_field
from dashboard.web.person_field import PersonChoices, PersonField

CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9_\-]{0,39}\Z", "A code has letters, digits, dashes and underscores.")
STATUSES = (("ACTIVE", "Active"), ("INACTIVE", "Inactive"))
ENDS = (("SUSPEND", "Suspend it: cards decline, everything else stays"), ("DELETE", "Remove it for good"))


class FundsBody(TypedDict):
    """The body of ALLOCATE_FUNDS and REMOVE_FUNDS without its employee: the amount in units of the currency."""

    amount: Decimal
    currency: str
    org_wallet_ref: str
    note: str | None


class Contact(LocaleForm):
    """Name, email and phone of somebody at the service."""

    name = Name(max_length=100)
    email = MailField(label="Email")
    phone = PhoneField()


class NewPersonForm(Contact):
    """Somebody new: with the role and the team that they get, and whether they are invited to this dashboard, too."""

    role = forms.ChoiceField()
    team = forms.ChoiceField()
    card_limit = amount_field(
        required=False, label="Card with a monthly limit",
        help_text="A virtual card that spends what is allocated to them. Empty: no card.",
    )  # fmt: skip
    wallet = forms.ChoiceField(required=False, label="Wallet of the card")
    invite = forms.BooleanField(
        required=False, label="Invite to this dashboard", help_text="They get a link by email, with the same role here."
    )

    def __init__(
        self, *args: Any, roles: Choices, teams: Choices, may_invite: bool, needs_two: bool,
        wallets: Sequence[Wallet] = (), wallet_labels: Choices | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        self.wallets = {wallet.org_wallet_ref: wallet for wallet in wallets}
        if wallets:
            set_choices(self, "wallet", wallet_labels or [])
        else:
            del self.fields["card_limit"], self.fields["wallet"]
        self.fields["role"] = forms.ChoiceField(choices=roles, help_text=ROLES_NEED_TWO if needs_two else "")
        self.fields["team"] = forms.ChoiceField(choices=[("", "Choose…"), *teams])
        if not may_invite:
            del self.fields["invite"]

    def clean(self) -> dict[str, Any]:
        """A card's limit with no more digits than the wallet's currency has, above nothing."""
        data = self.cleaned_data
        limit, wallet = data.get("card_limit"), self.wallets.get(data.get("wallet", ""))
        if limit is not None and wallet is not None:
            try:
                data["limit_minor"] = typed_minor(limit, wallet.currency)
            except InputError as wrong:
                self.add_error("card_limit", str(wrong))
        return data

    def card(self) -> tuple[Wallet, int] | None:
        """The wallet of the card and its monthly limit in minor units; None where they get none."""
        minor: int | None = self.cleaned_data.get("limit_minor")
        return None if minor is None else (self.wallets[self.cleaned_data["wallet"]], minor)

    def body(self) -> NewPersonBody:
        """What is sent of a new employee, by the interface's names."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "organization_email": data["email"],
            "phone_number": data["phone"],
            "role": data["role"],
            "team_code": data["team"],
        }


class ProfileForm(Contact):
    """A profile: of one's own name and phone, whoever else's as an admin with email and supervisor."""

    supervisor = PersonField(required=False)

    def __init__(self, *args: Any, of: Employee, supervisors: PersonChoices | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        phone = self.fields["phone"]
        assert isinstance(phone, PhoneField)
        phone.stored_number = of.phone
        if supervisors is None:
            del self.fields["email"], self.fields["supervisor"]
        else:
            supervisor = self.fields["supervisor"]
            assert isinstance(supervisor, PersonField)
            supervisor.offer(supervisors, "Nobody")

    @staticmethod
    def initial_of(of: Employee) -> dict[str, str]:
        """The initial values by field, as the copy has them."""
        return {"name": of.name, "email": of.email, "phone": of.phone, "supervisor": of.supervisor_id}

    def body(self) -> ProfileBody:
        """What is sent: name and phone, and address and supervisor where the form has them."""
        data = self.cleaned_data
        body: ProfileBody = {"name": data["name"], "phone_number": data["phone"]}
        if "supervisor" in data:
            body |= {"organization_email": data["email"], "supervisor_id": data["supervisor"] or None}
        return body


class TeamMoveForm(forms.Form):
    """The team that an employee moves to."""

    team = forms.ChoiceField()

    def __init__(self, *args: Any, teams: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team"] = forms.ChoiceField(choices=teams)


class FundsForm(LocaleForm):
    """An amount between a wallet of the business and an employee's; each form of a page has a `prefix` of its own."""

    amount = amount_field()
    wallet = forms.ChoiceField()
    note = Name(max_length=100, required=False)

    def __init__(self, *args: Any, wallets: list[Wallet], labels: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wallets = {wallet.org_wallet_ref: wallet for wallet in wallets}
        self.fields["wallet"] = forms.ChoiceField(choices=labels)

    def clean(self) -> dict[str, Any]:
        """An amount with no more digits than the wallet's currency has."""
        data = self.cleaned_data
        wallet = self.wallets.get(data.get("wallet", ""))
        if wallet is not None and data.get("amount") is not None:
            try:
                typed_minor(data["amount"], wallet.currency)
            except InputError as wrong:
                self.add_error("amount", str(wrong))
        return data

    def body(self) -> FundsBody:
        """What is sent: the amount, its currency, the wallet of the business, and the note or null."""
        data = self.cleaned_data
        return {
            "amount": data["amount"],
            "currency": self.wallets[data["wallet"]].currency,
            "org_wallet_ref": data["wallet"],
            "note": data["note"] or None,
        }


class HandOverForm(Contact):
    """Who takes the place of somebody who leaves, with which role, and what becomes of the account that ends."""

    role = forms.ChoiceField()
    existing = forms.ChoiceField(choices=ENDS, label="The account that ends")

    def __init__(self, *args: Any, roles: Choices, needs_two: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = forms.ChoiceField(choices=roles, help_text=ROLES_NEED_TWO if needs_two else "")

    def body(self) -> HandoverBody:
        """What is sent of whoever takes the account over, by the interface's names."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "organization_email": data["email"],
            "phone_number": data["phone"],
            "role": data["role"],
            "existing": data["existing"],
        }


class TeamForm(forms.Form):
    """A team: only its name must be there."""

    name = Name(max_length=100)
    code = TextLine(max_length=40, required=False, validators=[CODE], help_text="Empty: made of the name.")
    status = forms.ChoiceField(choices=STATUSES)
    description = TextBlock(max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, exists: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.exists = exists
        if exists:
            self.fields["code"].required, self.fields["code"].help_text = True, ""

    def body(self) -> TeamFields:
        """What is sent: the code only where it was typed, and the description where it was or can be emptied."""
        data = self.cleaned_data
        body: TeamFields = {"name": data["name"], "status": data["status"]}
        if data["code"]:
            body["code"] = data["code"].upper()
        if data["description"] or self.exists:
            body["description"] = data["description"]
        return body


class ReviewerForm(forms.Form):
    """Somebody who shall review a team."""

    reviewer = PersonField()
    read_only = forms.BooleanField(
        required=False, label="Read-only", help_text="Sees the team's items, decides on none."
    )

    def __init__(self, *args: Any, people: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reviewer = self.fields["reviewer"]
        assert isinstance(reviewer, PersonField)
        reviewer.offer(people, "Choose…")


def role_choices(roles: Iterable[Role]) -> Choices:
    """The roles as the choices of a form: code and name."""
    return [(role.value, str(role.label)) for role in roles]
