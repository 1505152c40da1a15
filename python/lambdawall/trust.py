"""Which servers are trusted, and with which token (docs/control.md, A server on another host)."""

from __future__ import annotations

import fcntl
import hashlib
import ipaddress
import os
import pathlib
import re
import ssl
import tempfile
from typing import NamedTuple, Optional, Union
from urllib.parse import urlsplit

from .errors import CertificateRefused, InvalidInput, UnknownCertificate

_FINGERPRINT = re.compile(r"sha256:[0-9a-f]{64}")
_TOKEN = re.compile(r"lw-[0-9a-f]{64}")


class Address(NamedTuple):
    host: str
    port: int
    tls: bool

    @property
    def name(self) -> str:
        """As in `known-servers`."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """ "HOST:PORT", or "wss://HOST:PORT" for TLS also on this host."""
    wrong = InvalidInput(f"'{text}' is not an address; write HOST:PORT, or wss://HOST:PORT")
    explicit = text.startswith("wss://")
    try:
        parts = urlsplit(text if explicit else f"wss://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if not host or not port or parts.path or parts.query or parts.fragment or parts.username is not None:
        raise wrong
    return Address(host.lower(), port, explicit or not _is_this_host(host))


def _is_this_host(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_token(token: Optional[str], token_file: Union[str, "os.PathLike[str]", None]) -> str:
    """The token itself, or that of the file, or that of LAMBDAWALL_TOKEN; empty: none."""
    where = "token"
    if token is None and token_file is not None:
        where = str(token_file)
        try:
            token = pathlib.Path(token_file).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"cannot read the token in {token_file}: {error}") from None
    if token is None:
        where, token = "LAMBDAWALL_TOKEN", os.environ.get("LAMBDAWALL_TOKEN")
    if token is None:
        return ""
    token = token.rstrip()
    if not _TOKEN.fullmatch(token):
        raise InvalidInput(
            f"{where} contains no token; it is lw- and 64 hex digits, as wall-server --add-token prints it"
        )
    return token


def state_folder(chosen: Union[str, "os.PathLike[str]", None] = None) -> pathlib.Path:
    """Where all programs of this user keep what they know of servers."""
    if chosen is not None:
        return pathlib.Path(chosen)
    if given := os.environ.get("STATE_DIRECTORY"):
        return pathlib.Path(given.split(":")[0])
    if (base := os.environ.get("XDG_STATE_HOME", "")).startswith("/"):
        return pathlib.Path(base) / "lambdawall"
    return pathlib.Path.home() / ".local/state/lambdawall"


def _parse(file: pathlib.Path, text: str) -> dict[str, str]:
    known: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        server, _, fingerprint = line.partition(" ")
        if not server or not _FINGERPRINT.fullmatch(fingerprint):
            raise InvalidInput(f"{file}: line {number} is invalid; write HOST:PORT sha256:..., or remove it")
        known.setdefault(server, fingerprint)
    return known


class Trust:
    """By a certificate authority, a fingerprint, or the file `known-servers`, which all programs of this user share."""

    def __init__(
        self,
        ca: Union[str, "os.PathLike[str]", None] = None,
        fingerprint: Optional[str] = None,
        first_use: bool = False,
        state: Union[str, "os.PathLike[str]", None] = None,
    ) -> None:
        if fingerprint is not None and not _FINGERPRINT.fullmatch(fingerprint):
            raise InvalidInput(f"'{fingerprint}' is not a fingerprint: sha256: and 64 lower-case hex digits")
        self._ca, self._fingerprint, self._first_use = ca, fingerprint, first_use
        self._file = state_folder(state) / "known-servers"

    def context(self) -> ssl.SSLContext:
        """The system's authorities are not used: a wall's certificate is self-signed, or from the named authority."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self._ca is None:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE  # `judge` does so
            return context
        try:
            context.load_verify_locations(self._ca)
        except (OSError, ssl.SSLError) as error:
            raise InvalidInput(f"there is no certificate in {self._ca}: {error}; name a PEM file") from None
        return context

    def judge(self, server: str, certificate: bytes) -> None:
        """Raises unless this is the server's certificate."""
        if self._ca is not None:
            return  # the TLS handshake has checked it
        shown = "sha256:" + hashlib.sha256(certificate).hexdigest()
        known = self._fingerprint or self._known().get(server)
        if known == shown:
            return
        if known is not None:
            where = (
                "the given one"
                if self._fingerprint
                else f"the one before; if this is intended, remove its line from {self._file}"
            )
            raise CertificateRefused(f"the certificate of {server} ({shown}) is not {where} ({known})", shown)
        if not self._first_use:
            raise UnknownCertificate(
                f"the certificate of {server} is not known yet ({shown}); compare it with wall-server --fingerprint on"
                " that host, then pass fingerprint=, or trust_first_use=True to remember it",
                shown,
            )
        self._remember(server, shown)

    def _known(self) -> dict[str, str]:
        try:
            return _parse(self._file, self._file.read_text())
        except FileNotFoundError:
            return {}

    def _remember(self, server: str, fingerprint: str) -> None:
        if not self._file.parent.exists():
            self._file.parent.mkdir(mode=0o700, parents=True)
        lock = os.open(f"{self._file}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = self._known()  # another program may have added it
            if known.get(server, fingerprint) != fingerprint:
                raise CertificateRefused(
                    f"another program met {server} by another certificate ({known[server]})", fingerprint
                )
            if server in known:
                return
            text = self._file.read_text() if self._file.exists() else ""
            text += "" if not text or text.endswith("\n") else "\n"
            fd, part = tempfile.mkstemp(prefix=self._file.name + ".", dir=self._file.parent)
            with open(fd, "w") as stream:
                stream.write(f"{text}{server} {fingerprint}\n")
                stream.flush()
                os.fsync(stream.fileno())
            os.rename(part, self._file)
        finally:
            os.close(lock)
