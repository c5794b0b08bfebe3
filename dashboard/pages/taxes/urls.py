"""Addresses of withholding taxes."""

from django.urls import path

from dashboard.pages.taxes import views

urlpatterns = [
    path("", views.taxes, name="taxes"),
    path("new/", views.new_tax, name="taxes_new"),
    path("deductions/", views.deductions, name="taxes_deductions"),
    path("remit/", views.remit, name="taxes_remit"),
    path("report/", views.report, name="taxes_report"),
    path("report/file/", views.report_file, name="taxes_report_file"),
    path("certificates/<remote:vendor_id>/", views.certificates, name="taxes_certificates"),
    path("<remote:tax_id>/", views.tax, name="taxes_item"),
    path("<remote:tax_id>/rename/", views.rename_tax, name="taxes_rename"),
    path("<remote:tax_id>/terms/", views.new_terms, name="taxes_terms"),
    path("<remote:tax_id>/archive/", views.archive_tax, name="taxes_archive"),
]
