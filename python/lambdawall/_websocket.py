"""The client's side of WebSocket (RFC 6455), as far as the control plane needs it: text messages, ping and close."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import ssl
import struct
from typing import Callable, Mapping, Optional

from .errors import ConnectionLost, Refused, TokenRefused, TooManyFailures

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUED, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_HEAD_BYTES_MAX = 16 << 10
_MESSAGE_BYTES_MAX = 64 << 20
_WAIT_DEFAULT_S, _WAIT_MAX_S = 60, 3600


def masked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


def frame(opcode: int, payload: bytes, mask: bytes) -> bytes:
    """A complete message of the client."""
    size = len(payload)
    if size < 126:
        length = struct.pack("!B", 0x80 | size)
    elif size < 1 << 16:
        length = struct.pack("!BH", 0x80 | 126, size)
    else:
        length = struct.pack("!BQ", 0x80 | 127, size)
    return bytes([0x80 | opcode]) + length + mask + masked(payload, mask)


class WebSocket:
    """A connection that is open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def connect(
        cls,
        host: str,
        port: int,
        name: str,
        tls: Optional[ssl.SSLContext],
        judge: Callable[[bytes], None],
        token: str,
    ) -> WebSocket:
        """`judge` gets the server's certificate before anything is sent, and raises if it is not trusted."""
        reader, writer = await asyncio.open_connection(host, port, ssl=tls, limit=_HEAD_BYTES_MAX)
        try:
            if tls is not None:
                judge(writer.get_extra_info("ssl_object").getpeercert(binary_form=True))
            key = base64.b64encode(os.urandom(16)).decode()
            head = f"GET / HTTP/1.1\r\nHost: {name}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            head += f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            head += f"Authorization: Bearer {token}\r\n" if token else ""
            writer.write(f"{head}\r\n".encode("ascii"))
            await cls._check_answer(reader, name, key, bool(token))
        except BaseException:
            writer.transport.abort()
            raise
        return cls(reader, writer)

    @staticmethod
    async def _check_answer(reader: asyncio.StreamReader, name: str, key: str, has_token: bool) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raise Refused(f"{name} does not speak HTTP; is it a wall-server?") from None
        except asyncio.IncompleteReadError:
            raise ConnectionLost(f"{name} closed the connection without an answer") from None
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {word.strip().lower(): value.strip() for word, _, value in pairs}
        words = first.split(" ")
        status = int(words[1]) if len(words) > 1 and words[0].startswith("HTTP/1.") and words[1].isdigit() else 0
        accept = base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode()
        if status == 101 and headers.get("sec-websocket-accept") == accept:
            return
        raise _refusal(status, headers, name, has_token)

    async def send(self, text: str) -> None:
        await self._send(_TEXT, text.encode())

    async def _send(self, opcode: int, payload: bytes) -> None:
        self._writer.write(frame(opcode, payload, os.urandom(4)))
        await self._writer.drain()

    async def receive(self) -> str:
        """The next text message. ConnectionLost at the end of the connection, whatever ends it."""
        try:
            return await self._receive()
        except (asyncio.IncompleteReadError, OSError, UnicodeDecodeError) as error:
            raise ConnectionLost(f"the connection ended: {error}") from None

    async def _receive(self) -> str:
        message, of = b"", _TEXT
        while True:
            first, second = await self._reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", await self._reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self._reader.readexactly(8))
            if second & 0x80 or first & 0x70 or len(message) + size > _MESSAGE_BYTES_MAX:
                raise ConnectionLost("the server sent an invalid WebSocket frame")
            payload, opcode = await self._reader.readexactly(size), first & 0xF
            if opcode == _PING:
                await self._send(_PONG, payload)
            elif opcode == _CLOSE:
                raise ConnectionLost("the server closed the connection")
            elif opcode in (_CONTINUED, _TEXT, _BINARY):
                of = opcode or of
                message += payload
                if first & 0x80:
                    if of == _TEXT:
                        return message.decode()
                    message, of = b"", _TEXT  # a table, which nobody has asked for
            elif opcode != _PONG:
                raise ConnectionLost("the server sent an invalid WebSocket frame")

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self._send(_CLOSE, struct.pack("!H", 1000)), 1)
        except (OSError, asyncio.TimeoutError):
            pass
        self._writer.transport.abort()


def _refusal(status: int, headers: Mapping[str, str], name: str, has_token: bool) -> Refused:
    if status == 401:
        return TokenRefused(
            f"{name}: " + ("this token is not known there" if has_token else "the server requires a token")
        )
    if status == 429:
        after = headers.get("retry-after", "")
        wait = min(max(int(after) if after.isdigit() else _WAIT_DEFAULT_S, 1), _WAIT_MAX_S)
        return TooManyFailures(f"{name}: too many failures from this address; try again in {wait} s", wait)
    known = {
        403: "it refuses connections without TLS; use wss://",
        421: "the server does not have this name; use its address, or start it with --control-name",
        503: "this token has as many connections as are allowed; close one",
    }
    return Refused(f"{name}: " + known.get(status, f"it answers HTTP {status}; is it a wall-server?"))
