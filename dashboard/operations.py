"""START HERE. What can be asked of the finance service: one row per operation of the v2 interface.

A row says who may (roles), which rows after that, what must hold besides (rule), how long a decision can be undone,
and how the audit tells it. Nothing else in the dashboard names a role: the check, the buttons, the gateway, the page
docs/who-may-do-what.md and the tests read this table.

Read a row as: constant = area, method, path, roles, rows, "Rita …" (what the audit says that she did).
"""

# A table reads best with one row per line.
# fmt: off

from dashboard.access.operation import ALL, OWN, OWN_UNLESS, SCOPED, named_operations
from dashboard.access.operation import Operation as Operation
from dashboard.access.roles import APPROVING, CONFIGURING, EVERYONE, FINANCE, INITIATING, OWNING, REVIEWING, STAFF
from dashboard.schemas import (
    accounts,
    approvals,
    card_bodies,
    cards,
    categories,
    customers,
    employees,
    expenses,
    fx,
    investments,
    payments,
    permissions,
    policies,
    subscriptions,
    taxes,
    teams,
    transactions,
    vendors,
    wallet_policies,
    workflows,
)

# Expenses
LIST_EXPENSES = Operation("Expenses", "GET", "/expenses", EVERYONE, SCOPED, "viewed the expenses", response_schema=expenses.Expense)
START_RECEIPTS_EXPORT = Operation("Expenses", "POST", "/expenses/export-receipts", STAFF, SCOPED, "started a receipt export", request_schema=expenses.ReceiptsExportBody, response_schema=expenses.ReceiptsExport)
READ_RECEIPTS_EXPORT = Operation("Expenses", "GET", "/expenses/export-receipts/status/{jobId}", STAFF, OWN, "viewed the receipt export {title}", response_schema=expenses.ReceiptsExport)
DOWNLOAD_RECEIPT = Operation("Expenses", "GET", "/expenses/downloadExpenseReceipt/{transactionRef}", EVERYONE, SCOPED, "downloaded the receipt of expense {title}")
NOTE_EXPENSE = Operation("Expenses", "POST", "/expenses/notes/{id}", EVERYONE, SCOPED, "changed the notes of expense {title}", request_schema=expenses.NotesBody, response_schema=expenses.Expense)
CATEGORISE_EXPENSE = Operation("Expenses", "POST", "/expenses/changeSubCategory/{expenseId}", EVERYONE, SCOPED, "changed the category of expense {title}", request_schema=expenses.SubcategoryBody, response_schema=expenses.Expense)
APPROVE_EXPENSES = Operation("Expenses", "POST", "/expenses/approve", REVIEWING, SCOPED, "approved {title}", rule="not_own not_read_only", undo_s=10, request_schema=expenses.BulkReviewBody, response_schema=expenses.BulkReview)
APPROVE_EXPENSE = Operation("Expenses", "POST", "/expenses/approve/{expenseId}", REVIEWING, SCOPED, "approved expense {title}", rule="not_own not_read_only", undo_s=10, request_schema=expenses.ReviewBody, response_schema=expenses.Expense)
REJECT_EXPENSES = Operation("Expenses", "POST", "/expenses/reject", REVIEWING, SCOPED, "rejected {title}", rule="not_own not_read_only", undo_s=10, request_schema=expenses.BulkReviewBody, response_schema=expenses.BulkReview)
REJECT_EXPENSE = Operation("Expenses", "POST", "/expenses/reject/{expenseId}", REVIEWING, SCOPED, "rejected expense {title}", rule="not_own not_read_only", undo_s=10, request_schema=expenses.ReasonBody, response_schema=expenses.Expense)
REQUEST_EXPENSE_DETAILS = Operation("Expenses", "POST", "/expenses/requestDetails/{expenseId}", REVIEWING, SCOPED, "requested details on expense {title}", rule="not_own not_read_only", undo_s=10, request_schema=expenses.ReasonBody, response_schema=expenses.Expense)

# Bills
READ_BILL_WORKFLOW = Operation("Bills", "GET", "/bills/workflow", FINANCE, ALL, "viewed the approval workflow of bills", response_schema=workflows.Workflow)
CREATE_BILL_WORKFLOW = Operation("Bills", "POST", "/bills/workflow", CONFIGURING, ALL, "created the approval workflow {title}", request_schema=workflows.NewWorkflow, response_schema=workflows.Workflow)
UPDATE_BILL_WORKFLOW = Operation("Bills", "PATCH", "/bills/workflow/{workflowId}", CONFIGURING, ALL, "changed the approval workflow {title}", request_schema=workflows.WorkflowChange, response_schema=workflows.Workflow)
DELETE_BILL_WORKFLOW = Operation("Bills", "DELETE", "/bills/workflow/{workflowId}", CONFIGURING, ALL, "deleted the approval workflow {title}", response_schema=workflows.Workflow)
LIST_BUDGETS = Operation("Bills", "GET", "/bills/budgets", STAFF, ALL, "viewed the budgets")
READ_BUDGET = Operation("Bills", "GET", "/bills/budgets/{budgetId}", STAFF, ALL, "viewed budget {title}")
ADD_VENDOR_PAYMENT_METHOD = Operation("Bills", "POST", "/bills/vendors/{vendorId}/payment-method", INITIATING, ALL, "added a payment account to vendor {title} for its bills", rule="quarantine", request_schema=vendors.NewInstruction, response_schema=vendors.Vendor)
READ_BILL_PAYMENT_STATUS = Operation("Bills", "GET", "/bills/payments/{paymentRef}/status", FINANCE, ALL, "viewed the status of bill payment {title}")
ADD_BILL_PAYMENT = Operation("Bills", "POST", "/bills/{billId}/payments", INITIATING, ALL, "added a payment to bill {title}")
REQUEST_BILL_PAYMENT_APPROVAL = Operation("Bills", "PATCH", "/bills/{billId}/payments/{paymentRef}/request-approval", INITIATING, ALL, "requested approval of bill payment {title}")
APPROVE_BILL_PAYMENT = Operation("Bills", "POST", "/bills/{billId}/payments/{paymentRef}/approve", APPROVING, ALL, "approved bill payment {title}", rule="not_own mandate", undo_s=0)
REJECT_BILL_PAYMENT = Operation("Bills", "POST", "/bills/{billId}/payments/{paymentRef}/reject", APPROVING, ALL, "rejected bill payment {title}", rule="not_own mandate", undo_s=10)
WITHDRAW_BILL_PAYMENT = Operation("Bills", "POST", "/bills/{billId}/payments/{paymentRef}/withdraw", INITIATING, ALL, "withdrew bill payment {title}", rule="requester_or_admin")
RETRY_BILL_PAYMENT = Operation("Bills", "POST", "/bills/payments/{paymentRef}/retry", INITIATING, ALL, "retried bill payment {title}")

