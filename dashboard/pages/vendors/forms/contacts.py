"""The form of somebody to speak to at a vendor."""

from dashboard.web.fields import LocaleForm, MailField, Name, PhoneField, TextLine


class ContactForm(LocaleForm):
    """Somebody to speak to; the phone in E.164 once it is cleaned."""

    name = Name(max_length=100)
    role = TextLine(max_length=60, required=False, help_text="Such as Accounts or Sales.")
    email = MailField(required=False)
    phone = PhoneField(required=False)

    def body(self) -> dict[str, str | None]:
        """What is sent, a `ContactBody`: None for what is empty."""
        return {name: self.cleaned_data[name] or None for name in ("name", "role", "email", "phone")}
