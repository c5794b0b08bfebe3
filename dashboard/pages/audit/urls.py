"""Addresses of the audit."""

from django.urls import path

from dashboard.pages.audit.views import log, packs

urlpatterns = [
    path("", log.audit, name="audit"),
    path("totals/", log.totals, name="audit_totals"),
    path("verify/", log.verify_chain, name="audit_verify"),
    path("evidence/<word:kind>/<remote:remote_id>/", log.evidence, name="audit_evidence"),
    path("packs/", packs.packs, name="audit_packs"),
    path("packs/key.pem", packs.signing_key, name="audit_signing_key"),
    path("packs/item/<word:kind>/<remote:remote_id>/", packs.new_item_pack, name="audit_new_item_pack"),
    path("packs/person/<remote:remote_id>/", packs.new_person_pack, name="audit_new_person_pack"),
    path("packs/<uuid:pack_id>/", packs.pack, name="audit_pack"),
    path("packs/<uuid:pack_id>/progress/", packs.pack_progress, name="audit_pack_progress"),
    path("packs/<uuid:pack_id>/pack.zip", packs.pack_archive, name="audit_pack_archive"),
    path("packs/<uuid:pack_id>/evidence.pdf", packs.pack_document, name="audit_pack_document"),
]
