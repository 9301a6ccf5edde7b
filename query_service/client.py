"""A client of the HTTP service, with typed answers.

    with StetClient("http://127.0.0.1:8080", tenant="acme") as stet:
        stet.remember([Said("maya", "Change the address to 3 Mill Lane.", conversation="order-5512")])
        stet.state("maya").entities

It needs none of what the service needs: no store, no encoder and no server is imported with it.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from query_service.client_answers import M, NotKnown, StetError, read, refusal
from query_service.http_answer_models import WrittenAnswerOut
from query_service.http_forest_models import ForestOut, TurnContextOut
from query_service.http_forget_models import DeletedOut, ForgottenOut
from query_service.http_graph_models import GraphOut, MessagesOut, MessageTextOut, SubjectsOut
from query_service.http_models import AnswerOut, Readiness, Receipts
from query_service.http_state_models import EventOut, StateOut, WhyOut
from query_service.said import Said

__all__ = ["NotKnown", "NotReadInTime", "Said", "StetClient", "StetError"]

When = datetime | date
TRY_LATER = (429, 503)
MOST_WAIT = 30.0
"""The longest that the client waits by itself before it asks again, in seconds."""
_AGAIN = 0.05
_WRITTEN_DOWN = 202
_IDS_AT_ONCE = 50
_NAMES_AT_ONCE = 1_000


class NotReadInTime(Exception):
    """What was remembered is kept, and was not processed within the time that was given."""


class StetClient:
    """One tenant's view of a service. Any number of threads may share it; `close` gives up its connections.

    Every call raises StetError where it is refused, and what httpx raises where there is no answer. What is
    refused for now (429, 503) is asked again, `attempts` times in all, as long as that takes at most
    MOST_WAIT seconds each: no call does anything twice that counts.
    """

    def __init__(
        self,
        base_url: str,
        *,
        tenant: str | None = None,
        key: str | None = None,
        timeout: float = 120.0,
        attempts: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`key` is an API key, whose tenant need not be named; without one, `tenant` names it."""
        # As bytes: a tenant may have any letters, and texts in headers are Latin.
        headers: dict[bytes, bytes] = {}
        if key is not None:
            headers[b"Authorization"] = b"Bearer " + key.encode()
        if tenant is not None:
            headers[b"X-Stet-Tenant"] = tenant.encode()
        self._http = httpx.Client(base_url=base_url, headers=headers, timeout=timeout, transport=transport)
        self._tenant = tenant
        self._attempts = attempts

    @property
    def tenant(self) -> str:
        """The tenant that this client speaks for. Asks the service once where it was not named, and raises
        StetError where that knows of none."""
        if self._tenant is None:
            told = json.loads(self._asked("GET", "/v1/whoami").content)["tenant"]
            if not isinstance(told, str):
                raise StetError(400, "name the tenant, or give a key", {})
            self._tenant = told
        return self._tenant

    def remember(self, said: Sequence[Said], read_within: float | None = None) -> Receipts:
        """Keeps messages, at most 1,000; durable on return, with a receipt for each. Where none is accepted
        StetError has the receipts in `problem`.

        With `read_within`, returns once questions find them, and raises NotReadInTime after so many seconds.
        """
        rows = [one.row(self.tenant) for one in said]
        receipts = self._told(Receipts, "POST", "/v1/messages", body=rows)
        if read_within is not None:
            kept = [said[receipt.index] for receipt in receipts.results if receipt.accepted]
            self._wait_for(kept, time.monotonic() + read_within)
        return receipts

    def ask(
        self,
        subject: str,
        question: str,
        *,
        as_of: When | None = None,
        known_at: When | None = None,
        budget: int | None = None,
        qid: str | None = None,
    ) -> AnswerOut:
        """The evidence for a question, best first, and a context under a budget of tokens."""
        body = _given(
            subject=subject, question=question, as_of=as_of, known_at=known_at, budget=budget, qid=qid
        )
        return self._told(AnswerOut, "POST", "/v1/ask", body=body)

    def answer(
        self,
        subject: str,
        question: str,
        *,
        as_of: When | None = None,
        known_at: When | None = None,
        budget: int | None = None,
        qid: str | None = None,
        context: bool = False,
    ) -> WrittenAnswerOut:
        """An answer in words by the service's model; StetError has 501 where it has none."""
        body = _given(
            subject=subject, question=question, as_of=as_of, known_at=known_at, budget=budget, qid=qid
        )
        return self._told(WrittenAnswerOut, "POST", "/v1/answer", body={**body, "context": context})

    def context(
        self,
        subject: str,
        message: str,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        qid: str | None = None,
    ) -> TurnContextOut:
        """What is needed to answer a message that has just come. It is not kept by this."""
        body = _given(subject=subject, message=message, conversation=conversation, budget=budget, qid=qid)
        return self._told(TurnContextOut, "POST", "/v1/context", body=body)

    def state(self, subject: str, *, as_of: When | None = None, history: bool = False) -> StateOut:
        """The facts that stand; with `history`, also what they replaced."""
        query = _given(as_of=as_of, history="true" if history else None)
        return self._told(StateOut, "GET", f"/v1/subjects/{_part(subject)}/state", query)

    def subjects(
        self, *, starts_with: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> SubjectsOut:
        """A page of the tenant's subjects by name; `cursor` is the `next` of the page before."""
        query = _given(starts_with=starts_with, limit=limit, cursor=cursor)
        return self._told(SubjectsOut, "GET", "/v1/subjects", query)

    def all_subjects(self, starts_with: str | None = None) -> Iterator[str]:
        """All names, or those that start so, in order; asks for a page whenever one is used up."""
        page = self.subjects(starts_with=starts_with, limit=_NAMES_AT_ONCE)
        yield from page.subjects
        while page.next is not None:
            page = self.subjects(starts_with=starts_with, limit=_NAMES_AT_ONCE, cursor=page.next)
            yield from page.subjects

    def graph(
        self,
        subject: str,
        *,
        since: When | None = None,
        until: When | None = None,
        around: str | None = None,
        as_of: When | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> GraphOut:
        """A page of what was said, the events that it states and their edges, the latest first. `cursor` is
        the `earlier` or `later` of another page, `around` an event to look around instead."""
        query = _given(since=since, until=until, around=around, as_of=as_of, limit=limit, cursor=cursor)
        return self._told(GraphOut, "GET", f"/v1/subjects/{_part(subject)}/graph", query)

    def messages(self, subject: str, ids: Sequence[str]) -> list[MessageTextOut]:
        """Messages in their own words, at most 100; those that are unknown are left out."""
        path = f"/v1/subjects/{_part(subject)}/messages"
        return self._told(MessagesOut, "GET", path, {"id": list(ids)}).messages

    def forest(
        self,
        subject: str,
        *,
        topics: int | None = None,
        turns: int | None = None,
        cursor: str | None = None,
    ) -> ForestOut:
        """A page of the topics as trees, those spoken of last first; `cursor` is the `next` of the page
        before."""
        query = _given(topics=topics, turns=turns, cursor=cursor)
        return self._told(ForestOut, "GET", f"/v1/subjects/{_part(subject)}/forest", query)

    def event(self, event: str, *, as_of: When | None = None) -> EventOut:
        """One event with its edges and its validity."""
        return self._told(EventOut, "GET", f"/v1/events/{_part(event)}", _given(as_of=as_of))

    def why(self, event: str, *, as_of: When | None = None) -> WhyOut:
        """Why an event stands or does not, step by step."""
        return self._told(WhyOut, "GET", f"/v1/events/{_part(event)}/why", _given(as_of=as_of))

    def delete_message(self, subject: str, message: str) -> DeletedOut:
        """Deletes one message for good, with all that was drawn from it; durable on return."""
        path = f"/v1/subjects/{_part(subject)}/messages/{_part(message)}"
        return self._told(DeletedOut, "DELETE", path)

    def forget(self, subject: str) -> ForgottenOut | None:
        """Removes all of a subject, for good, and says what was removed; None where that is written down and
        will be done, as on servers whose workers are busy."""
        response = self._asked("DELETE", f"/v1/subjects/{_part(subject)}")
        return None if response.status_code == _WRITTEN_DOWN else read(ForgottenOut, response)

    def readiness(self) -> Readiness:
        """Whether the service can answer now, and if not, why."""
        return read(Readiness, self._http.get("/readyz"))

    def close(self) -> None:
        """Closes the connections. Closing twice is no error."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _told(
        self,
        shape: type[M],
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: object = None,
    ) -> M:
        return read(shape, self._asked(method, path, query, body))

    def _asked(
        self, method: str, path: str, query: Mapping[str, Any] | None = None, body: object = None
    ) -> httpx.Response:
        for attempt in range(1, self._attempts + 1):
            response = self._http.request(method, path, params=query, json=body)
            if response.is_success:
                return response
            error = refusal(response)
            wait = error.retry_after if error.retry_after is not None else 1.0
            if response.status_code not in TRY_LATER or attempt == self._attempts or wait > MOST_WAIT:
                raise error
            time.sleep(wait)
        raise ValueError("at least one attempt has to be made")

    def _wait_for(self, said: Iterable[Said], until: float) -> None:
        missing: dict[str, set[str]] = {}
        for one in said:
            missing.setdefault(one.subject, set()).add(one.id)
        for subject, ids in missing.items():
            while ids:
                some = sorted(ids)[:_IDS_AT_ONCE]
                found = self.messages(subject, some)
                ids.difference_update(message.id for message in found)
                if ids and time.monotonic() > until:
                    raise NotReadInTime(f"{len(ids)} messages are kept and not processed yet")
                if not found:
                    time.sleep(_AGAIN)


def _part(name: str) -> str:
    return quote(name, safe="")


def _given(**fields: object) -> dict[str, Any]:
    """What was given of these, with times as texts."""
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in fields.items()
        if value is not None
    }
