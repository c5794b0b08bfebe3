"""The addresses of our pages by their names: what `reverse` writes, reckoned once each, for every page prints a dozen."""

from functools import lru_cache
from urllib.parse import quote

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse


def address_of(name: str, *args: str | int) -> str:
    """What `reverse` gives for a name without a namespace and these parts; NoReverseMatch where it gives nothing."""
    return _address(get_urlconf() or settings.ROOT_URLCONF, get_script_prefix(), name, *args)


# By the types of the parts, too: True and 1 are equal, and written differently.
@lru_cache(maxsize=4096, typed=True)
def _address(urlconf: str, prefix: str, name: str, *args: str | int) -> str:
    return reverse(name, urlconf=urlconf, args=args)


def quoted_id(item_id: str) -> str:
    """An id as it stands in an address: most are letters and digits, of which nothing is quoted."""
    return item_id if item_id.isascii() and item_id.isalnum() else quote(item_id, safe="")
