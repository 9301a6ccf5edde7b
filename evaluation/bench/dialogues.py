"""Synthetic support dialogues for benchmarks: a function of a number, so that every run measures the same."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from operators.parse import serialise
from state.model import Message, Role, Subject

_START = datetime(2026, 1, 5, 9, tzinfo=UTC)
_ITEMS = (
    "desk",
    "reading lamp",
    "garden chair",
    "sofa",
    "tall oak bookcase",
    "mirror",
    "small round carpet",
    "wardrobe with two doors",
)
_STREETS = (
    "Mill Lane",
    "Upper Harbour Street",
    "Oak Avenue",
    "Old Station Road",
    "High Street Flat {flat}",
    "Garden Way Building {flat} Second Floor",
    "Church Hill Door {flat}",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_NAMES = ("Maya", "Oren", "Leila", "Tobias", "Ines", "Keiko", "Bruno", "Rosalind")
_LINES = (
    "Hello, I would like to order the {item} in {colour}, please.",
    "Thank you {name}. The {item} costs €{price} and your order number is {order}.",
    "My delivery address is {house} {street}.",
    "Delivery is on {day} at {hour} am, does that suit you?",
    "Yes, {that} works for me.",
    "Because delivery of the {count} {item}s is on {day}, I am taking that day off.",
    "Please change the delivery address to {house} {street}.",
    "Done, the delivery address is now {house} {street}.",
    "Could you make it {count} {item}s instead?",
    "Of course, {count} {item}s it is, for €{price} in all.",
    "我的电话号码改成{phone}了{please}",
    "好的，电话号码已改为{phone}{please}",
    "Thanks a lot{name_too}, have a nice {day}{too}!",
)
_COLOURS = ("oak", "walnut", "white", "black", "light green", "a dark shade of blue")
_PLEASE = ("。", "，谢谢。", "，麻烦您了。", "，非常感谢您的耐心等待。", "！")
_THAT = ("that", "that day", "that time of the day", "that", "all of that")
_TOO = ("", " too", " and all the best", "", " over there")


def text_of(number: int) -> str:
    """The text of a message. Its length varies and few are equal, since real traffic has few equal scores."""
    turn = number // len(_LINES)
    name, flat = _NAMES[number // 11 % len(_NAMES)], 1 + number * 7 % 90
    return _LINES[number % len(_LINES)].format(
        item=_ITEMS[turn * 3 % len(_ITEMS)],
        colour=_COLOURS[number // 7 % len(_COLOURS)],
        name=name,
        name_too=("", f" {name}", f" {name}, as ever")[turn % 3],
        price=80 + number * 7 % 900,
        order=50_000 + number,
        house=1 + number * 3 % 240,
        street=_STREETS[number * 5 // 13 % len(_STREETS)].format(flat=flat),
        day=_DAYS[number // 3 % len(_DAYS)],
        hour=8 + number % 4,
        count=2 + number % 9,
        phone=13_800_000_000 + number * 97,
        please=_PLEASE[turn * 2 % len(_PLEASE)],
        that=_THAT[turn % len(_THAT)],
        too=_TOO[turn // 3 % len(_TOO)],
    )


def dialogues(
    subjects: int, messages: int, *, tenant: str = "bench", prefix: str = "customer"
) -> Iterator[Message]:
    """`messages` messages to each of `subjects` subjects, one subject after the other, a minute apart.

    Every 26 messages a day passes, so that a long subject has many sessions.
    """
    for one in range(subjects):
        name = f"{prefix}-{one}"
        for number in range(messages):
            customer = number % 2 == 0
            yield Message(
                subject=Subject(tenant, name),
                conversation=name,
                id=f"{name}/{number}",
                role=Role.USER if customer else Role.AGENT,
                speaker=_NAMES[one % len(_NAMES)] if customer else "Support",
                content=text_of(number + one * 31),
                sent_at=_START + timedelta(minutes=number, days=number // 26),
            )


def lines(messages: Iterator[Message]) -> list[bytes]:
    """The messages as a source would send them."""
    return [serialise(message) for message in messages]
