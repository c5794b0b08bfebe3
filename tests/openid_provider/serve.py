"""`python -m tests.openid_provider.serve PORT`: answers until its standard input ends; prints "ready" first."""

import os
import sys
import threading
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application


class Silent(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: what was asked is looked at by the tests."""


def main() -> None:
    django.setup()
    call_command("migrate", verbosity=0)
    server = make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), handler_class=Silent)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
