"""The errors of this package."""

from __future__ import annotations


class LambdawallError(Exception):
    """Everything that this package reports by itself; a failing disk or network raises OSError as usual."""


class InvalidInput(LambdawallError, ValueError):
    """An argument, a frame or a file that cannot be used. The message names it; nothing has been changed."""


class InvalidStore(InvalidInput):
    """A folder that is not a complete, playable store, or frames of it that are damaged."""


class StoreExists(InvalidInput):
    """There is already a store, or another folder, with this name."""


class StoreBusy(LambdawallError):
    """Another process is writing this store."""


class CallFailed(LambdawallError):
    """The server answered a call with an error. `code` is that of docs/protocol.md."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message}")
        self.method = method
        self.code = code
        self.message = message


class Forbidden(CallFailed):
    """The role of this connection may not call the method; the message names the role that may."""


class ConnectionLost(LambdawallError, ConnectionError):
    """The connection ended before the answer came. The server may have carried out the call."""


class Refused(LambdawallError, ConnectionError):
    """The server, or this program, refuses the connection; trying again does not help."""


class TokenRefused(Refused):
    """The server requires a token, or does not know this one."""


class TooManyFailures(Refused):
    """After several wrong tokens, the server ignores this address for `wait_s` seconds."""

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class CertificateRefused(Refused):
    """The server's certificate is not the trusted one. Nothing was sent to the server."""

    def __init__(self, message: str, fingerprint: str = "") -> None:
        super().__init__(message)
        self.fingerprint = fingerprint


class UnknownCertificate(CertificateRefused):
    """First contact: compare `fingerprint` with `wall-server --fingerprint`, then pass it to `connect`."""
