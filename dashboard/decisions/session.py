"""Is the session that a decision was taken in still alive? It ends when a role, a password or a factor changes."""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from dashboard.access.models import User
from dashboard.access.sessions import current_key


def is_alive(session_key: str, user: User) -> bool:
    """Whether the session exists, is this person's, and was made with the password they have now.

    A decision that was taken without a session (by a job on somebody's behalf) has none that could have ended.
    """
    if not session_key:
        return True
    store = import_module(settings.SESSION_ENGINE).SessionStore
    # One that was given a new id since, because its person proved again who they are, is the same session.
    held = store(session_key).load() or store(current_key(session_key, user.pk)).load()
    if held.get(SESSION_KEY) != str(user.pk) or not held.get(BACKEND_SESSION_KEY):
        return False
    proof = str(held.get(HASH_SESSION_KEY, ""))
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(proof, session_hash) for session_hash in hashes)
