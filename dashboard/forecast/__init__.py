"""The money that is expected to come and go: payments, subscriptions, movements of funds, each on its day."""
