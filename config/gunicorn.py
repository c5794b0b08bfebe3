"""How gunicorn serves either program: threads, since a page's time goes to waiting for PostgreSQL and the service."""

import gc
import os
import sys
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from config.embedded import die_with_parent
from config.settings.base import LOGGING

for_service = "config.wsgi:service" in sys.argv
worker_class = "config.web_worker.ProblemWorker" if for_service else "gthread"
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
# Loaded once, then forked: half the time to start, and memory that is shared.
preload_app = True
timeout = 60
graceful_timeout = 5
keepalive = 5
accesslog = None
# Its lines have the form of all others; of requests the programs say more than it could.
logconfig_dict = LOGGING
# gunicorn would listen on a socket in the home folder, which may be read-only, and one for all.
control_socket_disable = True
# The published interface's headers business_id and org_wallet_ref have underscores, which gunicorn drops otherwise.
# Only the service takes them: in the dashboard nothing may look like a header that a proxy sets.
header_map = "dangerous" if for_service else "drop"
limit_request_line = 8190  # a filter may name many things
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108


def child_exit(server: Any, worker: Any) -> None:
    """What a worker that has ended counted stays in the sums; what it still was doing does not (prometheus_client)."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def pre_fork(server: Any, worker: Any) -> None:
    """What is loaded by now is shared with the workers as long as nobody writes to it, and a collector that looks for
    garbage writes into all that it looks at."""
    gc.collect()
    gc.freeze()


def post_fork(server: Any, worker: Any) -> None:
    """A worker must not outlive its master, which is killed when `up` is: there is nobody left to wait for its goodbye."""
    die_with_parent(parent=server.pid)
