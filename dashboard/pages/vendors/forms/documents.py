"""The forms of the documents of a vendor: files with what they are, and how a page is drawn."""

from django import forms

from dashboard.commands.vendor_records import DocumentFields
from dashboard.documents.limits import READABLE, WIDTHS
from dashboard.web.fields import DayField, Name
from dashboard.web.upload_fields import DOCUMENTS_ACCEPTED, SeveralFilesField

DOCUMENT_KINDS = (
    ("TAX_FORM", "Tax form"),
    ("CERTIFICATE", "Certificate"),
    ("CONTRACT", "Contract"),
    ("OTHER", "Other document"),
)
FORMATS = "PDF, PNG, JPEG, XLS, XLSX, DOCX or CSV, 10 MB at most each."


class DocumentForm(forms.Form):
    """Documents of a vendor, and what they are."""

    kind = forms.ChoiceField(label="Kind", choices=DOCUMENT_KINDS)
    title = Name(max_length=100, required=False, label="Title", help_text="Empty: the name of the file.")
    ends_on = DayField(required=False, label="End date", help_text="You are reminded 30 and 7 days before.")
    documents = SeveralFilesField(accept=DOCUMENTS_ACCEPTED, label="Files", help_text=FORMATS)

    def fields_of_document(self) -> DocumentFields:
        """What is sent beside the files."""
        data = self.cleaned_data
        ends = data["ends_on"].isoformat() if data["ends_on"] else ""
        return {"kind": data["kind"], "title": data["title"], "ends_on": ends}


class VendorPictureForm(forms.Form):
    """How a page is drawn: one of the three widths in pixels, and quarters to the right."""

    width = forms.ChoiceField(choices=[(str(width), width) for width in WIDTHS], required=False)
    turns = forms.ChoiceField(choices=[(str(turns), turns) for turns in range(4)], required=False)

    def clean_width(self) -> int:
        """The width in pixels."""
        return int(self.cleaned_data["width"] or READABLE)

    def clean_turns(self) -> int:
        """How many quarters to the right."""
        return int(self.cleaned_data["turns"] or 0)
