"""A business's pages: one room per area, each under its name; a room that is module elsewhere says where in PREFIX."""

from importlib import import_module
from pkgutil import iter_modules

from django.urls import URLPattern, URLResolver, include, path

from dashboard import pages


def _addresses_of(room: str) -> URLResolver:
    urls = import_module(f"{pages.__name__}.{room}.urls")
    return path(getattr(urls, "PREFIX", f"{room.replace('_', '-')}/"), include(urls))


urlpatterns: list[URLPattern | URLResolver] = [
    _addresses_of(module.name) for module in iter_modules(pages.__path__) if module.ispkg
]
