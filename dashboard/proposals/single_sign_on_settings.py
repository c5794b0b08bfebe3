"""The settings of single sign-on: as a form has checked them, and as a proposal stores them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from dashboard.access.roles import Role
from dashboard.access.secrets import seal
from dashboard.single_sign_on.models import Protocol


class StoredSettings(TypedDict):
    """The settings as a proposal keeps them: JSON, `sealed_secret` encrypted or "" where the stored one stays."""

    is_on: bool
    is_required: bool
    protocol: str
    name: str
    issuer: str
    client_id: str
    sealed_secret: str
    sign_on_address: str
    certificates: list[str]
    email_attribute: str
    signs_requests: bool
    requires_encryption: bool
    logout_address: str
    logout_response_address: str
    email_domains: list[str]
    groups_claim: str
    group_roles: dict[str, str]
    ceiling: str
    break_glass_id: int | None


@dataclass(frozen=True, slots=True)
class SignOnSettings:
    """The settings as a form has checked them. An empty `client_secret` keeps the stored one; `break_glass_id` is the
    membership of the break-glass super admin, None for nobody; `group_roles` is {group: role}; `certificates` are DER in
    base64. What belongs to the other protocol is empty."""

    is_on: bool
    is_required: bool
    protocol: Protocol
    name: str
    issuer: str
    client_id: str
    client_secret: str
    sign_on_address: str
    certificates: tuple[str, ...]
    email_attribute: str
    signs_requests: bool
    requires_encryption: bool
    logout_address: str
    logout_response_address: str
    email_domains: tuple[str, ...]
    groups_claim: str
    group_roles: Mapping[str, str]
    ceiling: Role
    break_glass_id: int | None

    def stored(self) -> StoredSettings:
        """As a proposal keeps them: JSON, the secret encrypted."""
        return {
            "is_on": self.is_on, "is_required": self.is_required, "protocol": self.protocol.value, "name": self.name,
            "issuer": self.issuer, "client_id": self.client_id,
            "sealed_secret": seal(self.client_secret).decode("ascii") if self.client_secret else "",
            "sign_on_address": self.sign_on_address, "certificates": list(self.certificates),
            "email_attribute": self.email_attribute, "signs_requests": self.signs_requests,
            "requires_encryption": self.requires_encryption, "logout_address": self.logout_address,
            "logout_response_address": self.logout_response_address, "email_domains": list(self.email_domains),
            "groups_claim": self.groups_claim, "group_roles": dict(self.group_roles), "ceiling": self.ceiling.value, "break_glass_id": self.break_glass_id,
        }  # fmt: skip
