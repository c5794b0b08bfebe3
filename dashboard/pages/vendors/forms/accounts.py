"""The forms of an account to pay a vendor on: what it is or becomes, the call-back about it, and why it is rejected."""

import re
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.validators import RegexValidator
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.payee_accounts import KENYAN_BANKS, NO_BIC, PHONES, SWIFT, account_problem, is_bic
from dashboard.phones import PhoneError, e164, same_number
from dashboard.schemas.vendors import AccountConfirmation, CallBackFields, InstructionBody
from dashboard.web.fields import (
    LocaleForm,
    MomentField,
    Name,
    PhoneField,
    Reason,
    Sentences,
    TextLine,
    Verbatim,
    set_choices,
)

ACCOUNT = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9\-]{2,33}\Z", "An account has 3 to 34 letters, digits and dashes.")
BANK = RegexValidator(r"^[A-Za-z0-9]{0,11}\Z", "A code has at most 11 letters and digits.")
BRANCH = RegexValidator(r"^[A-Za-z0-9\-]{0,11}\Z", "A code has at most 11 letters and digits.")
REFERENCE = RegexValidator(r"^[A-Za-z0-9 ./\-]{0,40}\Z", "A reference has letters, digits, spaces, dots, dashes.")
# A bank that is not on the list of the service is typed; SWIFT takes any bank of the world.
OTHER_BANK = "other"
KENYA = "en_KE"
# The clock of whoever called may be so much behind the finance service's, which compares as the form does.
CLOCKS_APART = timedelta(minutes=2)


class AccountNumber(TextLine):
    """A number of an account however it is written: the spaces between its digits say nothing."""

    def to_python(self, value: Any) -> str:
        """The number without spaces."""
        return super().to_python(value).replace(" ", "").replace("\xa0", "")


