"""Addresses of SCIM, under /-/scim/v2/ and without a last slash, as RFC 7644 spells them."""

from django.urls import path

from dashboard.scim import views

urlpatterns = [
    path("ServiceProviderConfig", views.config, name="scim_config"),
    path("ResourceTypes", views.types, name="scim_types"),
    path("ResourceTypes/<remote:name>", views.types, name="scim_type"),
    path("Schemas", views.schema_list, name="scim_schemas"),
    path("Schemas/<remote:name>", views.schema_list, name="scim_schema"),
    path("Users", views.users, name="scim_users"),
    path("Users/<remote:resource_id>", views.user, name="scim_user"),
    path("Groups", views.groups, name="scim_groups"),
    path("Groups/<remote:resource_id>", views.group, name="scim_group"),
]
