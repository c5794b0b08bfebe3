"""Addresses of the customers."""

from django.urls import path

from dashboard.pages.customers.views import customers, imports

urlpatterns = [
    path("", customers.customers, name="customers"),
    path("totals/", customers.totals, name="customers_totals"),
    path("new/", customers.new_customer, name="customers_new"),
    path("new/walk-in/", customers.new_walk_in, name="customers_walk_in"),
    path("new/twins/", customers.duplicates, name="customers_twins"),
    path("import/", imports.import_customers, name="customers_import"),
    path("import/<uuid:import_id>/", imports.import_job, name="customers_import_job"),
    path("import/<uuid:import_id>/progress/", imports.import_progress, name="customers_import_progress"),
    path("import/<uuid:import_id>/begin/", imports.begin_import, name="customers_import_begin"),
    path("<remote:remote_id>/", customers.customer, name="customers_item"),
    path("<remote:remote_id>/edit/", customers.edit_customer, name="customers_edit"),
    path("<remote:remote_id>/delete/", customers.delete_customer, name="customers_delete"),
    path("<remote:remote_id>/restore/", customers.restore_customer, name="customers_restore"),
]
