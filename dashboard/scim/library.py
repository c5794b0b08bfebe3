"""scim2-models, loaded by the first request of an identity provider: a third of the time that all else takes to load, and
16 MB, in each process that never gets such a request."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from django.utils.functional import SimpleLazyObject

if TYPE_CHECKING:
    import scim2_models as scim2_models
else:
    scim2_models = SimpleLazyObject(partial(import_module, "scim2_models"))
