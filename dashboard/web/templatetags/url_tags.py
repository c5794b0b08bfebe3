"""`{% url %}` in every template, without being loaded (config/settings/dashboard.py): Django's own, but for the price."""

from typing import Any

from django import template
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.utils.html import conditional_escape

from dashboard.web.addresses import address_of

register = template.Library()
PARTS = (str, int)


class AddressNode(URLNode):
    """The address by `address_of`, where that is what Django's would say: by places, printed, without a namespace."""

    def render(self, context: Any) -> str:
        """The address, escaped as Django's; NoReverseMatch where there is none."""
        name = self.view_name.resolve(context)
        if self.kwargs or self.asvar is not None or ":" in name:
            return super().render(context)
        args = [part.resolve(context) for part in self.args]
        if not all(isinstance(part, PARTS) for part in args):
            return super().render(context)
        address = address_of(name, *args)
        return conditional_escape(address) if context.autoescape else address


@register.tag
def url(parser: Any, token: Any) -> AddressNode:
    """{% url "bills_item" slug bill.remote_id %}, with all that Django's takes."""
    node = django_url(parser, token)
    return AddressNode(node.view_name, node.args, node.kwargs, node.asvar)
