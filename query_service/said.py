"""What a client says: a message as it is given to the service."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from state.model import Role


@dataclass(frozen=True, slots=True)
class Said:
    """A message to be kept. The same id and words again change nothing, and other words are an edit."""

    subject: str
    content: str
    conversation: str
    role: Role = Role.USER
    speaker: str = ""
    """Left empty: the subject for a user, else the role."""
    id: str = field(default_factory=lambda: uuid4().hex)
    sent_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    reply_to: str | None = None
    revision: int | None = None
    metadata: Mapping[str, Any] | None = None

    def row(self, tenant: str) -> dict[str, Any]:
        """The message as the service takes it."""
        row = {
            "tenant": tenant,
            "subject": self.subject,
            "conversation": self.conversation,
            "id": self.id,
            "role": self.role.value,
            "speaker": self.speaker or (self.subject if self.role is Role.USER else self.role.value),
            "content": self.content,
            "sent_at": self.sent_at.isoformat(),
            "reply_to": self.reply_to,
            "revision": self.revision,
            "metadata": self.metadata,
        }
        return {name: value for name, value in row.items() if value is not None}
