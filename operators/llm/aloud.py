"""Takes out what a model thinks aloud before it answers (`<think>…</think>`)."""

import re

_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_WHOLE = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
# Some templates write the opening tag themselves, so that only the closing one is in the reply.
_UP_TO_CLOSING = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.IGNORECASE | re.DOTALL)
_LONGEST_OPENING = len("<reasoning>")


def without_thinking(text: str) -> str:
    """What is said for others to read. Thoughts that were cut off take all that follows with them."""
    return _UP_TO_CLOSING.sub("", _WHOLE.sub("", text)).strip()


class Aloud:
    """The same for a text that comes in pieces: thoughts at its beginning are held back."""

    def __init__(self) -> None:
        self._held = ""
        self._begun = False

    def take(self, piece: str) -> str:
        """What can be given of what came so far and was not given yet."""
        if self._begun:
            return piece
        self._held += piece
        opening = _OPENING.match(self._held)
        if opening:
            end = re.search(f"</{opening[1]}>", self._held, re.IGNORECASE)
            if not end:
                return ""
            self._held = self._held[end.end() :]
            return self.take("")
        said = self._held.lstrip()
        if not said or (said[0] == "<" and len(said) < _LONGEST_OPENING and ">" not in said):
            return ""
        self._begun, self._held = True, ""
        return said

    def rest(self) -> str:
        """What was held back to the end of the text and is no thought."""
        rest = "" if self._begun or _OPENING.match(self._held) else self._held.lstrip()
        self._begun, self._held = True, ""
        return rest
