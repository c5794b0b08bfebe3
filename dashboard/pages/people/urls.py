"""Addresses of the people and the teams."""

from django.urls import path

from dashboard.pages.people.views import departures, employment, funds, newcomers, people, profile, teams

urlpatterns = [
    path("", people.people, name="people"),
    path("totals/", people.totals, name="people_totals"),
    path("new/", people.new_person, name="people_new"),
    path("new/several/", newcomers.add_several, name="people_several"),
    path("newcomers/", newcomers.newcomers, name="newcomers"),
    path("newcomers/totals/", newcomers.totals, name="newcomers_totals"),
    path("teams/", teams.teams, name="teams"),
    path("teams/totals/", teams.totals, name="teams_totals"),
    path("teams/new/", teams.new_team, name="teams_new"),
    path("teams/<remote:remote_id>/", teams.team, name="teams_item"),
    path("teams/<remote:remote_id>/edit/", teams.edit_team, name="teams_edit"),
    path("teams/<remote:remote_id>/delete/", teams.delete_team, name="teams_delete"),
    path("teams/<remote:remote_id>/reviewers/", teams.add_reviewer, name="teams_add_reviewer"),
    path(
        "teams/<remote:remote_id>/reviewers/<remote:employee_id>/remove/",
        teams.remove_reviewer,
        name="teams_remove_reviewer",
    ),
    path("offboarding/<uuid:offboarding_id>/", departures.offboarding, name="people_offboarding"),
    path("offboarding/<uuid:offboarding_id>/progress/", departures.progress, name="people_offboarding_progress"),
    path("offboarding/<uuid:offboarding_id>/continue/", departures.go_on, name="people_offboarding_go_on"),
    path(
        "offboarding/<uuid:offboarding_id>/steps/<number:step_number>/",
        departures.change_successor,
        name="people_offboarding_successor",
    ),
    path("<remote:remote_id>/", people.person, name="people_item"),
    path("<remote:remote_id>/profile/", profile.edit_profile, name="people_profile"),
    path("<remote:remote_id>/team/", profile.move_to_team, name="people_team"),
    path("<remote:remote_id>/statement/", funds.statement, name="people_statement"),
    path("<remote:remote_id>/allocate/", funds.allocate, name="people_allocate"),
    path("<remote:remote_id>/remove-funds/", funds.remove, name="people_remove_funds"),
    path("<remote:remote_id>/suspend/", employment.suspend, name="people_suspend"),
    path("<remote:remote_id>/activate/", employment.activate, name="people_activate"),
    path("<remote:remote_id>/remove/", employment.remove, name="people_remove"),
    path("<remote:remote_id>/transfer/", employment.hand_over, name="people_hand_over"),
    path("<remote:remote_id>/offboard/", departures.offboard, name="people_offboard"),
]
