"""Addresses of the audit."""

from django.urls import path

from dashboard.pages.audit import views

urlpatterns = [
    path("", views.audit, name="audit"),
    path("totals/", views.totals, name="audit_totals"),
    path("verify/", views.verify_chain, name="audit_verify"),
    path("evidence/<word:kind>/<remote:remote_id>/", views.evidence, name="audit_evidence"),
]