# Payments
LIST_PAYMENT_CHANNELS = Operation("Payments", "GET", "/payments/channels", FINANCE, ALL, "viewed the payment channels", private_label=True, response_schema=payments.Channel)
LIST_PAYOUTS = Operation("Payments", "GET", "/payments", FINANCE, ALL, "viewed the payouts", private_label=True, response_schema=payments.Payout)
CREATE_PAYOUT = Operation("Payments", "POST", "/payments", INITIATING, ALL, "created payout {title}", private_label=True, request_schema=payments.PayoutBody, response_schema=payments.Payout)
LIST_BANKS = Operation("Payments", "GET", "/payments/banks", FINANCE, ALL, "viewed the banks", private_label=True, response_schema=payments.Bank)
CREATE_PAYMENT_INTENT = Operation("Payments", "POST", "/payments/intent", INITIATING, ALL, "prepared payment {title}", private_label=True, request_schema=payments.IntentBody, response_schema=payments.Intent)
CONFIRM_PAYMENT = Operation("Payments", "POST", "/payments/confirm", APPROVING, ALL, "confirmed payment {title} with a one-time code", private_label=True, request_schema=payments.ConfirmBody, response_schema=payments.Intent)
REQUEST_MOBILE_MONEY = Operation("Payments", "POST", "/payments/request-mpesa-payment", INITIATING, ALL, "requested a mobile-money payment from {title}", private_label=True, request_schema=payments.MobileMoneyBody, response_schema=payments.MobileMoney)
INITIATE_PAYOUT = Operation("Payments", "PATCH", "/payments/{batch_no}/initiate", INITIATING, ALL, "initiated payout {title}", private_label=True, response_schema=payments.Payout)
RETURN_PAYOUT_TO_DRAFT = Operation("Payments", "PATCH", "/payments/{batch_no}/draft", INITIATING, ALL, "returned payout {title} to draft", private_label=True, rule="requester_or_admin", response_schema=payments.Payout)
CANCEL_PAYOUT = Operation("Payments", "POST", "/payments/payout/cancel", INITIATING, ALL, "cancelled payout {title}", private_label=True, rule="requester_or_admin", request_schema=payments.CancelPayoutBody, response_schema=payments.Payout)

# Approvals
LIST_APPROVALS = Operation("Approvals", "GET", "/approvals/all", FINANCE, ALL, "viewed the payment requests", private_label=True, response_schema=approvals.Approval)
LIST_APPROVALS_DIGEST = Operation("Approvals", "GET", "/approvals/all/digest", FINANCE, ALL, "viewed the payment requests with their risk", private_label=True, response_schema=approvals.ApprovalDigest)
APPROVE_PAYMENT_REQUEST = Operation("Approvals", "POST", "/approvals/approve", APPROVING, ALL, "approved payment request {title}", private_label=True, rule="not_own mandate", undo_s=0, request_schema=approvals.VoteBody, response_schema=approvals.Approval)
REJECT_PAYMENT_REQUEST = Operation("Approvals", "POST", "/approvals/reject", APPROVING, ALL, "rejected payment request {title}", private_label=True, rule="not_own mandate", undo_s=10, request_schema=approvals.VoteBody, response_schema=approvals.Approval)
REJECT_BILL_PAYMENT_REQUEST = Operation("Approvals", "DELETE", "/approvals/bills/reject", APPROVING, ALL, "rejected the payment request of bill payment {title}", private_label=True, rule="not_own mandate", undo_s=10, request_schema=approvals.VoteBody, response_schema=approvals.Approval)

# FX
READ_FX_RATE = Operation("FX", "POST", "/fx/conversion-rate", STAFF, ALL, "viewed an FX rate", request_schema=fx.RateBody, response_schema=fx.Quote)
READ_HISTORIC_FX_RATE = Operation("FX", "POST", "/fx/historic-rate", STAFF, ALL, "viewed a historic FX rate", request_schema=fx.HistoricBody, response_schema=fx.Historic)
LIST_FX_CURRENCIES = Operation("FX", "GET", "/fx/currencies", STAFF, ALL, "viewed the FX currencies", response_schema=fx.FxCurrency)
TRANSFER_FX = Operation("FX", "POST", "/fx/transfer", APPROVING, ALL, "transferred money between wallets: {title}", private_label=True, grant="WALLET_FX", request_schema=fx.TransferBody, response_schema=fx.Transfer)

