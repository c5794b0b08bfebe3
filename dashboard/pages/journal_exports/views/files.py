"""What is downloaded: the files of an export, and its manifest with signature and key."""

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.commands.journal_exports import export_subject
from dashboard.errors import NotFound
from dashboard.journal_exports.models import JournalExport
from dashboard.journal_files.writer import export_title
from dashboard.pages.journal_exports import services
from dashboard.pages.journal_exports.selectors.exports import export_of, journal_export_file
from dashboard.signing.signature import signing_key_of
from dashboard.web.files import saved_file


@require_GET
@needs(operations_accounting.READ_JOURNAL_EXPORT)
def download_file(request: ActorRequest, business: str, export_id: UUID, file_id: int) -> HttpResponse:
    """A file of an export as it was written."""
    row = export_of(request.actor, export_id)
    file = journal_export_file(row, file_id)
    subject = export_subject(request.actor, str(row.pk), export_title(row))
    record(
        request.actor,
        operations_accounting.READ_JOURNAL_EXPORT,
        subject,
        Outcome.DONE,
        sentence=f"downloaded {file.name}",
    )
    return saved_file(services.content_of(file), file.name)


@require_GET
@needs(operations_accounting.READ_JOURNAL_EXPORT)
def download_manifest(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """The manifest as it is signed."""
    row = _written(request, export_id)
    return saved_file(row.manifest.encode(), f"manifest-{row.number}.json")


@require_GET
@needs(operations_accounting.READ_JOURNAL_EXPORT)
def download_signature(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """The signature of the manifest: 64 bytes."""
    row = _written(request, export_id)
    return saved_file(bytes(row.signature), f"manifest-{row.number}.sig")


@require_GET
@needs(operations_accounting.READ_JOURNAL_EXPORT)
def download_key(request: ActorRequest, business: str, export_id: UUID) -> HttpResponse:
    """The public key that the signature is checked with."""
    row = _written(request, export_id)
    return saved_file(signing_key_of(row.business).public_key.encode(), f"journal-exports-{row.business.slug}.pem")


def _written(request: ActorRequest, export_id: UUID) -> JournalExport:
    row = export_of(request.actor, export_id)
    if not row.manifest:
        raise NotFound
    return row
