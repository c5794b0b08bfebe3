"""Addresses of journal exports."""

from django.urls import path

from dashboard.pages.journal_exports.views import exports, files, mappings, open_lines

urlpatterns = [
    path("", exports.journal_exports, name="journal-exports"),
    path("pending/<remote:period>/", open_lines.pending_lines, name="journal-exports_pending"),
    path("pending/<remote:period>/corrections/", open_lines.corrections, name="journal-exports_corrections"),
    path("new/", exports.new_export, name="journal-exports_new"),
    path("mapping/<word:source>/", mappings.edit_mapping, name="journal-exports_mapping"),
    path("mapping/<word:source>/paste/", mappings.paste_mapping, name="journal-exports_paste"),
    path("<uuid:export_id>/", exports.journal_export, name="journal-exports_item"),
    path("<uuid:export_id>/progress/", exports.progress, name="journal-exports_progress"),
    path("<uuid:export_id>/continue/", exports.continue_export, name="journal-exports_continue"),
    path("<uuid:export_id>/undo/", exports.propose_undo, name="journal-exports_undo"),
    path("<uuid:export_id>/files/<number:file_id>/", files.download_file, name="journal-exports_file"),
    path("<uuid:export_id>/manifest/", files.download_manifest, name="journal-exports_manifest"),
    path("<uuid:export_id>/signature/", files.download_signature, name="journal-exports_signature"),
    path("<uuid:export_id>/key/", files.download_key, name="journal-exports_key"),
]