# Cards
LIST_OWN_CARDS = Operation("Cards", "GET", "/cards", EVERYONE, OWN, "viewed their own cards", private_label=True, response_schema=cards.Card)
CREATE_CARD = Operation("Cards", "POST", "/cards", INITIATING, ALL, "created card {title}", private_label=True, rule="not_own", request_schema=card_bodies.NewCard, response_schema=cards.Card)
LIST_EMPLOYEE_CARDS = Operation("Cards", "GET", "/cards/employee/{employeeId}", EVERYONE, SCOPED, "viewed the cards of {title}", private_label=True, response_schema=cards.Card)
LIST_BUSINESS_CARDS = Operation("Cards", "GET", "/cards/business", FINANCE, ALL, "viewed the cards of the business", private_label=True, response_schema=cards.Card)
READ_CARD = Operation("Cards", "GET", "/cards/{id}", EVERYONE, SCOPED, "viewed card {title}", private_label=True, response_schema=cards.Card)
UPDATE_CARD = Operation("Cards", "PUT", "/cards/{id}", INITIATING, ALL, "changed card {title}", private_label=True, rule="not_own", request_schema=card_bodies.CardChange, response_schema=cards.Card)
READ_CARD_BALANCE = Operation("Cards", "GET", "/cards/{id}/balance", EVERYONE, SCOPED, "viewed the balance of card {title}", private_label=True, response_schema=cards.CardBalance)
LIST_CARD_TRANSACTIONS = Operation("Cards", "GET", "/cards/{id}/transactions", EVERYONE, SCOPED, "viewed the transactions of card {title}", private_label=True, response_schema=cards.CardTransaction)
BLOCK_CARD = Operation("Cards", "PUT", "/cards/{id}/block", EVERYONE, SCOPED, "blocked card {title}", private_label=True, request_schema=card_bodies.Why, response_schema=cards.Card)
UNBLOCK_CARD = Operation("Cards", "PUT", "/cards/{id}/unblock", EVERYONE, SCOPED, "unblocked card {title}", private_label=True, rule="blocker_lifts", response_schema=cards.Card)
RETIRE_CARD = Operation("Cards", "PUT", "/cards/{id}/retire", EVERYONE, SCOPED, "closed card {title}", private_label=True, rule="holder_virtual_only", request_schema=card_bodies.Why, response_schema=cards.Card)
REISSUE_CARD = Operation("Cards", "POST", "/cards/{id}/reissue", EVERYONE, SCOPED, "replaced the number of card {title}", private_label=True, rule="holder_virtual_only", request_schema=card_bodies.Why, response_schema=cards.Card)
LIST_CARD_ORDERS = Operation("Cards", "GET", "/cards/physical/orders", FINANCE, ALL, "viewed the physical card orders", private_label=True)
APPROVE_CARD_ORDERS = Operation("Cards", "POST", "/cards/physical/orders", INITIATING, ALL, "approved card order {title}", private_label=True, rule="not_own", undo_s=10, request_schema=card_bodies.Orders)
REJECT_CARD_ORDERS = Operation("Cards", "PATCH", "/cards/physical/orders", INITIATING, ALL, "rejected card order {title}", private_label=True, rule="not_own", undo_s=10, request_schema=card_bodies.Orders)

# Subscriptions
LIST_SUBSCRIPTIONS = Operation("Subscriptions", "GET", "/subscriptions", STAFF, SCOPED, "viewed the subscriptions", response_schema=subscriptions.Subscription)
LIST_SUBSCRIPTION_EXPENSES = Operation("Subscriptions", "GET", "/subscriptions/expenses", STAFF, SCOPED, "viewed the expenses of subscription {title}", response_schema=expenses.Expense)
READ_SUBSCRIPTION_SPEND = Operation("Subscriptions", "POST", "/subscriptions/amount-spent", STAFF, SCOPED, "viewed the amount spent on subscriptions", request_schema=subscriptions.SpentBody, response_schema=subscriptions.Spent)
CREATE_SUBSCRIPTION = Operation("Subscriptions", "POST", "/subscriptions/create", INITIATING, ALL, "created subscription {title}", request_schema=subscriptions.NewSubscription, response_schema=subscriptions.Subscription)
SET_SUBSCRIPTION_STATUS = Operation("Subscriptions", "PUT", "/subscriptions/status", INITIATING, ALL, "changed the status of subscription {title}", request_schema=subscriptions.StatusBody, response_schema=subscriptions.Subscription)
SET_SUBSCRIPTION_TEAM = Operation("Subscriptions", "PUT", "/subscriptions/team", INITIATING, ALL, "changed the team of subscription {title}", request_schema=subscriptions.SubscriptionTeamBody, response_schema=subscriptions.Subscription)
SET_SUBSCRIPTION_LIMITS = Operation("Subscriptions", "PUT", "/subscriptions/limits-billing-frequency", INITIATING, ALL, "changed the limits of subscription {title}", request_schema=subscriptions.LimitsBody, response_schema=subscriptions.Subscription)
ASSIGN_SUBSCRIPTION = Operation("Subscriptions", "PUT", "/subscriptions/assign-employee", INITIATING, ALL, "assigned subscription {title}", request_schema=subscriptions.SubscriptionEmployeeBody, response_schema=subscriptions.Subscription)
SET_SUBSCRIPTION_SUBCATEGORY = Operation("Subscriptions", "PUT", "/subscriptions/subcategory", INITIATING, ALL, "changed the subcategory of subscription {title}", request_schema=subscriptions.SubscriptionSubcategoryBody, response_schema=subscriptions.Subscription)
GENERATE_SUBSCRIPTIONS = Operation("Subscriptions", "POST", "/subscriptions/auto-generate", INITIATING, ALL, "searched past transactions for subscriptions", request_schema=subscriptions.GenerateBody, response_schema=subscriptions.Generated)

