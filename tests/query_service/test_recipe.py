"""Leaving a part out of retrieval changes what that part brings, and nothing else."""

from query_service.ask import Answer, Asker
from query_service.recipe import WHOLE, Recipe
from tests.query_service.test_forest_paths import interleaved
from tests.query_service.worlds import NOW, piano, stores


def asked(recipe: Recipe, question: str = "When is the tuning?") -> Answer:
    held = stores(piano())
    asker = Asker(held.reader, held.notes, held.encoder, lambda: NOW, recipe)
    return asker.ask(piano().subject, question)


def vias(recipe: Recipe) -> set[str]:
    view = interleaved()
    held = stores(views=[view])
    answer = Asker(held.reader, held.notes, held.encoder, lambda: NOW, recipe).ask(view.subject, "about k1")
    return {step.via for path in answer.paths for step in path.edges}


def test_all_parts_take_part_unless_told_otherwise() -> None:
    assert (WHOLE.hierarchy, WHOLE.updates, WHOLE.paths) == (True, True, True)
    held = stores(piano())
    default = held.asker.ask(piano().subject, "When is the tuning?")
    whole = asked(WHOLE)
    assert (default.evidence, default.context, default.paths) == (whole.evidence, whole.context, whole.paths)


def test_without_paths_the_answer_has_notes_alone() -> None:
    whole, without = asked(WHOLE), asked(Recipe(paths=False))
    assert whole.paths
    assert "Evidence" in whole.context
    assert without.paths == ()
    assert "Evidence" not in without.context
    assert without.evidence


def test_without_hierarchy_no_path_hops() -> None:
    assert vias(WHOLE) - {"edge"}
    assert vias(Recipe(hierarchy=False)) <= {"edge"}


def test_without_update_seeds_a_superseded_fact_is_still_marked() -> None:
    assert "SUPERSEDED" in asked(Recipe(updates=False)).context


def test_a_context_within_another_budget_is_the_one_that_asking_with_it_gives() -> None:
    held, subject, question = stores(piano()), piano().subject, "When is the tuning?"
    gathered = held.asker.gather(subject, question)
    for budget in (15, 60, 5_000):
        assert (
            held.asker.context_within(gathered, budget)
            == held.asker.ask(subject, question, budget=budget).context
        )
