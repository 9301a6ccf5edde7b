"""`DELETE /v1/subjects/…` on servers: a worker does it, and the caller is told what was removed, or that it
is still to be done."""

from collections.abc import Iterator

import pytest

from tests.pipeline.command import lines, message
from tests.pipeline.installation import ENCODER, Installation, Service, installation, of_tenant
from tests.servers import broker, redis_server
from tests.stream.worker_process import Worker

pytestmark = pytest.mark.skipif(
    bool(broker.absent() or redis_server.absent()), reason="the broker or Redis 7 is absent"
)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with installation(tmp_path_factory.mktemp("here")) as one:
        one.take(lines([message(1), message(1, tenant="globex"), message(2, subject="bob")]))
        yield one


@pytest.fixture(scope="module")
def service(here: Installation) -> Iterator[Service]:
    one = Service(here)
    yield one
    one.close()


def delete(service: Service, subject: str, tenant: str = "acme") -> tuple[int, dict[str, object]]:
    answer = service.client.delete(f"/v1/subjects/{subject}", headers=of_tenant(tenant))
    return answer.status_code, answer.json()


def test_without_a_worker_it_is_written_down_and_done_by_the_next(
    here: Installation, service: Service
) -> None:
    status, told = delete(service, "ann")
    assert (status, told["tenant"], told["subject"]) == (202, "acme", "ann")
    assert service.get("/v1/subjects/ann/state", "acme").status_code == 200
    assert here.work().code == 0
    assert service.get("/v1/subjects/ann/state", "acme").status_code == 404
    assert service.get("/v1/subjects/ann/state", "globex").status_code == 200


def test_with_a_worker_it_is_told_what_was_removed(here: Installation, service: Service) -> None:
    environment = {**here.env, "STET_RECOVERY_DIR": str(here.recovery), "STET_ENCODER": ENCODER}
    worker = Worker(here.recovery.parent / "worker.log", environment)
    try:
        worker.wait_until_ready()
        status, told = service.wait_for(
            lambda: found if (found := delete(service, "bob"))[0] == 200 else None
        )
        assert (status, told["messages"], told["notes"]) == (200, 1, 1)
        assert service.get("/v1/subjects/bob/state", "acme").status_code == 404
        assert delete(service, "bob")[0] == 404
        assert delete(service, "x" * 300)[0] == 404
    finally:
        worker.terminate()
        worker.end()
