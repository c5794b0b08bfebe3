"""The same over TLS, as wherever it is installed: what TLS breaks after the request was sent is not denied."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.certificates import certificate_for_localhost
from tests.dashboard.no_false_statement.acts import FORMS
from tests.dashboard.no_false_statement.stage import Act, Run, Stage, Weather
from tests.dashboard.no_false_statement.test_no_false_statement import QUICK_AGAIN, name_of, staged
from tests.faults import TLS_MODES

ALL = [
    pytest.param(act, Weather(mode, "500"), marks=() if act.__name__ in QUICK_AGAIN else pytest.mark.full)
    for act in FORMS
    for mode in TLS_MODES
]


@pytest.fixture(scope="module")
def tls_stage(
    django_db_blocker: DjangoDbBlocker, service_address: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    """A business whose service is talked to over TLS, with a certificate that the dashboard trusts."""
    tls, bundle = certificate_for_localhost(tmp_path_factory.mktemp("tls"))
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patched:
        patched.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", bundle)
        with staged(service_address, tls) as built:
            yield built


@pytest.mark.parametrize(("act", "weather"), ALL, ids=name_of)
def test_nothing_that_is_said_is_false_where_tls_breaks(
    committed: None, tls_stage: Stage, act: type[Act], weather: Weather
) -> None:
    run = Run(act(tls_stage), weather)
    run.play()
    wrong = run.judge()
    assert not wrong, "\n".join(wrong)
