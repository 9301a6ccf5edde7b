"""How it is told that rules read turns in a model's place (`pipeline.by_rules`)."""

from collections import Counter

from pipeline.by_rules import EVERY, ByRules


def test_it_is_told_at_once_then_now_and_then_and_at_the_end() -> None:
    counts, counted, told, now = Counter({"auth": 1}), [], [], [5.0]  # type: ignore[var-annotated]
    by_rules = ByRules(counts, counted.append, told.append, lambda: now[0])
    by_rules.add({"auth": 20})
    by_rules.add({"auth": 3})
    by_rules.add({"declined": 1})
    assert [line.partition(":")[0] for line in told] == [
        "the rules read 20 turns in the model's place (auth 20)"
    ]
    now[0] += EVERY
    by_rules.add({"auth": 1})
    assert "5 turns in the model's place (auth 4, declined 1)" in told[-1]
    by_rules.rest()
    assert (len(told), counts, counted) == (2, {"auth": 25, "declined": 1}, [20, 3, 1, 1])
    by_rules.add({"server": 1})
    by_rules.rest()
    assert "1 turn in" in told[-1]
