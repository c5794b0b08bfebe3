"""Addresses of documents: each one, and each of its pages as a picture."""

from django.urls import path

from dashboard.pages.documents import views

urlpatterns = [
    path("expense/<remote:remote_id>/<remote:receipt_id>/", views.receipt, name="documents_receipt"),
    path(
        "expense/<remote:remote_id>/<remote:receipt_id>/page/<number:page_number>/",
        views.receipt_page,
        name="documents_receipt_page",
    ),
    path("payment/<remote:remote_id>/<remote:file_id>/", views.bill_file, name="documents_payment"),
    path(
        "payment/<remote:remote_id>/<remote:file_id>/page/<number:page_number>/",
        views.bill_file_page,
        name="documents_payment_page",
    ),
]
