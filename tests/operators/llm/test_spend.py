"""What calls took, by tenant, day, purpose and model; and the daily budget."""

from datetime import UTC, date, datetime

import pytest
from redis import Redis

from operators.llm.failure import BudgetSpent
from operators.llm.purpose import Purpose
from operators.llm.spend import Spend, Spent
from state.redis_client import connect

MONDAY, TUESDAY = date(2026, 3, 2), date(2026, 3, 3)


class Clock:
    now = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def test_calls_and_tokens_are_added_up_by_day_purpose_and_model(redis: Redis) -> None:
    clock = Clock()
    spend = Spend(redis, now=clock)
    spend.add("acme", Purpose.DISTILL, "org/small model", 100, 10)
    spend.add("acme", Purpose.DISTILL, "org/small model", 200, 20)
    spend.add("acme", Purpose.RELATE, "org/small model", 1, 2)
    spend.add("acme", Purpose.DISTILL, "large", 5, 6)
    clock.now = datetime(2026, 3, 3, 0, 0, tzinfo=UTC)
    spend.add("acme", Purpose.ANSWER, "large", 7, 8)
    assert spend.of("acme", MONDAY, TUESDAY) == [
        Spent(MONDAY, Purpose.DISTILL, "large", 1, 5, 6),
        Spent(MONDAY, Purpose.DISTILL, "org/small model", 2, 300, 30),
        Spent(MONDAY, Purpose.RELATE, "org/small model", 1, 1, 2),
        Spent(TUESDAY, Purpose.ANSWER, "large", 1, 7, 8),
    ]
    assert spend.of("acme", TUESDAY, TUESDAY) == [Spent(TUESDAY, Purpose.ANSWER, "large", 1, 7, 8)]
    assert spend.of("acme", TUESDAY, MONDAY) == []


def test_tenants_do_not_see_each_others(redis: Redis) -> None:
    spend = Spend(redis, now=Clock())
    for tenant in ("acme", "acme}:2026-03-02", "acme:x"):
        spend.add(tenant, Purpose.ANSWER, "m", 1, 1)
    for tenant in ("acme", "acme}:2026-03-02", "acme:x"):
        assert spend.of(tenant, MONDAY, MONDAY) == [Spent(MONDAY, Purpose.ANSWER, "m", 1, 1, 1)]
    assert spend.of("other", MONDAY, MONDAY) == []


def test_a_tenant_that_has_used_its_tokens_waits_for_the_next_day(redis: Redis) -> None:
    clock = Clock()
    spend = Spend(redis, daily_tokens=100, now=clock)
    spend.add("acme", Purpose.DISTILL, "m", 90, 9)
    spend.check("acme")
    spend.add("acme", Purpose.ANSWER, "m", 1, 0)
    with pytest.raises(BudgetSpent, match="acme") as caught:
        spend.check("acme")
    assert caught.value.retry_after == 6 * 3600
    assert not caught.value.lasting
    spend.check("other")
    clock.now = datetime(2026, 3, 3, 0, 0, 1, tzinfo=UTC)
    spend.check("acme")


def test_without_a_budget_any_amount_may_be_used(redis: Redis) -> None:
    spend = Spend(redis, now=Clock())
    spend.add("acme", Purpose.DISTILL, "m", 10**12, 0)
    spend.check("acme")


def test_old_days_go_away_by_themselves(redis: Redis) -> None:
    Spend(redis, now=Clock()).add("acme", Purpose.DISTILL, "m", 1, 1)
    (name,) = redis.keys("stet:spend:*")
    assert 0 < redis.ttl(name) <= 400 * 86_400


def test_on_a_cluster(redis_cluster_url: str, tenant: str) -> None:
    spend = Spend(connect(redis_cluster_url), daily_tokens=5, now=Clock())
    spend.add(tenant, Purpose.RELATE, "m", 2, 3)
    assert spend.of(tenant, date(2026, 2, 20), TUESDAY) == [Spent(MONDAY, Purpose.RELATE, "m", 1, 2, 3)]
    with pytest.raises(BudgetSpent):
        spend.check(tenant)