# Transactions
CREATE_TRANSACTION = Operation("Transactions", "POST", "/transactions/new", INITIATING, ALL, "created transaction {title}", request_schema=transactions.NewTransaction, response_schema=transactions.TransactionRow)
READ_MONEY_MOVEMENT = Operation("Transactions", "GET", "/transactions/money-movement", FINANCE, ALL, "viewed the money movement", response_schema=transactions.Movements)
READ_FEES = Operation("Transactions", "GET", "/transactions/fees", FINANCE, ALL, "viewed the fees", response_schema=transactions.Fee)
LIST_RECENT_TRANSACTIONS = Operation("Transactions", "GET", "/transactions/recent", EVERYONE, SCOPED, "viewed the recent transactions", response_schema=transactions.TransactionRow)
READ_TRANSACTION = Operation("Transactions", "GET", "/transactions/{id}", EVERYONE, SCOPED, "viewed transaction {title}")
LIST_TRANSACTIONS = Operation("Transactions", "GET", "/transactions", EVERYONE, SCOPED, "viewed the transactions")
APPROVE_TRANSACTION = Operation("Transactions", "PUT", "/transactions/{id}/approve", APPROVING, ALL, "approved transaction {title}", rule="not_own", undo_s=0)
REJECT_TRANSACTION = Operation("Transactions", "PUT", "/transactions/{id}/reject", APPROVING, ALL, "rejected transaction {title}", rule="not_own", undo_s=10)
TAG_TRANSACTION = Operation("Transactions", "POST", "/transactions/{id}/tag", EVERYONE, SCOPED, "changed the subcategory of transaction {title}")
UPLOAD_TRANSACTION_DOCUMENT = Operation("Transactions", "POST", "/transactions/{id}/supporting-document", EVERYONE, SCOPED, "added a document to transaction {title}")
REMOVE_TRANSACTION_DOCUMENT = Operation("Transactions", "POST", "/transactions/{id}/remove-document", EVERYONE, SCOPED, "removed a document from transaction {title}", request_schema=transactions.DocumentBody, response_schema=transactions.TransactionRow)
UPLOAD_SUPPORTING_DOCUMENT = Operation("Transactions", "POST", "/transactions/supporting-document", EVERYONE, SCOPED, "added a supporting document to transaction {title}")

# Accounts
LIST_ACCOUNTS = Operation("Accounts", "GET", "/accounts", FINANCE, ALL, "viewed the wallets", grant="WALLET_VIEW", response_schema=accounts.Account)
CREATE_ACCOUNT = Operation("Accounts", "POST", "/accounts", INITIATING, ALL, "created wallet {title}", request_schema=accounts.AccountBody, response_schema=accounts.Account)
LIST_BUSINESS_CURRENCIES = Operation("Accounts", "GET", "/accounts/business-currencies", FINANCE, ALL, "viewed the currencies of the business")
CREATE_CURRENCY = Operation("Accounts", "POST", "/accounts/create-new-currency", INITIATING, ALL, "added the currency {title}")
OPEN_WALLET = Operation("Accounts", "POST", "/accounts/add-new-account", INITIATING, ALL, "opened wallet {title}", request_schema=accounts.AccountBody, response_schema=accounts.Account)
READ_CASHFLOW_REPORT = Operation("Accounts", "GET", "/accounts/cashflow-report", FINANCE, ALL, "viewed the cashflow report", response_schema=accounts.Cashflow)
READ_ACCOUNT = Operation("Accounts", "GET", "/accounts/{id}", FINANCE, ALL, "viewed wallet {title}", grant="WALLET_VIEW", response_schema=accounts.Account)
UPDATE_ACCOUNT = Operation("Accounts", "PUT", "/accounts/{id}", INITIATING, ALL, "changed wallet {title}", request_schema=accounts.AccountChange, response_schema=accounts.Account)
READ_ACCOUNT_BALANCE = Operation("Accounts", "GET", "/accounts/{id}/balance", FINANCE, ALL, "viewed the balance of wallet {title}", grant="WALLET_VIEW_BALANCE", response_schema=accounts.BalanceNow)
LIST_ACCOUNT_TRANSACTIONS = Operation("Accounts", "GET", "/accounts/{id}/transactions", FINANCE, ALL, "viewed the transactions of wallet {title}", grant="WALLET_VIEW_TRANSACTIONS", response_schema=accounts.Entry)
SUSPEND_ACCOUNT = Operation("Accounts", "PUT", "/accounts/{id}/suspend", INITIATING, ALL, "suspended wallet {title}", response_schema=accounts.Account)
ACTIVATE_ACCOUNT = Operation("Accounts", "PUT", "/accounts/{id}/activate", INITIATING, ALL, "activated wallet {title}", response_schema=accounts.Account)

