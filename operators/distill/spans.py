"""Typed values in a text: the seam between finding them and using them."""

from dataclasses import dataclass
from enum import StrEnum

from state.model import Occurs


class ValueKind(StrEnum):
    """What a stretch of text denotes."""

    MONEY = "money"
    QUANTITY = "quantity"  # a number with a unit or a counted noun: "500 g", "3 nights", "84 guests", "5斤"
    NUMBER = "number"  # a bare number
    PERCENT = "percent"
    DATE = "date"  # a day, week, month or year
    TIME = "time"  # a clock time without a day
    DATETIME = "datetime"  # a day with a clock time
    DURATION = "duration"
    EMAIL = "email"
    PHONE = "phone"
    URL = "url"
    ADDRESS = "address"
    IDENTIFIER = "identifier"  # an order, parcel, ticket or serial number
    NAME = "name"  # a proper name, of a person, place, product or firm
    QUOTED = "quoted"  # what stands between quotation marks


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value at [start, end) of a text. `canonical` is equal for equal values, however they are written
    ("€420" and "420 euros"; "3 pm" and "15:00"). `occurs` is set for dates and times."""

    kind: ValueKind
    start: int
    end: int
    text: str
    canonical: str
    occurs: Occurs | None = None
