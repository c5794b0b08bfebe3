"""Addresses of the cards."""

from django.urls import path

from dashboard.pages.cards.views import cards, controls, create, mine, queues, requests, single_use, state

urlpatterns = [
    path("", cards.cards, name="cards"),
    path("totals/", cards.totals, name="cards_totals"),
    path("mine/", mine.own_cards, name="cards_mine"),
    path("mine/ask/once/", requests.request_single_use, name="cards_ask_once"),
    path("mine/ask/physical/", requests.request_physical, name="cards_ask_physical"),
    path("mine/requests/<remote:remote_id>/take-back/", requests.cancel_request, name="cards_take_back_card_request"),
    path("new/", create.new_card, name="cards_new"),
    path("orders/", queues.orders, name="cards_orders"),
    path("orders/totals/", queues.orders_totals, name="cards_orders_totals"),
    path("requests/", queues.requests, name="cards_requests"),
    path("requests/totals/", queues.requests_totals, name="cards_requests_totals"),
    path("requests/policy/", single_use.once_policy, name="cards_once_policy"),
    path("requests/policy/change/", single_use.change_once_policy, name="cards_once_policy_change"),
    path("<remote:remote_id>/", cards.card, name="cards_item"),
    path("<remote:remote_id>/controls/", controls.controls, name="cards_controls"),
    path("<remote:remote_id>/controls/try/", controls.try_controls, name="cards_controls_try"),
    path("<remote:remote_id>/controls/save/", controls.save_controls, name="cards_controls_save"),
    path("<remote:remote_id>/block/", state.block_card, name="cards_block"),
    path("<remote:remote_id>/unblock/", state.unblock_card, name="cards_unblock"),
    path("<remote:remote_id>/activate/", state.activate_card, name="cards_activate"),
    path("<remote:remote_id>/retire/", state.retire_card, name="cards_retire"),
    path("<remote:remote_id>/reissue/", state.reissue_card, name="cards_reissue"),
]