# Categories
LIST_CATEGORIES = Operation("Categories", "GET", "/categories", EVERYONE, ALL, "viewed the categories", response_schema=categories.Category)
CREATE_CATEGORY = Operation("Categories", "POST", "/categories", CONFIGURING, ALL, "created category {title}", request_schema=categories.CategoryBody, response_schema=categories.Category)
READ_CATEGORY = Operation("Categories", "GET", "/categories/{id}", EVERYONE, ALL, "viewed category {title}", response_schema=categories.Category)
UPDATE_CATEGORY = Operation("Categories", "PUT", "/categories/{id}", CONFIGURING, ALL, "changed category {title}", request_schema=categories.CategoryChange, response_schema=categories.Category)
DELETE_CATEGORY = Operation("Categories", "DELETE", "/categories/{id}", CONFIGURING, ALL, "deleted category {title}")
CREATE_CATEGORIES = Operation("Categories", "POST", "/categories/bulk", CONFIGURING, ALL, "created several categories", request_schema=categories.CategoriesBody, response_schema=categories.CreatedCategories)
LIST_SUBCATEGORIES = Operation("Categories", "GET", "/categories/{categoryId}/subcategories", EVERYONE, ALL, "viewed the subcategories of {title}", response_schema=categories.Subcategory)
CREATE_SUBCATEGORY = Operation("Categories", "POST", "/categories/{categoryId}/subcategories", CONFIGURING, ALL, "created subcategory {title}", request_schema=categories.SubcategoryFields, response_schema=categories.Subcategory)
READ_SUBCATEGORY = Operation("Categories", "GET", "/categories/{categoryId}/subcategories/{subcategoryId}", EVERYONE, ALL, "viewed subcategory {title}", response_schema=categories.Subcategory)
UPDATE_SUBCATEGORY = Operation("Categories", "PUT", "/categories/{categoryId}/subcategories/{subcategoryId}", CONFIGURING, ALL, "changed subcategory {title}", request_schema=categories.SubcategoryChange, response_schema=categories.Subcategory)
DELETE_SUBCATEGORY = Operation("Categories", "DELETE", "/categories/{categoryId}/subcategories/{subcategoryId}", CONFIGURING, ALL, "deleted subcategory {title}")

# Taxes
LIST_TAXES = Operation("Taxes", "GET", "/taxes", FINANCE, ALL, "viewed the withholding taxes", response_schema=taxes.Tax)
CREATE_TAX = Operation("Taxes", "POST", "/taxes/create", CONFIGURING, ALL, "created withholding tax {title}", request_schema=taxes.NewTax, response_schema=taxes.Tax)
EDIT_TAX = Operation("Taxes", "PUT", "/taxes/{taxId}/edit", CONFIGURING, ALL, "changed withholding tax {title}", request_schema=taxes.TaxChange, response_schema=taxes.Tax)
ARCHIVE_TAX = Operation("Taxes", "PUT", "/taxes/{taxId}/archive", CONFIGURING, ALL, "archived withholding tax {title}", response_schema=taxes.Tax)
LIST_TAX_TRANSACTIONS = Operation("Taxes", "GET", "/taxes/transactions", FINANCE, ALL, "viewed the tax transactions", response_schema=taxes.TaxTransaction)

# Vendors
LIST_VENDORS = Operation("Vendors", "GET", "/vendors", STAFF, ALL, "viewed the vendors")
CREATE_VENDOR = Operation("Vendors", "POST", "/vendors", INITIATING, ALL, "created vendor {title}", request_schema=vendors.NewVendor, response_schema=vendors.Vendor)
LIST_RECENT_VENDORS = Operation("Vendors", "GET", "/vendors/recent/{channel}", STAFF, ALL, "viewed the recently paid vendors", response_schema=vendors.RecentVendor)
READ_VENDOR = Operation("Vendors", "GET", "/vendors/{id}", STAFF, ALL, "viewed vendor {title}", response_schema=vendors.Vendor)
UPDATE_VENDOR = Operation("Vendors", "PUT", "/vendors/{id}", INITIATING, ALL, "changed vendor {title}", request_schema=vendors.VendorChange, response_schema=vendors.Vendor)
DELETE_VENDOR = Operation("Vendors", "DELETE", "/vendors/{id}", INITIATING, ALL, "deleted vendor {title}")
UPDATE_PAYMENT_INSTRUCTION = Operation("Vendors", "POST", "/vendors/{id}/payment-instruction", INITIATING, ALL, "changed a payment account of vendor {title}", rule="quarantine", request_schema=vendors.InstructionChange, response_schema=vendors.Vendor)
ADD_PAYMENT_INSTRUCTION = Operation("Vendors", "POST", "/vendors/{id}/payment-instruction/add", INITIATING, ALL, "added a payment account to vendor {title}", rule="quarantine", request_schema=vendors.NewInstruction, response_schema=vendors.Vendor)

# Customers
LIST_CUSTOMERS = Operation("Customers", "GET", "/customers", STAFF, ALL, "viewed the customers")
CREATE_CUSTOMER = Operation("Customers", "POST", "/customers", INITIATING, ALL, "created customer {title}", request_schema=customers.NewCustomer, response_schema=customers.Customer)
SEARCH_CUSTOMERS = Operation("Customers", "GET", "/customers/search", STAFF, ALL, "searched the customers")
READ_CUSTOMER = Operation("Customers", "GET", "/customers/{id}", STAFF, ALL, "viewed customer {title}")
UPDATE_CUSTOMER = Operation("Customers", "PUT", "/customers/{id}", INITIATING, ALL, "changed customer {title}", request_schema=customers.CustomerChange, response_schema=customers.Customer)
DELETE_CUSTOMER = Operation("Customers", "DELETE", "/customers/{id}", INITIATING, ALL, "deleted customer {title}")
REACTIVATE_CUSTOMER = Operation("Customers", "PATCH", "/customers/{id}/reactivate", INITIATING, ALL, "restored customer {title}")

