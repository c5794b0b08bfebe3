"""Addresses of the chart of accounts."""

from django.urls import path

from dashboard.pages.categories import views

urlpatterns = [
    path("", views.categories, name="categories"),
    path("new/", views.new_category, name="categories_new"),
    path("many/", views.many, name="categories_many"),
    path("move/", views.move, name="categories_move"),
    path("<remote:category_id>/", views.category, name="categories_item"),
    path("<remote:category_id>/edit/", views.edit_category, name="categories_edit"),
    path("<remote:category_id>/delete/", views.delete_category, name="categories_delete"),
    path("<remote:category_id>/uses/", views.category_uses, name="categories_uses"),
    path("<remote:category_id>/new/", views.new_subcategory, name="categories_new_sub"),
    path("<remote:category_id>/<remote:subcategory_id>/", views.subcategory, name="categories_sub"),
    path("<remote:category_id>/<remote:subcategory_id>/uses/", views.subcategory_uses, name="categories_uses_sub"),
    path(
        "<remote:category_id>/<remote:subcategory_id>/delete/", views.delete_subcategory, name="categories_delete_sub"
    ),
]