class AccountForm(forms.Form):
    """An account to pay a vendor on; with the id of one in use, what that becomes."""

    channel = forms.ChoiceField(label="Paid by")
    account = AccountNumber(
        max_length=34, label="Account", validators=[ACCOUNT], help_text="Phone, till, paybill, IBAN or account number."
    )
    account_name = Name(max_length=100, required=False, label="Account name", help_text="Empty: the vendor's name.")
    bank_code = forms.ChoiceField(required=False, label="Bank")
    other_bank = TextLine(
        max_length=11,
        required=False,
        label="Bank code",
        validators=[BANK],
        help_text="BIC, where the bank is not on the list.",
    )
    branch_code = AccountNumber(
        max_length=11, required=False, label="Branch code", validators=[BRANCH],
        help_text="In Kenya the 3 digits of the branch, or all 5 with the bank's before them.",
    )  # fmt: skip
    account_reference = TextLine(
        max_length=40, required=False, label="Reference", validators=[REFERENCE], help_text="What a paybill asks for."
    )
    proposal_reason = Reason(
        label="Reason", widget=forms.TextInput,
        help_text="Who asked for it and how, such as a letter of 3 May. The second person is shown it.",
        error_messages={"required": "Enter a reason: the second person needs to know why."},
    )  # fmt: skip
    is_default = forms.BooleanField(required=False, label="Pay to this account by default")
    instruction_id = Verbatim(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *given: Any, channels: list[tuple[str, str]], banks: list[tuple[str, str]], **more: Any) -> None:
        super().__init__(*given, **more)
        self.banks = dict(banks)
        set_choices(self, "channel", [("", "Choose…"), *channels])
        set_choices(self, "bank_code", [("", "–"), *banks, (OTHER_BANK, "Another bank")])

    def clean(self) -> dict[str, Any]:
        """Checks the number by its channel; a phone number becomes E.164, an IBAN capital letters."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        channel, account = data.get("channel", ""), data.get("account", "")
        if not channel or not account:
            return data
        if channel in PHONES:
            with suppress(PhoneError):
                account = e164(account, KENYA)
        if channel == SWIFT:
            account = account.upper()
        if problem := account_problem(channel, account, self._bank()):
            self.add_error("account", problem)
        if channel == "MPESA_PAYBILL" and not data.get("account_reference"):
            self.add_error("account_reference", "A paybill asks for a reference, such as the account number there.")
        if channel in (*KENYAN_BANKS, SWIFT):
            self._check_bank(channel)
        return {**data, "account": account}

    def _check_bank(self, channel: str) -> None:
        bank, branch = self._bank(), self.cleaned_data.get("branch_code", "")
        # What was typed stands in the field for it; beside the list stands that nothing was chosen.
        field = "other_bank" if self.cleaned_data.get("bank_code") == OTHER_BANK else "bank_code"
        if "other_bank" not in self.errors and "bank_code" not in self.errors:
            if not bank:
                self.add_error(field, "Choose the bank, or enter its code.")
            elif channel == SWIFT and not is_bic(bank):
                self.add_error("other_bank", NO_BIC)
        if channel in KENYAN_BANKS:
            if bank and self.banks and bank not in self.banks and field not in self.errors:
                self.add_error(field, "This code is not on the finance service's list of banks. Choose the bank there.")
            self._check_branch(bank, branch.replace("-", ""))

    def _check_branch(self, bank: str, branch: str) -> None:
        """A branch of a Kenyan bank: 3 digits, which the code of its bank may stand before. Which branches there are the
        service publishes nowhere."""
        if re.fullmatch(r"[0-9]{5}", branch):
            named = branch[:2]
            if bank in self.banks and named != bank:
                whose = f"{named}, {self.banks[named]}" if named in self.banks else f"{named}, which is no bank's"
                self.add_error("branch_code", f"It begins with {whose}: the chosen bank is {bank}, {self.banks[bank]}.")
            branch = branch[2:]
        elif branch and not re.fullmatch(r"[0-9]{3}", branch):
            self.add_error("branch_code", "A Kenyan branch code has 3 digits, or 5 with the bank's before them.")
        self.cleaned_data["branch_code"] = branch

    def _bank(self) -> str:
        chosen = str(self.cleaned_data.get("bank_code", ""))
        return str(self.cleaned_data.get("other_bank", "")).upper() if chosen in {"", OTHER_BANK} else chosen

    def body(self) -> InstructionBody:
        """What is sent of an account: where it is paid, in whose name, and why it is proposed."""
        data, bank = self.cleaned_data, self._bank()
        body: InstructionBody = {
            "channel": data["channel"],
            "account": data["account"],
            "bank_code": bank,
            "branch_code": data["branch_code"],
            "account_name": data["account_name"] or None,
            "account_reference": data["account_reference"],
            "is_default": data["is_default"],
            "proposal_reason": data["proposal_reason"],
        }
        if data["instruction_id"]:
            body["instruction_id"] = data["instruction_id"]
        return body


class CallBackForm(LocaleForm):
    """What a second person found out who called back before confirming an account."""

    number = PhoneField(
        label="Number called", help_text="The number on record, never one from the message that asked for the change."
    )
    spoke_to = Name(max_length=100, label="Spoke to")
    called_at = MomentField(label="Called at", help_text="In the business's time zone.")
    note = Sentences(max_length=200, required=False, label="Note", widget=forms.TextInput)

    def __init__(
        self, *args: Any, business: Business, on_record: str = "", proposed_at: datetime | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, locale=business.locale, **kwargs)
        self.zone = ZoneInfo(business.time_zone)
        # The number that the record had before the account was proposed; "" where it had none.
        self.on_record = on_record
        # Since when the account waits for a second person; None of one that is in use already.
        self.proposed_at = proposed_at

    def clean(self) -> dict[str, Any]:
        """The fields; an error where another number than that on record was called and nobody says where it is from."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("number") and not self._is_on_record() and not data.get("note"):
            which = f"the number on record, {self.on_record}" if self.on_record else "on record: there is none"
            self.add_error("note", f"The number called is not {which}. Enter where it is from.")
        return data

    def clean_called_at(self) -> datetime:
        """The moment of the call, on the clock of the business; ValidationError for one that is still to come, or from before the
        account was proposed."""
        at: datetime = self.cleaned_data["called_at"].replace(tzinfo=self.zone)
        if at > timezone.now():
            raise forms.ValidationError("This moment is still to come.")
        # Entered to the minute: the account may have been proposed in the minute of the call.
        if self.proposed_at and at < self.proposed_at.replace(second=0, microsecond=0) - CLOCKS_APART:
            raise forms.ValidationError("The call was before the account was proposed.")
        return at

    def _is_on_record(self) -> bool:
        return bool(self.on_record) and self.on_record in same_number(self.cleaned_data["number"], self.locale)

    def confirmation(self) -> AccountConfirmation:
        """The call-back as it is sent."""
        data = self.cleaned_data
        call_back: CallBackFields = {
            "number": data["number"], "spoke_to": data["spoke_to"], "called_at": data["called_at"],
        }  # fmt: skip
        return {"reason": self.findings(), "call_back": call_back}

    def findings(self) -> str:
        """The call-back in a sentence, for the service's record and the audit: the whole number, and whether it was that on
        record, so that anybody can check it later."""
        data = self.cleaned_data
        at: datetime = data["called_at"]
        note = f" {data['note']}" if data["note"] else ""
        which = "the number on record" if self._is_on_record() else "not the number on record"
        return f"Called back {data['number']}, {which}, at {at:%Y-%m-%d %H:%M}, spoke to {data['spoke_to']}.{note}"


class RejectAccountForm(forms.Form):
    """Why an account is rejected."""

    reason = Reason(label="Reason", widget=forms.TextInput)