# Employees
LIST_EMPLOYEES = Operation("Employees", "GET", "/employees", STAFF, SCOPED, "viewed the employees", response_schema=employees.Employee)
CREATE_EMPLOYEE = Operation("Employees", "POST", "/employees", CONFIGURING, ALL, "added employee {title}", rule="role_ceiling", request_schema=employees.EmployeeBody, response_schema=employees.Employee)
LIST_EMPLOYEE_BALANCES = Operation("Employees", "GET", "/employees/balances", STAFF, SCOPED, "viewed the balances of employees", response_schema=employees.EmployeeBalances)
VIEW_STATEMENT = Operation("Employees", "GET", "/employees/view-statement", EVERYONE, SCOPED, "viewed the statement of {title}", response_schema=accounts.Entry)
READ_EMPLOYEE = Operation("Employees", "GET", "/employees/{employee_id}", EVERYONE, SCOPED, "viewed employee {title}", response_schema=employees.Employee)
DELETE_EMPLOYEE = Operation("Employees", "DELETE", "/employees/{employee_id}", CONFIGURING, ALL, "removed employee {title}", rule="not_self", response_schema=employees.Employee)
REMOVE_TEAM_REVIEWER = Operation("Employees", "DELETE", "/employees/remove-employee-team-reviewer", CONFIGURING, ALL, "removed {title} as a reviewer of a team", response_schema=teams.Team)
MOVE_TO_TEAM = Operation("Employees", "POST", "/employees/move-to-team", CONFIGURING, ALL, "moved {title} to another team", request_schema=employees.TeamMove, response_schema=employees.Employee)
MAKE_TEAM_REVIEWER = Operation("Employees", "POST", "/employees/make-employee-team-reviewer", CONFIGURING, ALL, "made {title} a reviewer of a team", request_schema=employees.ReviewerSeat, response_schema=teams.Team)
UPDATE_PROFILE = Operation("Employees", "POST", "/employees/update-profile", EVERYONE, OWN_UNLESS(CONFIGURING), "changed the profile of {title}", request_schema=employees.ProfileChange, response_schema=employees.Employee)
ACTIVATE_EMPLOYEE = Operation("Employees", "PATCH", "/employees/activate-employee", CONFIGURING, ALL, "activated employee {title}")
SUSPEND_EMPLOYEE = Operation("Employees", "PATCH", "/employees/{_id}/suspend-employee", CONFIGURING, ALL, "suspended employee {title}", rule="not_self")
TRANSFER_OWNERSHIP = Operation("Employees", "POST", "/employees/transfer-ownership", CONFIGURING, ALL, "transferred the account of {title}", grant="PEOPLE_EDIT", rule="role_ceiling not_self", request_schema=employees.Handover, response_schema=employees.Employee)
ALLOCATE_FUNDS = Operation("Employees", "POST", "/employees/allocate-funds", APPROVING, ALL, "allocated funds to {title}", request_schema=employees.FundsBody, response_schema=employees.FundsMoved)
REMOVE_FUNDS = Operation("Employees", "POST", "/employees/remove-funds", APPROVING, ALL, "removed funds from {title}", request_schema=employees.FundsBody, response_schema=employees.FundsMoved)

# Teams
LIST_TEAMS = Operation("Teams", "GET", "/teams", STAFF, SCOPED, "viewed the teams", response_schema=teams.Team)
CREATE_TEAM = Operation("Teams", "POST", "/teams", CONFIGURING, ALL, "created team {title}", request_schema=teams.TeamBody, response_schema=teams.Team)
READ_TEAM = Operation("Teams", "GET", "/teams/{id}", STAFF, SCOPED, "viewed team {title}", response_schema=teams.Team)
UPDATE_TEAM = Operation("Teams", "PUT", "/teams/{id}", CONFIGURING, ALL, "changed team {title}", request_schema=teams.TeamBody, response_schema=teams.Team)
DELETE_TEAM = Operation("Teams", "DELETE", "/teams/{id}", CONFIGURING, ALL, "deleted team {title}", response_schema=teams.Team)

# Investments
OPT_IN_TO_FUND = Operation("Investments", "POST", "/investments/opt-in", INITIATING, ALL, "requested a fund account in {title}", private_label=True, request_schema=investments.OptInBody)
READ_FUND_OPT_IN = Operation("Investments", "GET", "/investments/opt-in/{ref}", FINANCE, ALL, "viewed the request for a fund account in {title}", private_label=True)
APPROVE_FUND_OPT_IN = Operation("Investments", "POST", "/investments/opt-in/{ref}/approve", APPROVING, ALL, "approved the fund account in {title}", private_label=True, rule="not_own mandate", undo_s=0)
INVEST = Operation("Investments", "POST", "/investments/accounts/{fundAccountId}/invest", APPROVING, ALL, "invested in fund account {title}", private_label=True, grant="TREASURY_OPERATOR", request_schema=investments.InvestBody)
TOP_UP_INVESTMENT = Operation("Investments", "POST", "/investments/accounts/{fundAccountId}/top-up", APPROVING, ALL, "topped up fund account {title} from a wallet", private_label=True, grant="TREASURY_OPERATOR", request_schema=investments.TopUpBody)
WITHDRAW_INVESTMENT = Operation("Investments", "POST", "/investments/accounts/{fundAccountId}/withdraw", APPROVING, ALL, "withdrew from fund account {title}", private_label=True, grant="TREASURY_OPERATOR", request_schema=investments.WithdrawBody)
READ_TREASURY_OPERATORS = Operation("Investments", "GET", "/investments/accounts/{fundAccountId}/permissions", FINANCE, ALL, "viewed the operators of fund account {title}", private_label=True)
REPLACE_TREASURY_OPERATORS = Operation("Investments", "PUT", "/investments/accounts/{fundAccountId}/permissions", CONFIGURING, ALL, "replaced the operators of fund account {title}", private_label=True, rule="not_self", request_schema=investments.OperatorsBody)
READ_OWN_FUND_ACCESS = Operation("Investments", "GET", "/investments/accounts/{fundAccountId}/access", EVERYONE, OWN, "viewed their own access to fund account {title}", private_label=True)

