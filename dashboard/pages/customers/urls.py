"""Addresses of the customers."""

from django.urls import path

from dashboard.pages.customers import importing, views

urlpatterns = [
    path("", views.customers, name="customers"),
    path("totals/", views.totals, name="customers_totals"),
    path("new/", views.new_customer, name="customers_new"),
    path("new/walk-in/", views.new_walk_in, name="customers_walk_in"),
    path("new/twins/", views.twins, name="customers_twins"),
    path("import/", importing.import_customers, name="customers_import"),
    path("import/<uuid:import_id>/", importing.import_job, name="customers_import_job"),
    path("import/<uuid:import_id>/progress/", importing.import_progress, name="customers_import_progress"),
    path("import/<uuid:import_id>/begin/", importing.begin_import, name="customers_import_begin"),
    path("<remote:remote_id>/", views.customer, name="customers_item"),
    path("<remote:remote_id>/edit/", views.edit_customer, name="customers_edit"),
    path("<remote:remote_id>/delete/", views.delete_customer, name="customers_delete"),
    path("<remote:remote_id>/restore/", views.restore_customer, name="customers_restore"),
]
