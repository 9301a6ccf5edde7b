"""Taking things back over HTTP: one message through the intake, a subject through what forgets."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from fastapi.testclient import TestClient

from operators.parse import MAX_REVISION
from query_service.http_app import create_app
from query_service.intake import Unavailable
from state.forget_receipt import Receipt
from state.model import Op, Subject
from tests.query_service.test_http_app import RIVAL, TENANT, Runtime
from tests.query_service.test_http_app import runtime as runtime
from tests.query_service.worlds import NOW

NOTHING = Receipt("shop", "conv/1", 0, 0, 0, 0, 0, 0, 0, 0, 0)


def client_of(runtime: Runtime, forget: Callable[[Subject], Receipt] | None) -> TestClient:
    return TestClient(create_app(runtime, lambda: NOW, forget=forget), raise_server_exceptions=False)


@pytest.mark.parametrize(("subject", "message"), [("conv/1", "conv/1/1"), ("周晓雯", "订单/3")])
def test_a_message_is_deleted_through_the_intake_and_no_edit_overtakes_that(
    runtime: Runtime, subject: str, message: str
) -> None:
    answer = client_of(runtime, None).delete(f"/v1/subjects/{subject}/messages/{message}", headers=TENANT)
    assert answer.status_code == 202
    told = answer.json()
    assert (told["tenant"], told["subject"], told["message"]) == ("shop", subject, message)
    assert datetime.fromisoformat(told["deleted_at"]) == NOW
    (record,) = runtime.taken
    assert (record.subject, record.id, record.op) == (Subject("shop", subject), message, Op.DELETE)
    assert record.revision == MAX_REVISION


def test_what_can_be_no_id_is_refused(runtime: Runtime) -> None:
    client = client_of(runtime, None)
    answer = client.delete(f"/v1/subjects/ann/messages/{'x' * 300}", headers=TENANT)
    assert (answer.status_code, answer.json()["reason"]) == (422, "id_too_long")
    assert client.delete("/v1/subjects/ann/messages/", headers=TENANT).status_code == 422
    assert not runtime.taken


def test_an_intake_that_is_away_asks_to_try_again(runtime: Runtime) -> None:
    runtime.full = True
    answer = client_of(runtime, None).delete("/v1/subjects/ann/messages/m1", headers=TENANT)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")


def test_a_subject_is_forgotten_in_the_callers_tenant_and_the_receipt_says_what_went(
    runtime: Runtime,
) -> None:
    asked: list[Subject] = []

    def forget(subject: Subject) -> Receipt:
        asked.append(subject)
        return replace(NOTHING, tenant=subject.tenant, subject=subject.name, messages=3, records=4)

    answer = client_of(runtime, forget).delete("/v1/subjects/conv/1", headers=RIVAL)
    assert answer.status_code == 200
    assert asked == [Subject("rival", "conv/1")]
    assert (answer.json()["tenant"], answer.json()["messages"], answer.json()["records"]) == ("rival", 3, 4)


def test_a_subject_of_which_nothing_was_found_is_unknown(runtime: Runtime) -> None:
    assert client_of(runtime, lambda _: NOTHING).delete("/v1/subjects/x", headers=TENANT).status_code == 404


def test_without_a_way_to_forget_the_answer_says_what_to_do(runtime: Runtime) -> None:
    answer = client_of(runtime, None).delete("/v1/subjects/conv/1", headers=TENANT)
    assert answer.status_code == 501
    assert "deploy/README.md" in answer.json()["detail"]


def test_where_the_stream_does_not_come_to_rest_nothing_is_removed(runtime: Runtime) -> None:
    def busy(_: Subject) -> Receipt:
        raise Unavailable("nothing was removed: it is busy")

    answer = client_of(runtime, busy).delete("/v1/subjects/conv/1", headers=TENANT)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