# Business policies
LIST_POLICY_GROUPS = Operation("Business policies", "GET", "/business-policies", FINANCE, ALL, "viewed the policy groups", private_label=True, response_schema=policies.PolicyGroup)
LIST_POLICY_GROUP_TYPES = Operation("Business policies", "GET", "/business-policies/policy-group-policies", FINANCE, ALL, "viewed the policy groups with their types", private_label=True, response_schema=policies.PolicyGroup)
READ_POLICY_GROUP = Operation("Business policies", "GET", "/business-policies/{policyId}/policies", FINANCE, ALL, "viewed the policies of group {title}", private_label=True, response_schema=policies.PolicyGroup)
READ_POLICY = Operation("Business policies", "GET", "/business-policies/single/{businessPolicyId}", FINANCE, ALL, "viewed policy {title}", private_label=True, response_schema=policies.SpendPolicy)
READ_POLICY_SUMMARY = Operation("Business policies", "GET", "/business-policies/summary/{businessId}", FINANCE, ALL, "viewed the summary of policies", private_label=True, response_schema=policies.PolicySummary)
LIST_CATEGORY_POLICIES = Operation("Business policies", "GET", "/business-policies/category-policies", FINANCE, ALL, "viewed the category policies", private_label=True, response_schema=policies.SpendPolicy)
SET_CATEGORY_POLICY = Operation("Business policies", "PUT", "/business-policies/category-policies", CONFIGURING, ALL, "set category policy {title}", private_label=True, request_schema=policies.CategoryPolicy, response_schema=policies.SpendPolicy)
UPDATE_CATEGORY_POLICY = Operation("Business policies", "PUT", "/business-policies/category-policies/{businessPolicyId}", CONFIGURING, ALL, "changed category policy {title}", private_label=True, request_schema=policies.SpendPolicyChange, response_schema=policies.SpendPolicy)
DELETE_CATEGORY_POLICY = Operation("Business policies", "DELETE", "/business-policies/category-policies/{businessPolicyId}", CONFIGURING, ALL, "deleted category policy {title}", private_label=True, response_schema=policies.SpendPolicy)
LIST_POLICY_WORKFLOWS = Operation("Business policies", "GET", "/business-policies/workflows", FINANCE, ALL, "viewed the policy workflows", private_label=True, response_schema=workflows.Workflow)
CREATE_POLICY_WORKFLOW = Operation("Business policies", "POST", "/business-policies/workflows", CONFIGURING, ALL, "created policy workflow {title}", private_label=True, request_schema=workflows.NewPolicyWorkflow, response_schema=workflows.Workflow)
CREATE_POLICY = Operation("Business policies", "POST", "/business-policies/create/{policyId}", CONFIGURING, ALL, "created policy {title}", private_label=True, request_schema=policies.NewPolicy, response_schema=policies.SpendPolicy)
UPDATE_POLICY = Operation("Business policies", "PUT", "/business-policies/{businessPolicyId}", CONFIGURING, ALL, "changed policy {title}", private_label=True, request_schema=policies.SpendPolicyChange, response_schema=policies.SpendPolicy)
DELETE_POLICY = Operation("Business policies", "DELETE", "/business-policies/{businessPolicyId}", CONFIGURING, ALL, "deleted policy {title}", private_label=True, response_schema=policies.SpendPolicy)

