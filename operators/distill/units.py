"""Units of measure, and the plurals of English nouns."""

from decimal import Decimal

_ROWS = (
    ("g", "0.001", "mg"),
    ("g", "1", "g gram 克"),
    ("g", "1000", "kg kilo kilogram 千克 公斤"),
    ("g", "1000000", "t tonne ton 吨"),
    ("g", "500", "斤"),
    ("g", "50", "两"),
    ("ml", "1", "ml millilitre milliliter 毫升"),
    ("ml", "10", "cl"),
    ("ml", "100", "dl"),
    ("ml", "1000", "l litre liter 升"),
    ("m", "0.001", "mm 毫米"),
    ("m", "0.01", "cm centimetre centimeter 厘米 公分"),
    ("m", "1", "m metre meter 米"),
    ("m", "1000", "km kilometre kilometer 公里 千米"),
    ("m", "500", "里"),
    ("degree", "1", "degree °c ° 度 摄氏度"),
    ("kWh", "1", "kwh"),
    ("kWh", "0.001", "wh"),
    ("W", "1000", "kw"),
    ("W", "1", "w"),
    ("MB", "1000", "gb"),
    ("MB", "1", "mb"),
    ("MB", "1000000", "tb"),
    ("MB", "0.001", "kb"),
    ("km/h", "1", "kmh km/h"),
    ("°F", "1", "°f"),
    ("m²", "1", "m² sqm 平米 平方米 平"),
)
"""The unit of the canonical text, how many of it one is, and the names of what is one."""

_AS_THEY_ARE = "lb oz ounce inch foot mile yard gallon pint cup acre hectare mph"
UNITS = {name: (base, Decimal(size)) for base, size, names in _ROWS for name in names.split(" ")}
UNITS |= {name: (name, Decimal(1)) for name in _AS_THEY_ARE.split(" ")}
"""The canonical unit and its factor, by name in lower case and singular."""

_IRREGULAR = """
people:person children:child men:man women:woman feet:foot inches:inch teeth:tooth lbs:lb mice:mouse
geese:goose boxes:box dishes:dish glasses:glass classes:class batches:batch potatoes:potato
tomatoes:tomato
"""
_SINGULAR = dict(pair.split(":") for pair in _IRREGULAR.split())
_NOT_NOUNS = """
a about across across address after afterwards also always am an and are as at be been before besides boss
business but by can cents class comes could did do does down dress each feels for from gets goes guess has
he here hers his how i if in into is it its just less lets looks makes may means might more must my needs
no not o of off on only or our ours out over pass per perhaps plus pm press process says seems she should
since so sometimes sounds takes than that the their theirs then there these they this those thus times to
too towards under unless until up us very wants was we were what when where which who why will with works
would years yes you your yours
"""
NOT_NOUNS = frozenset(_NOT_NOUNS.split())
"""Words that end in s or follow a number without being what it counts."""


def singular(word: str) -> str | None:
    """The singular of a plural noun in lower case; None for a word that does not look like a plural."""
    if word in _SINGULAR:
        return _SINGULAR[word]
    if len(word) < 4 or word[-1] != "s" or word[-2:] in ("ss", "us", "is"):
        return None
    return word[:-3] + "y" if word.endswith("ies") else word[:-1]


def unit_of(word: str) -> tuple[str, Decimal] | None:
    """The canonical unit and factor of a unit's name, singular or plural; None where it is no unit."""
    lower = word.lower()
    known = UNITS.get(_SINGULAR.get(lower, lower))
    return known if known is not None or len(lower) < 4 else UNITS.get(lower.removesuffix("s"))
