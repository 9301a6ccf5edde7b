"""A store that is away is waited for, told of once, and nothing that it was to be given is dropped (I5)."""

import threading
from collections.abc import Callable

import pytest
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
    TryAgainError,
    WatchError,
)

from pipeline.kafka_producer import RecordRefused
from pipeline.metrics import Store
from pipeline.patience import BrokerAway, Patience, StoppedWaiting, store_of
from state.encoder import EncoderError
from state.graph_change import Fenced, Overtaken
from state.note_points import NoteStoreError
from tests.servers.redis_server import RedisServer

REDIS_GOES = ConnectionError("Error 111 connecting to\n10.0.0.1:6379")
MANY = 40


class Clock(threading.Event):
    """Lets no time pass, and remembers how long was to be waited; a stop comes at the given wait."""

    def __init__(self, stop_at: int | None = None) -> None:
        super().__init__()
        self.waits: list[float] = []
        self._stop_at = stop_at

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.waits.append(timeout)
        if len(self.waits) == self._stop_at:
            self.set()
        return self.is_set()


class Failing:
    """A call that raises each of `errors` in turn, and then answers."""

    def __init__(self, *errors: Exception) -> None:
        self._left = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self._left:
            raise self._left.pop(0)
        return "done"


class Run:
    """A patience, and what it says."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.clock = Clock(stop_at)
        self.told: list[str] = []
        self.retried: list[Store] = []
        self.patience = Patience(self.clock, self.told.append, self.retried.append)

    def __call__(self, *errors: Exception) -> str:
        return self.patience.call(Failing(*errors))


class TestWhatIsWaitedFor:
    @pytest.mark.parametrize(
        ("error", "store"),
        [
            (ConnectionError("refused"), "redis"),
            (TimeoutError("no answer"), "redis"),
            (BusyLoadingError("loading the AOF"), "redis"),
            (ReadOnlyError("a failover is on"), "redis"),
            (OutOfMemoryError("maxmemory"), "redis"),
            (ClusterDownError("CLUSTERDOWN"), "redis"),
            (TryAgainError("resharding"), "redis"),
            (AuthenticationError("the password was changed"), "redis"),
            (ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), "redis"),
            (ResponseError("NOREPLICAS Not enough good replicas to write."), "redis"),
            (NoteStoreError("Qdrant does not answer"), "qdrant"),
            (BrokerAway("not acknowledged"), "kafka"),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
    )
    def test_is_a_store_that_is_away(self, error: Exception, store: Store) -> None:
        assert store_of(error) == store
        run = Run()
        assert run(error) == "done"
        assert run.retried == [store]

    @pytest.mark.parametrize(
        "error",
        [
            ResponseError("WRONGTYPE Operation against a key"),
            WatchError("changed"),
            RedisError("of another kind"),
            RecordRefused("too large"),
            Fenced("FENCED 3"),
            EncoderError("another encoder"),
            ValueError("a fault of ours"),
            OSError("the disk"),
        ],
        ids=lambda error: type(error).__name__,
    )
    def test_is_nothing_that_waiting_would_not_mend(self, error: Exception) -> None:
        run = Run()
        with pytest.raises(type(error)) as raised:
            run(error)
        assert raised.value is error
        assert (run.clock.waits, run.told, run.patience.away) == ([], [], {})

    def test_a_write_that_was_made_after_all_is_worked_out_again_at_once(self) -> None:
        run = Run()
        action = Failing(Overtaken("OVERTAKEN 4"), Overtaken("OVERTAKEN 5"))
        assert run.patience.call(action) == "done"
        assert action.calls == 3
        assert (run.clock.waits, run.told) == ([], [])

    def test_a_redis_that_takes_no_writes_for_want_of_replicas(self, own_redis: RedisServer) -> None:
        with own_redis.client() as client:
            client.config_set("min-replicas-to-write", 1)
            told: list[str] = []

            def mended(store: Store) -> None:
                client.config_set("min-replicas-to-write", 0)

            patience = Patience(threading.Event(), told.append, mended)
            assert patience.call(lambda: client.eval("return redis.call('SET', KEYS[1], 'b')", 1, "a"))
            assert [line.split(" ")[:3] for line in told] == [
                ["redis", "is", "away"],
                ["redis", "is", "back"],
            ]


class TestBackOff:
    def test_begins_short_grows_and_is_bounded(self) -> None:
        run = Run()
        run(*[REDIS_GOES] * MANY)
        waits = run.clock.waits
        assert len(waits) == MANY
        longest = [min(0.05 * 2**n, 5.0) for n in range(MANY)]
        assert all(most / 2 <= wait <= most for wait, most in zip(waits, longest, strict=True))

    def test_differs_so_that_the_processes_do_not_all_come_at_once(self) -> None:
        run = Run()
        run(*[REDIS_GOES] * MANY)
        assert len(set(run.clock.waits[-10:])) > 1

    def test_begins_anew_once_the_store_was_back(self) -> None:
        run = Run()
        run(*[REDIS_GOES] * 10)
        run(REDIS_GOES)
        assert run.clock.waits[-1] <= 0.05


class TestWhatIsTold:
    def test_a_store_that_goes_and_comes_is_told_of_once_each(self) -> None:
        run = Run()
        run(*[REDIS_GOES] * 5)
        assert run.told == [
            "redis is away (Error 111 connecting to 10.0.0.1:6379): waiting for it",
            "redis is back",
        ]
        assert run.retried == ["redis"] * 5
        run()
        assert len(run.told) == 2

    def test_of_several_each_is_told(self) -> None:
        run = Run()
        run(REDIS_GOES, NoteStoreError("Qdrant does not answer"), REDIS_GOES)
        assert [line.partition(" (")[0] for line in run.told] == [
            "redis is away",
            "qdrant is away",
            "redis is back",
            "qdrant is back",
        ]

    def test_an_error_without_words_is_told_by_its_kind(self) -> None:
        run = Run()
        run(TimeoutError())
        assert "(TimeoutError)" in run.told[0]

    def test_a_long_error_is_cut_to_a_line(self) -> None:
        run = Run()
        run(BrokerAway("x\n" * 10_000))
        assert len(run.told[0]) < 300
        assert "\n" not in run.told[0]

    def test_while_it_is_away_one_can_see_why(self) -> None:
        seen: list[dict[Store, str]] = []
        run = Run()
        errors: list[Exception] = [BrokerAway("first"), BrokerAway("then")]

        def action() -> None:
            seen.append(run.patience.away)
            if errors:
                raise errors.pop(0)

        run.patience.call(action)
        assert seen == [{}, {"kafka": "first"}, {"kafka": "then"}]
        assert run.patience.away == {}


class TestStop:
    def test_ends_the_waiting_and_says_that_nothing_is_lost(self) -> None:
        run = Run(stop_at=3)
        action = Failing(*[REDIS_GOES] * MANY)
        with pytest.raises(StoppedWaiting, match=r"while redis was away .* nothing is lost"):
            run.patience.call(action)
        assert action.calls == 3

    def test_that_came_before_leaves_a_call_that_succeeds_alone(self) -> None:
        run = Run()
        run.clock.set()
        assert run() == "done"

    def test_wakes_one_that_waits(self) -> None:
        """With a real clock: the wait itself is what a stop ends."""
        stopping, away = threading.Event(), threading.Event()
        patience = Patience(stopping, lambda line: away.set())
        ended: list[BaseException] = []

        def wait() -> None:
            try:
                patience.call(always(BrokerAway("gone")))
            except StoppedWaiting as error:
                ended.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        assert away.wait(20)
        stopping.set()
        waiting.join(20)
        assert len(ended) == 1


def always(error: Exception) -> Callable[[], None]:
    def raise_it() -> None:
        raise error

    return raise_it
