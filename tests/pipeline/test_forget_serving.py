"""A subject is forgotten, and a message deleted, while the service runs and takes messages."""

import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.command import message
from tests.pipeline.test_forget import GONE, of_gone, of_others, traces
from tests.pipeline.test_serving import Serving
from tests.pipeline.test_serving import serve as serve

ACME = {"X-Stet-Tenant": "acme"}


def stands(one: Serving, subject: str) -> str:
    answer = one.client.get(f"/v1/subjects/{subject}/state", headers=ACME)
    return answer.text if answer.status_code == 200 else ""


def test_forgotten_while_it_serves_it_is_in_no_file_and_the_rest_goes_on(
    serve: Callable[..., Serving],
) -> None:
    one = serve()
    for rows in (of_gone(), of_others(), of_gone("rival")):
        assert one.post(rows).status_code == 202
    one.wait_for(lambda: stands(one, GONE) and "3 Elm Row" in stands(one, "ann"))
    one.wait_for(lambda: one.metric("stet_log_backlog") == 0)

    taken: list[int] = []
    over = threading.Event()

    def keep_talking() -> None:
        n = 100
        while not over.is_set():
            taken.append(
                one.post([message(n, content=f"My order number is {n}.", subject="bob")]).status_code
            )
            n += 1

    talking = threading.Thread(target=keep_talking)
    talking.start()
    try:
        answer = one.client.delete(f"/v1/subjects/{GONE}", headers=ACME)
    finally:
        over.set()
        talking.join()
    receipt = answer.json()
    assert answer.status_code == 200, receipt
    assert (receipt["tenant"], receipt["subject"]) == ("acme", GONE)
    assert (receipt["messages"], receipt["records"], receipt["notes"]) == (3, 3, 3)
    assert set(taken) == {202}
    assert one.client.get(f"/v1/subjects/{GONE}/state", headers=ACME).status_code == 404
    assert one.client.delete(f"/v1/subjects/{GONE}", headers=ACME).status_code == 404
    assert one.client.get(f"/v1/subjects/{GONE}/state", headers={"X-Stet-Tenant": "rival"}).status_code == 200

    # What comes afterwards is processed, and what is said of the subject from then on is new.
    assert one.post([message(1, content="My phone is 555-0199.", subject="eve")]).status_code == 202
    one.wait_for(lambda: "555-0199" in stands(one, "eve"))
    one.wait_for(lambda: one.metric("stet_log_backlog") == 0)
    assert one.is_ready()


def test_no_byte_is_left_of_it_while_the_service_still_runs(serve: Callable[..., Serving]) -> None:
    one = serve()
    assert one.post(of_gone()).status_code == 202
    assert one.post(of_others()).status_code == 202
    one.wait_for(lambda: stands(one, GONE) and stands(one, "bob"))
    assert traces(one.data)
    assert one.client.delete(f"/v1/subjects/{GONE}", headers=ACME).status_code == 200
    assert traces(one.data) == set()
    assert one.end(signal.SIGTERM) == 0
    assert traces(one.data) == set()
    two = serve()
    assert "3 Elm Row" in stands(two, "ann")


@pytest.mark.parametrize(
    ("said", "value", "subject"),
    [("My phone is 555-0177.", "555-0177", "ann"), ("我的电话是13800138000。", "13800138000", "周晓雯")],
)
def test_a_deleted_message_takes_what_was_drawn_from_it_along_for_good(
    serve: Callable[..., Serving], said: str, value: str, subject: str
) -> None:
    one = serve()
    row = message(1, content=said, subject=subject, revision=4)
    assert one.post([row]).status_code == 202
    one.wait_for(lambda: value in stands(one, subject))
    assert one.client.delete(f"/v1/subjects/{subject}/messages/m/1", headers=ACME).status_code == 202
    one.wait_for(lambda: value not in stands(one, subject))
    assert one.post([{**row, "revision": 5}]).status_code == 202
    one.post([message(2, content="My phone is 555-0100.", subject=subject)])
    one.wait_for(lambda: "555-0100" in stands(one, subject))
    assert value not in stands(one, subject)


def test_a_stop_in_between_is_made_good_by_the_next_start(
    serve: Callable[..., Serving], tmp_path: Path
) -> None:
    one = serve()
    assert one.post(of_gone()).status_code == 202
    one.wait_for(lambda: stands(one, GONE))
    (one.data / "forgetting.json").write_text(f'{{"tenant": "acme", "subject": "{GONE}"}}')
    assert one.end(signal.SIGKILL) == -signal.SIGKILL
    two = serve()
    assert traces(two.data) == set()
