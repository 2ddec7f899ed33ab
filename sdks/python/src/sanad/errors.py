"""The errors of a call: the service answered with an error, there was no answer, or a wait ended without a result."""

from typing import List, Literal, Optional, Sequence

from .api import ErrorCode, ErrorEntry, Intent

WebhookErrorCode = Literal[
    "missing_header", "malformed_header", "no_match", "too_old", "too_new", "malformed_body"
]


class SanadException(Exception):
    """Everything that a call to Sanad can raise. Wrong arguments raise TypeError or ValueError before anything is sent."""


class SanadError(SanadException):
    """The service answered with an error. Decide by `has(code, attr)`."""

    def __init__(
        self,
        status: int,
        type: str,
        errors: Sequence[ErrorEntry],
        *,
        retry_after: Optional[float] = None,
        request_id: Optional[str] = None,
        hint: Optional[str] = None,
        ignored: Sequence[str] = (),
        advice: Optional[str] = None,
    ) -> None:
        sentences = [
            ("" if error["attr"] is None else f"{error['attr']}: ") + f"{error['detail']} ({error['code']})"
            for error in errors
        ]
        if hint is not None:
            sentences.append(f"Hint: {hint}")
        if advice is not None:
            sentences.append(advice)
        super().__init__(f"Sanad answered {status}. {' '.join(sentences)}")
        self.status = status
        self.type = type
        self.errors: List[ErrorEntry] = list(errors)
        #: Seconds; None: the answer had no `Retry-After`.
        self.retry_after = retry_after
        #: Names the request in the log of the service.
        self.request_id = request_id
        #: How to repair the request, for developers.
        self.hint = hint
        #: Fields that were sent and that the service does not know.
        self.ignored = list(ignored)

    @property
    def code(self) -> str:
        """The first code."""
        return self.errors[0]["code"]

    def has(self, code: ErrorCode, attr: Optional[str] = None) -> bool:
        """Whether one of the errors has this code; with `attr`, of this field."""
        return any(error["code"] == code and (attr is None or error["attr"] == attr) for error in self.errors)


class SanadConnectionError(SanadException):
    """No answer of the service: whether the request was processed is not known.

    - `unreachable`: no connection, or it was lost.
    - `timeout`: no whole answer in time.
    - `not_sanad`: something else answered, such as a proxy. `status` is its status.
    """

    def __init__(
        self, reason: Literal["unreachable", "timeout", "not_sanad"], message: str, status: Optional[int] = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status


class SanadWaitError(SanadException):
    """`intents.wait` ended without the result. `intent` is as it was last seen."""

    def __init__(self, intent: Intent, timeout: float) -> None:
        super().__init__(f"The intent {intent['id']} is still {intent['status']} after {timeout:.0f} s.")
        self.intent = intent


class WebhookError(SanadException):
    """A request that must not be processed as a webhook: answer 400. `code` is for programs, the text for the log."""

    def __init__(self, code: WebhookErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
