"""Addresses of what every list offers: its saved views, and exports with their history."""

from django.urls import path

from dashboard.pages.lists import exports, views

urlpatterns = [
    path("lists/<str:list_name>/views/", views.save_view, name="list_save"),
    path("lists/<str:list_name>/views/<int:view_id>/open-with/", views.open_with_view, name="list_open_with"),
    path("lists/<str:list_name>/views/<int:view_id>/remove/", views.forget_view, name="list_forget"),
    path("lists/<str:list_name>/export/", exports.export_list, name="list_export"),
    path("exports/", exports.history, name="exports"),
    path("exports/rows/", exports.rows, name="exports_rows"),
    path("exports/<uuid:export_id>/file/", exports.file, name="exports_file"),
    path("exports/<uuid:export_id>/cancel/", exports.cancel_export, name="exports_cancel"),
    path("exports/<uuid:export_id>/again/", exports.export_again, name="exports_again"),
]
