"""Under which names an event is found."""

from state.names import EVENT_KEYS, QUESTION_KEYS, name_keys, name_words
from tests.query_service.worlds import World


def keys(entity: str, attribute: str, speaker: str = "Ada Byron") -> tuple[str, ...]:
    world = World()
    world.say("m1", 0, "text", speaker)
    world.state("e1", "m1", (entity, attribute, "the value"))
    return name_keys(world.events[0])


def test_an_event_is_filed_by_entity_attribute_and_participants_but_not_by_its_value() -> None:
    assert keys("kitchen", "budgets") == ("name:kitchen", "name:budget", "name:ada", "name:byron")


def test_a_question_finds_it_in_any_form_of_the_words() -> None:
    asked = name_words("What is Ada's BUDGET for the Kitchen?")
    assert set(keys("kitchen", "budgets")) & set(asked) == {"name:kitchen", "name:budget", "name:ada"}


def test_chinese_names_are_found() -> None:
    assert set(keys("水果周卡", "价格")) & set(name_words("水果周卡现在多少钱？"))


def test_an_event_has_a_handful_of_keys_and_each_once() -> None:
    made = keys("one two three four five six seven one", "eight nine ten eleven twelve thirteen fourteen")
    assert len(made) == EVENT_KEYS == len(set(made))
    assert len(name_words(" ".join(f"word{i}" for i in range(100)))) == QUESTION_KEYS
