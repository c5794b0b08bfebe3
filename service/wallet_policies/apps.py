from django.apps import AppConfig


class WalletPoliciesConfig(AppConfig):
    name = "service.wallet_policies"
    label = "wallet_policies"

    def ready(self) -> None:
        """Makes the policies known to whoever asks for a WALLET_ grant."""
        from service import grants
        from service.wallet_policies.access import wallets_with

        grants.register("WALLET_", wallets_with)
