"""A long made history of one customer, who keeps changing her mind: a year of orders, as messages."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

START = datetime(2025, 1, 6, 9, tzinfo=UTC)
STREETS = ("Harbour Street", "Mill Lane", "Station Road", "Orchard Row", "Castle Square", "Bridge Walk")
GOODS = ("desk", "lamp", "shelf", "chair", "table", "bench", "mirror", "rug")
COLOURS = ("oak", "walnut", "white", "black", "green", "grey")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def visit(number: int) -> tuple[str, ...]:
    """What is said on one day: what she says and what the shop says, by turns."""
    thing, colour, other = (
        GOODS[number % len(GOODS)],
        COLOURS[number % len(COLOURS)],
        COLOURS[(number + 1) % len(COLOURS)],
    )
    street, day = STREETS[number % len(STREETS)], DAYS[number % len(DAYS)]
    return (
        f"Hi, I'd like to order a {thing} in {colour}, please.",
        f"The {thing} costs {100 + number} euros. Your order number is {5000 + number}.",
        f"My delivery address is {number + 1} {street}, Bergen.",
        f"Delivery of the {thing} is on {day}.",
        f"Because delivery is on {day}, I'm taking that day off.",
        f"We're moving, so please change the delivery address to {number + 2} {street}, Bergen.",
        f"Done, the delivery address is now {number + 2} {street}, Bergen.",
        f"Please make the {thing} {other} instead of {colour}.",
        f"The {thing} is {other} now, and the price is {120 + number} euros.",
        "Perfect, thank you!",
    )


def messages(visits: int, tenant: str = "demo", subject: str = "nora") -> Iterator[dict[str, object]]:
    """The messages of so many visits, three days apart."""
    for number in range(visits):
        order = f"order-{number}"
        for turn, text in enumerate(visit(number)):
            hers = turn % 2 == 0
            sent = START + timedelta(days=3 * number, minutes=2 * turn)
            yield {
                "tenant": tenant,
                "subject": subject,
                "conversation": order,
                "id": f"{order}/{turn}",
                "role": "user" if hers else "agent",
                "speaker": "Nora" if hers else "Nordic Home",
                "content": text,
                "sent_at": sent.isoformat().replace("+00:00", "Z"),
            }


def written(visits: int) -> bytes:
    """The messages as lines of JSON."""
    return "".join(json.dumps(row) + "\n" for row in messages(visits)).encode()
