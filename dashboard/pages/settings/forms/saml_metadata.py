"""The metadata of a SAML identity provider, as an admin pastes or uploads it."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from dashboard.single_sign_on.saml_metadata import MOST_METADATA_BYTES, MetadataRefused, ProviderMetadata, read_metadata
from dashboard.web.fields import TextBlock


class MetadataForm(forms.Form):
    """The metadata of a SAML provider, pasted or as a file: cleaned, what it says is `provider`."""

    metadata = TextBlock(
        label="Paste the metadata",
        required=False,
        max_length=MOST_METADATA_BYTES,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false", "autocapitalize": "none"}),
    )
    metadata_file = forms.FileField(
        label="Or a file",
        required=False,
        widget=forms.FileInput(attrs={"accept": ".xml,application/xml,text/xml,application/samlmetadata+xml"}),
    )

    def clean(self) -> dict[str, Any]:
        """What the metadata says; an error where there is none, or it sets nothing up."""
        data = self.cleaned_data
        upload: UploadedFile[Any] | None = data.get("metadata_file")
        content = (
            upload.read(MOST_METADATA_BYTES + 1) if upload is not None else str(data.get("metadata") or "").encode()
        )
        if not content.strip():
            if not self.errors:
                raise forms.ValidationError("Paste the provider's metadata, or choose its file.")
            return data
        try:
            data["provider"] = read_metadata(content)
        except MetadataRefused as refused:
            raise forms.ValidationError(str(refused)) from None
        return data

    @property
    def provider(self) -> ProviderMetadata:
        """What the metadata of a valid form says."""
        provider: ProviderMetadata = self.cleaned_data["provider"]
        return provider
