"""Django's sessions in the database, read by a statement that is written once: each request reads one."""

from functools import lru_cache

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone


class SessionStore(db.SessionStore):
    """Django's own; what is stored and when a session ends are its."""

    def _get_session_from_db(self) -> Session | None:
        with connection.cursor() as cursor:
            cursor.execute(_statement(), (self.session_key, timezone.now()))
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return None
        return Session(session_key=self.session_key or "", session_data=row[0])


@lru_cache(maxsize=1)
def _statement() -> str:
    # One after the other: the ORM sorts the conditions of one call by their names.
    sessions = Session.objects.filter(session_key="-").filter(expire_date__gt=timezone.now())
    sql, _ = sessions.values_list("session_data").query.sql_with_params()
    return str(sql)
