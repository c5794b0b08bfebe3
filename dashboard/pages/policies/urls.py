"""Addresses of spend policies and of approval workflows."""

from django.urls import path

from dashboard.pages.policies.views import changes, policies, replays, simulator, workflows

urlpatterns = [
    path("", policies.policies, name="policies"),
    path("all/", policies.all_policies, name="policies_all"),
    path("all/totals/", policies.all_policies_totals, name="policies_all_totals"),
    path("groups/<remote:group_id>/", policies.group, name="policies_group"),
    path("categories/", policies.categories, name="policies_categories"),
    path("categories/set/<word:type_name>/", changes.set_category, name="policies_set_category"),
    path("categories/<remote:policy_id>/edit/", changes.edit_category, name="policies_category_edit"),
    path("categories/<remote:policy_id>/delete/", changes.delete_category, name="policies_category_delete"),
    path("applies/", policies.applies, name="policies_applies"),
    path("simulator/", simulator.simulator, name="policies_simulator"),
    path("replays/", replays.replays, name="policies_replays"),
    path("replays/<uuid:replay_id>/", replays.replay, name="policies_replay"),
    path("replays/<uuid:replay_id>/progress/", replays.progress, name="policies_replay_progress"),
    path("replays/<uuid:replay_id>/stop/", replays.stop, name="policies_replay_stop"),
    path("new/", changes.new_policy, name="policies_new"),
    path("new/<word:type_name>/", changes.new_of_type, name="policies_new_of_type"),
    path("workflows/", workflows.workflows, name="workflows"),
    path("workflows/all/", workflows.all_workflows, name="workflows_all"),
    path("workflows/all/totals/", workflows.all_workflows_totals, name="workflows_all_totals"),
    path("workflows/bills/new/", workflows.new_bill_workflow, name="workflows_new_bills"),
    path("workflows/policies/new/", workflows.new_policy_workflow, name="workflows_new_policies"),
    path("workflows/<word:kind>/sentences/", workflows.sentences, name="workflows_sentences"),
    path("workflows/bills/<remote:workflow_id>/edit/", workflows.edit_bill_workflow, name="workflows_edit_bills"),
    path("workflows/bills/<remote:workflow_id>/delete/", workflows.delete_bill_workflow, name="workflows_end_bills"),
    path(
        "workflows/policies/<remote:workflow_id>/edit/", workflows.edit_policy_workflow, name="workflows_edit_policies"
    ),
    path(
        "workflows/policies/<remote:workflow_id>/deactivate/",
        workflows.deactivate_policy_workflow,
        name="workflows_end_policies",
    ),
    path("workflows/<remote:workflow_id>/", workflows.workflow, name="workflows_item"),
    path("workflows/<remote:workflow_id>/history/", workflows.history, name="workflows_history"),
    path("workflows/<remote:workflow_id>/restore/<number:version>/", workflows.restore, name="workflows_restore"),
    path("<remote:policy_id>/", policies.policy, name="policies_item"),
    path("<remote:policy_id>/edit/", changes.edit, name="policies_edit"),
    path("<remote:policy_id>/delete/", changes.delete, name="policies_delete"),
    path("<remote:policy_id>/history/", policies.history, name="policies_history"),
    path("<remote:policy_id>/restore/<number:version>/", changes.restore, name="policies_restore"),
]
