"""Addresses of what every list offers: its saved views, exports, and bulk actions, with their history."""

from django.urls import path

from dashboard.pages.lists.views import bulk, exports, saved_views

PREFIX = ""
urlpatterns = [
    path("lists/<word:list_name>/views/", saved_views.save_view, name="list_save"),
    path("lists/<word:list_name>/views/<number:view_id>/open-with/", saved_views.open_with_view, name="list_open_with"),
    path("lists/<word:list_name>/views/<number:view_id>/remove/", saved_views.remove_view, name="list_forget"),
    path("lists/<word:list_name>/export/", exports.export_list, name="list_export"),
    path("lists/<word:list_name>/plan/", bulk.plan_bulk, name="list_plan"),
    path("bulk/", bulk.bulk_history, name="bulk"),
    path("bulk/<uuid:batch_id>/", bulk.bulk_item, name="bulk_item"),
    path("bulk/<uuid:batch_id>/progress/", bulk.bulk_progress, name="bulk_progress"),
    path("bulk/<uuid:batch_id>/begin/", bulk.begin_bulk, name="bulk_begin"),
    path("bulk/<uuid:batch_id>/stop/", bulk.stop_bulk, name="bulk_stop"),
    path("bulk/<uuid:batch_id>/retry/", bulk.retry_bulk, name="bulk_retry"),
    path("bulk/<uuid:batch_id>/undo/", bulk.undo_bulk, name="bulk_undo"),
    path("exports/", exports.export_history, name="exports"),
    path("exports/reports/<word:report_name>/", exports.export_report, name="report_export"),
    path("exports/rows/", exports.export_rows, name="exports_rows"),
    path("exports/<uuid:export_id>/file/", exports.export_file, name="exports_file"),
    path("exports/<uuid:export_id>/cancel/", exports.cancel_export, name="exports_cancel"),
    path("exports/<uuid:export_id>/again/", exports.export_again, name="exports_again"),
]
