"""What the ID token says of somebody, and what a test has it say wrongly."""

from typing import Any

from oauth2_provider.oauth2_validators import OAuth2Validator

# {name: the claims of that person}, and the claims that replace those of every token.
PEOPLE: dict[str, dict[str, Any]] = {}
FAULTS: dict[str, Any] = {}


class Claims(OAuth2Validator):
    """The toolkit's own, with an address and groups."""

    oidc_claim_scope = None

    def get_additional_claims(self, request: Any) -> dict[str, Any]:
        return PEOPLE.get(request.user.get_username(), {})

    def get_id_token_dictionary(self, token: Any, token_handler: Any, request: Any) -> Any:
        claims, expires = super().get_id_token_dictionary(token, token_handler, request)
        return claims | FAULTS, expires
