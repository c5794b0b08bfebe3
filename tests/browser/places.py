"""The pages that are looked at one by one, and by whom."""

PUBLIC = ("/-/account/login/", "/-/account/password/reset/", "/-/account/signup/", "/-/style/", "/-/mail/")
OWN = (
    "/-/you/", "/?all=1", "/no-such-business/", "/-/account/2fa/", "/-/account/sessions/", "/-/account/logout/",
    "/-/account/password/change/", "/-/account/reauthenticate/", "/-/account/2fa/webauthn/", "/-/account/3rdparty/",
)  # fmt: skip
STAFF = (
    "/{b}/", "/{b}/approvals/", "/{b}/approvals/?show=others", "/{b}/approvals/?show=decided",
    "/{b}/approvals/?kind=payment", "/{b}/approvals/?q=zzzz", "/{b}/approvals/?risk=purple", "/{b}/expenses/",
    "/{b}/approvals/?show=mine&lane=clean", "/{b}/approvals/?sort=merchant", "/{b}/approvals/samples/",
    "/{b}/expenses/?q=zzzz", "/{b}/expenses/?status=NO", "/{b}/decisions/", "/{b}/audit/", "/{b}/audit/?person=zzzz",
    "/{b}/settings/", "/{b}/exports/", "/{b}/expenses/receipts/", "/{b}/expenses/?cols=risk%2Creceipt&sort=-amount",
    "/{b}/customers/", "/{b}/customers/new/", "/{b}/customers/import/", "/{b}/cards/", "/{b}/cards/?as=table",
    "/{b}/cards/?q=zzzz", "/{b}/cards/mine/", "/{b}/cards/orders/", "/{b}/cards/requests/", "/{b}/cards/new/",
    "/{b}/delegation/", "/{b}/notifications/", "/{b}/notifications/choices/",
)  # fmt: skip
DESKS = (
    "/{b}/treasury/", "/{b}/treasury/new/", "/{b}/treasury/cashflow/", "/{b}/treasury/movement/", "/{b}/treasury/fx/",
    "/{b}/treasury/forecast/", "/{b}/treasury/forecast/?days=90",
    "/{b}/investments/", "/{b}/transactions/", "/{b}/transactions/new/", "/{b}/transactions/recent/", "/{b}/subscriptions/", "/{b}/vendors/", "/{b}/vendors/new/", "/{b}/vendors/recent/", "/{b}/vendors/payee-changes/", "/{b}/bills/", "/{b}/bills/?show=ALL", "/{b}/bills/aging/", "/{b}/people/", "/{b}/people/new/", "/{b}/people/teams/", "/{b}/people/teams/new/", "/{b}/people/org-chart/", "/{b}/people/org-chart/?by=team", "/{b}/people/top-ups/", "/{b}/audit/packs/", "/{b}/approvals/samples/weekly/", "/{b}/categories/", "/{b}/categories/new/", "/{b}/categories/many/", "/{b}/categories/move/", "/{b}/find/",
    "/{b}/wallet-policies/permissions/", "/{b}/wallet-policies/audit/", "/{b}/wallet-policies/money/", "/{b}/mandates/", "/{b}/bulk/",
    "/{b}/expenses/reports/", "/{b}/cards/requests/policy/",
    "/{b}/accounting/", "/{b}/reconciliation/", "/{b}/budgets/", "/{b}/budgets/new/", "/{b}/budgets/?standing=OVER",
)  # fmt: skip
OWNER = (
    "/{b}/settings/", "/{b}/settings/connection/", "/{b}/settings/members/", "/{b}/settings/security/",
    "/{b}/settings/audit-sample/",
)  # fmt: skip
POLICIES = (
    "/{b}/access-reviews/", "/{b}/people/offboardings/", "/{b}/policies/", "/{b}/policies/all/", "/{b}/policies/all/?status=ALL", "/{b}/policies/categories/",
    "/{b}/policies/categories/?status=DELETED", "/{b}/policies/applies/", "/{b}/policies/simulator/",
    "/{b}/policies/simulator/?amount=x", "/{b}/policies/replays/", "/{b}/policies/new/", "/{b}/policies/new/CHANNEL/",
    "/{b}/policies/new/DAY_TIME/", "/{b}/policies/categories/set/SUBCATEGORY/", "/{b}/policies/workflows/",
    "/{b}/policies/workflows/all/", "/{b}/policies/workflows/bills/new/", "/{b}/policies/workflows/policies/new/",
)  # fmt: skip
PAYABLES = (
    "/{b}/bills/new/", "/{b}/bills/received/", "/{b}/bills/credit-notes/", "/{b}/bills/recurring/", "/{b}/bills/recurring/new/",
    "/{b}/payouts/", "/{b}/payouts/new/", "/{b}/payouts/new/from/vendors/", "/{b}/payouts/new/from/bills/",
    "/{b}/payouts/new/from/employees/", "/{b}/payouts/new/from/last/", "/{b}/payouts/new/single/", "/{b}/payouts/request/",
    "/{b}/vendors/duplicates/", "/{b}/bills/?q=zzzz", "/{b}/payouts/?q=zzzz",
)  # fmt: skip
CARD_USER = ("/{b}/", "/{b}/expenses/", "/{b}/approvals/", "/{b}/cards/", "/{b}/cards/?as=table")
PAGES = [
    ("", PUBLIC),
    ("apollo", OWN),
    ("apollo", STAFF),
    ("apollo", DESKS),
    ("selma", OWNER),
    ("ada", POLICIES),
    ("ada", PAYABLES),
    ("carla", CARD_USER),
]
NAMES = ["public", "own", "staff", "desks", "owner", "policies", "payables", "card-user"]