# Wallet policies
GRANT_WALLET_ACCESS = Operation("Wallet policies", "POST", "/wallet-policies", CONFIGURING, ALL, "granted access to wallet {title}", private_label=True, rule="not_self", request_schema=wallet_policies.GrantBody, response_schema=wallet_policies.WalletPolicy)
LIST_WALLET_POLICIES = Operation("Wallet policies", "GET", "/wallet-policies/wallet/{walletId}", FINANCE, ALL, "viewed the policies of wallet {title}", private_label=True, response_schema=wallet_policies.WalletPolicy)
LIST_EMPLOYEE_WALLET_POLICIES = Operation("Wallet policies", "GET", "/wallet-policies/employee/{employeeId}", EVERYONE, OWN_UNLESS(FINANCE), "viewed the wallet policies of {title}", private_label=True, response_schema=wallet_policies.WalletPolicy)
READ_WALLET_POLICY = Operation("Wallet policies", "GET", "/wallet-policies/{policyId}", FINANCE, ALL, "viewed wallet policy {title}", private_label=True, response_schema=wallet_policies.WalletPolicy)
MODIFY_WALLET_POLICY = Operation("Wallet policies", "PATCH", "/wallet-policies/{policyId}", CONFIGURING, ALL, "changed wallet policy {title}", private_label=True, rule="not_self", request_schema=wallet_policies.WalletPolicyChange, response_schema=wallet_policies.WalletPolicy)
REVOKE_WALLET_POLICY = Operation("Wallet policies", "DELETE", "/wallet-policies/{policyId}", CONFIGURING, ALL, "revoked wallet policy {title}", private_label=True, rule="not_self", response_schema=wallet_policies.WalletPolicy)
SUSPEND_WALLET_POLICY = Operation("Wallet policies", "POST", "/wallet-policies/{policyId}/suspend", CONFIGURING, ALL, "suspended wallet policy {title}", private_label=True, rule="not_self", response_schema=wallet_policies.WalletPolicy)
REACTIVATE_WALLET_POLICY = Operation("Wallet policies", "POST", "/wallet-policies/{policyId}/reactivate", CONFIGURING, ALL, "reactivated wallet policy {title}", private_label=True, rule="not_self", response_schema=wallet_policies.WalletPolicy)
LIST_WALLET_PERMISSIONS = Operation("Wallet policies", "GET", "/wallet-policies/permissions", FINANCE, ALL, "viewed the wallet permissions", private_label=True, response_schema=wallet_policies.WalletPermission)
SYNC_WALLET_PERMISSIONS = Operation("Wallet policies", "POST", "/wallet-policies/permissions/sync", OWNING, ALL, "refreshed the wallet permissions", private_label=True)
READ_EFFECTIVE_WALLET_PERMISSIONS = Operation("Wallet policies", "GET", "/wallet-policies/permissions/{employeeId}/{walletId}", EVERYONE, OWN_UNLESS(FINANCE), "viewed the permissions of {title} on a wallet", private_label=True, response_schema=wallet_policies.Computed)
QUERY_WALLET_AUDIT = Operation("Wallet policies", "POST", "/wallet-policies/audit/query", FINANCE, ALL, "searched the audit of wallet policies", private_label=True, request_schema=wallet_policies.AuditQuery, response_schema=wallet_policies.AuditLine)
LIST_WALLET_AUDIT = Operation("Wallet policies", "GET", "/wallet-policies/wallet/{walletId}/audit", FINANCE, ALL, "viewed the audit of wallet {title}", private_label=True, response_schema=wallet_policies.AuditLine)
LIST_WALLET_POLICY_AUDIT = Operation("Wallet policies", "GET", "/wallet-policies/{policyId}/audit", FINANCE, ALL, "viewed the audit of wallet policy {title}", private_label=True, response_schema=wallet_policies.AuditLine)

# Roles and permissions
LIST_PERMISSIONS = Operation("Roles and permissions", "GET", "/permissions", FINANCE, ALL, "viewed the permissions", private_label=True, response_schema=permissions.Overview)
CHANGE_ROLE = Operation("Roles and permissions", "PATCH", "/permissions/employees/{employee_id}/role", OWNING, ALL, "changed the role of {title}", private_label=True, rule="not_self", request_schema=permissions.RoleBody, response_schema=employees.Employee)
UPDATE_EMPLOYEE_PERMISSIONS = Operation("Roles and permissions", "PATCH", "/permissions/employees/{employee_id}", OWNING, ALL, "changed the permissions of {title}", private_label=True, rule="not_self", request_schema=permissions.EmployeePermissionsBody, response_schema=permissions.EmployeeRights)
READ_EMPLOYEE_PERMISSIONS = Operation("Roles and permissions", "POST", "/permissions/employees/{employee_id}", FINANCE, ALL, "viewed the permissions of {title}", private_label=True, response_schema=permissions.EmployeeRights)
UPDATE_ROLE_PERMISSIONS = Operation("Roles and permissions", "PUT", "/permissions/update/{role_id}", OWNING, ALL, "changed the permissions of role {title}", private_label=True, rule="not_self", request_schema=permissions.RolePermissionsBody, response_schema=permissions.RoleRights)
LIST_MANDATES = Operation("Roles and permissions", "PUT", "/permissions/mandates", FINANCE, ALL, "viewed the mandates", private_label=True, response_schema=wallet_policies.Mandate)
UPDATE_MANDATE = Operation("Roles and permissions", "PATCH", "/permissions/mandates/{mandate_id}", OWNING, ALL, "changed mandate {title}", private_label=True, rule="not_self", request_schema=permissions.MandateChange, response_schema=wallet_policies.Mandate)
UPDATE_MANDATE_APPROVER = Operation("Roles and permissions", "PATCH", "/permissions/mandates/{mandate_id}/approvers/{approver_id}", OWNING, ALL, "changed an approver of mandate {title}", private_label=True, rule="not_self", request_schema=permissions.SeatBody, response_schema=wallet_policies.Mandate)
REMOVE_MANDATE_APPROVERS = Operation("Roles and permissions", "DELETE", "/permissions/mandates/{mandate_id}/approvers", OWNING, ALL, "removed approvers from mandate {title}", private_label=True, rule="not_self", request_schema=permissions.SeatIds, response_schema=wallet_policies.Mandate)
ADD_MANDATE_APPROVERS = Operation("Roles and permissions", "POST", "/permissions/mandates/{mandate_id}/approvers", OWNING, ALL, "added approvers to mandate {title}", private_label=True, rule="not_self", request_schema=permissions.NewSeats, response_schema=wallet_policies.Mandate)


# fmt: on

OPERATIONS: dict[str, Operation] = named_operations(globals())
