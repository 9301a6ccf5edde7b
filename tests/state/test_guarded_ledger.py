"""A ledger beside which subjects are forgotten: what was asked before is not remembered after."""

from redis import Redis

from state.guarded_ledger import SHUT, GuardedLedger
from state.ledger import Ledger, Remembered
from state.model import Subject

MAYA, BEN = Subject("acme", "周晓雯"), Subject("acme", "ben")
TOLD = {"k": Remembered("answer", "m", "p/1", '"oak"')}


def test_nothing_is_remembered_about_a_subject_that_is_being_forgotten(redis: Redis) -> None:
    now = [100.0]
    ledger = GuardedLedger(redis, lambda: now[0])
    assert ledger.remember(MAYA, TOLD) == TOLD
    ledger.shut(MAYA)
    ledger.forget(MAYA)
    assert ledger.remember(MAYA, TOLD) == {}
    assert Ledger(redis).read(MAYA, TOLD) == {}
    assert ledger.remember(BEN, TOLD) == TOLD
    assert ledger.remember(Subject("rival", MAYA.name), TOLD) == TOLD
    now[0] += SHUT
    assert ledger.remember(MAYA, TOLD) == TOLD
