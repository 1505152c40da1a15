"""The control plane of a server, for asyncio (docs/protocol.md): JSON-RPC 2.0 over WebSocket.

    async with lambdawall.connect("127.0.0.1:9010") as wall:
        await wall.load("waves")
        async for stats in wall.stats():
            print(stats["wall"])
"""

from __future__ import annotations

import asyncio
import base64
import collections
import contextlib
import json
import os
import ssl
from types import TracebackType
from typing import Any, AsyncIterator, Generator, Iterable, Literal, Mapping, Optional, Union

from ._websocket import WebSocket
from .errors import (
    CallFailed,
    CertificateRefused,
    ConnectionLost,
    Forbidden,
    LambdawallError,
    Refused,
    TooManyFailures,
)
from .tables import Table
from .trace import frame_records
from .trust import Trust, parse_address, read_token

Json = dict[str, Any]
Tile = tuple[int, int]
_RETRY_FIRST_S, _RETRY_MOST_S = 0.25, 5.0
_FORBIDDEN = 2
_KEPT = {"state": 64, "stats": 64, "event": 4096, "picture": 256}  # for a slow reader; the oldest give way


class _Stream:
    """The notifications of one kind for one reader."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._messages: collections.deque[Json] = collections.deque(maxlen=_KEPT[kind])
        self._changed = asyncio.Event()
        self._end: Optional[BaseException] = None
        self._ended = False

    def put(self, message: Json) -> None:
        self._messages.append(message)
        self._changed.set()

    def end(self, error: Optional[BaseException]) -> None:
        self._ended, self._end = True, error
        self._changed.set()

    async def next(self) -> Optional[Json]:
        """None at the end."""
        while not self._messages:
            if self._end is not None:
                raise self._end
            if self._ended:
                return None
            self._changed.clear()
            await self._changed.wait()
        return self._messages.popleft()


class Control:
    """A connection to a server. `connect` makes it.

    If the connection is lost, a call that waits for its answer fails with ConnectionLost, because the server may have
    carried it out. The connection is then made again in the background, with growing pauses: later calls wait for it,
    and streams continue. A server that refuses (another certificate, a removed token) ends both with Refused.
    """

    def __init__(self, address: str, token: str, trust: Trust, reconnect: bool, timeout: float) -> None:
        self._address, self._token, self._trust = parse_address(address), token, trust
        self._reconnect, self._timeout = reconnect, timeout
        self._socket: Optional[WebSocket] = None
        self._ready = asyncio.Event()
        self._ended: Optional[BaseException] = None
        self._closing = False  # by this program: streams end without an error
        self._next_id = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._streams: list[_Stream] = []
        self._task: Optional[asyncio.Task[None]] = None

    @property
    def connected(self) -> bool:
        return self._ready.is_set() and self._ended is None

    async def _open(self) -> WebSocket:
        address, tls = self._address, self._trust.context() if self._address.tls else None
        name = address.name
        opening = WebSocket.connect(
            address.host,
            address.port,
            name,
            tls,
            lambda certificate: self._trust.judge(name, certificate),
            self._token if address.tls else "",
        )
        try:
            return await asyncio.wait_for(opening, self._timeout)
        except asyncio.TimeoutError:
            raise ConnectionLost(f"{name} does not answer within {self._timeout:g} s") from None
        except ssl.SSLCertVerificationError as error:
            raise CertificateRefused(f"the certificate of {name} is refused: {error.verify_message}") from None

    async def _start(self) -> None:
        self._socket = await self._open()
        self._ready.set()
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        """Reads what comes, and connects again when nothing comes any more."""
        pause = _RETRY_FIRST_S
        error: BaseException = ConnectionLost("closed")
        try:
            while True:
                try:
                    if self._socket is None:
                        self._socket = await self._open()
                        self._ready.set()
                        await self._subscribe()
                    pause = _RETRY_FIRST_S
                    while True:
                        self._handle(json.loads(await self._socket.receive()))
                except TooManyFailures as failure:
                    pause = failure.wait_s
                except Refused as refusal:
                    error = refusal
                    return
                except (OSError, LambdawallError, ValueError) as lost:
                    error = lost
                await self._drop(error)
                if not self._reconnect:
                    return
                await asyncio.sleep(pause)
                pause = min(max(_RETRY_FIRST_S, pause * 2), _RETRY_MOST_S)
        finally:
            self._ended = self._ended or error
            await self._drop(error)
            self._ready.set()  # so that nobody waits
            for stream in self._streams:
                stream.end(None if self._closing else self._ended)

    async def _drop(self, error: BaseException) -> None:
        self._ready.clear()
        if self._socket is not None:
            socket, self._socket = self._socket, None
            with contextlib.suppress(OSError):
                await socket.close()
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(ConnectionLost(f"the connection to {self._address.name} was lost: {error}"))

    def _handle(self, message: Json) -> None:
        if "id" in message:
            future = self._waiting.pop(message["id"], None)
            if future is not None and not future.done():
                future.set_result(message)
            return
        for stream in self._streams:
            if stream.kind == message.get("method"):
                stream.put(message.get("params", {}))

    async def call(
        self, method: str, params: Optional[Mapping[str, Any]] = None, timeout: Optional[float] = None
    ) -> Any:
        """Any method of docs/protocol.md. Raises CallFailed with the server's code and message, Forbidden if the role does
        not permit it, ConnectionLost, Refused, or TimeoutError."""
        return await asyncio.wait_for(self._call(method, dict(params or {})), timeout or self._timeout)

    async def _call(self, method: str, params: Json) -> Any:
        await self._ready.wait()
        if self._ended is not None:
            raise self._ended
        return await self._request(method, params)

    async def _request(self, method: str, params: Json) -> Any:
        number = self._next_id = self._next_id + 1
        future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        socket = self._socket
        if socket is None:
            raise ConnectionLost(f"the connection to {self._address.name} was lost")
        self._waiting[number] = future
        try:
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            try:
                await socket.send(json.dumps(request))
            except OSError as error:
                raise ConnectionLost(f"the connection to {self._address.name} was lost: {error}") from None
            answer = await future
        finally:
            self._waiting.pop(number, None)
        if "error" not in answer:
            return answer.get("result")
        code, message = answer["error"].get("code", 0), answer["error"].get("message", "")
        raise (Forbidden if code == _FORBIDDEN else CallFailed)(method, code, message)

    async def _subscribe(self) -> None:
        """Asks for what the streams need. After a new connection, nobody reads yet: the answer is not awaited."""
        kinds = {stream.kind for stream in self._streams}
        if kinds and self._socket is not None:
            wanted = {"stats": "stats" in kinds, "events": "event" in kinds, "pictures": "picture" in kinds}
            self._next_id += 1
            request = {"jsonrpc": "2.0", "id": self._next_id, "method": "subscribe", "params": wanted}
            future: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
            future.add_done_callback(self._subscribed)
            self._waiting[self._next_id] = future
            await self._socket.send(json.dumps(request))

    def _subscribed(self, future: asyncio.Future[Json]) -> None:
        """The state at the time of the subscription is the first that streams of states get."""
        if future.cancelled() or future.exception() is not None:
            return
        answer = future.result()
        for stream in self._streams:
            if "error" in answer:
                failed = Forbidden if answer["error"].get("code") == _FORBIDDEN else CallFailed
                stream.end(failed("subscribe", answer["error"].get("code", 0), answer["error"].get("message", "")))
            elif stream.kind == "state":
                stream.put(answer["result"]["state"])

    async def _notifications(self, kind: str) -> AsyncIterator[Json]:
        stream = _Stream(kind)
        if self._ended is not None:
            raise self._ended
        self._streams.append(stream)
        try:
            if self._socket is not None:
                with contextlib.suppress(OSError):
                    await self._subscribe()
            while (message := await stream.next()) is not None:
                yield message
        finally:
            self._streams.remove(stream)
            if self._ended is None and self._socket is not None and not self._streams:
                with contextlib.suppress(OSError, LambdawallError):
                    await self._request("unsubscribe", {})

    def states(self) -> AsyncIterator[Json]:
        """`State`: now, at every change, and twice a second while the wall plays. After a new connection, the state of then."""
        return self._notifications("state")

    def stats(self) -> AsyncIterator[Json]:
        """`Stats`, all figures, ten times a second. `lambdawall.figures` makes tables of them. A slow reader misses the oldest."""
        return self._notifications("stats")

    def events(self) -> AsyncIterator[Json]:
        """`Event`, as they happen."""
        return self._notifications("event")

    def previews(self) -> AsyncIterator[Json]:
        """What tiles show, as small PNG images: tile, mime, base64."""
        return self._notifications("picture")

    async def info(self) -> Json:
        """`Info`: the wall, the role of this connection (`you`), and the methods."""
        return await self._object("info")

    async def state(self) -> Json:
        return await self._object("state")

    async def newest_stats(self) -> Json:
        """The newest `Stats`, once."""
        return await self._object("stats")

    async def _object(self, method: str, **params: Any) -> Json:
        result: Json = await self.call(method, {key: value for key, value in params.items() if value is not None})
        return result

    async def library(self) -> Json:
        """All visualizations, rejected folders and missing directories."""
        result = await self._object("list")
        more = result.pop("more", False)
        while more:
            page = await self._object("list", after=result["visualizations"][-1]["name"])
            result["visualizations"] += page["visualizations"]
            more = page.get("more", False)
        return result

    async def image(self, name: str, kind: Literal["poster", "thumbnails"] = "poster") -> tuple[str, bytes]:
        """MIME type and content of a visualization's image."""
        result = await self._object("image", name=name, kind=kind)
        return result["mime"], base64.b64decode(result["base64"])

    async def plan(self, name: str) -> Json:
        return await self._object("plan", name=name)

    async def load(
        self,
        name: str,
        *,
        paused: Optional[bool] = None,
        frame: Optional[int] = None,
        transition: Optional[Literal["cut", "fade"]] = None,
        fade_ms: Optional[int] = None,
        incomplete: Optional[bool] = None,
    ) -> Json:
        """Puts a visualization on the wall; returns `State`, as the following methods do."""
        return await self._object(
            "load", name=name, paused=paused, frame=frame, transition=transition, fade_ms=fade_ms, incomplete=incomplete
        )

    async def play(self) -> Json:
        return await self._object("play")

    async def pause(self) -> Json:
        return await self._object("pause")

    async def stop(self) -> Json:
        return await self._object("stop")

    async def seek(self, frame: int) -> Json:
        return await self._object("seek", frame=frame)

    async def rate(self, rate: float) -> Json:
        """Frames of the visualization per frame of the wall: 2 skips every other frame, -1 plays backwards."""
        return await self._object("rate", rate=rate)

    async def loop(self, loop: bool, first: Optional[int] = None, last: Optional[int] = None) -> Json:
        """Whether playback begins again after the end, and between which frames (inclusive) it stays."""
        params = {"loop": loop, "in": first, "out": last}
        return await self._object("loop", **params)

    async def playlist(
        self, entries: Optional[Iterable[Union[str, Mapping[str, Any]]]] = None, repeat: bool = False
    ) -> Json:
        """Replaces the coming entries: names, or objects with `loops` or `seconds`. Without `entries`, nothing changes."""
        if entries is None:
            return await self._object("playlist")
        listed = [{"name": entry} if isinstance(entry, str) else dict(entry) for entry in entries]
        return await self._object("playlist", entries=listed, repeat=repeat)

    async def next(self, transition: Optional[Literal["cut", "fade"]] = None, fade_ms: Optional[int] = None) -> Json:
        """Goes to the next entry of the playlist now."""
        return await self._object("next", transition=transition, fade_ms=fade_ms)

    async def sound(self, gain_db: Optional[float] = None, muted: Optional[bool] = None) -> Json:
        """How loud the nodes play: -60 to 0 dB. Without an argument, that stays as it is."""
        return await self._object("sound", gain_db=gain_db, muted=muted)

    async def identify(self, on: bool, tile: Optional[Tile] = None) -> None:
        await self._object("identify", on=on, tile=tile)

    async def mark(self, on: bool, tile: Optional[Tile] = None) -> None:
        """Bars beside concealed rows."""
        await self._object("mark", on=on, tile=tile)

    async def pattern(self, pattern: str, tile: Optional[Tile] = None) -> None:
        """A test pattern, or "none"."""
        await self._object("pattern", pattern=pattern, tile=tile)

    async def describe(
        self,
        name: str,
        *,
        title: Optional[str] = None,
        description: Optional[str] = None,
        tags: Optional[Iterable[str]] = None,
    ) -> Json:
        """Changes what operators see of a visualization; returns `Visualization`."""
        listed = None if tags is None else [*tags]
        return await self._object("describe", name=name, title=title, description=description, tags=listed)

    async def delete(self, name: str) -> Json:
        """Removes a visualization from the disks."""
        return await self._object("delete", name=name)

    async def trace(self, seconds: Optional[float] = None, after: Optional[int] = None) -> tuple[dict[str, Table], int]:
        """The life of the newest frames: tables by step (`frame_records`), and `after` for a call that continues them."""
        records = []
        while True:
            part = await self._object("trace", seconds=seconds if after is None else None, after=after)
            records += part["records"]
            after = part["next"]
            if not part["more"]:
                return frame_records(records), part["next"]

    async def close(self) -> None:
        """Ends streams and calls."""
        if self._task is not None:
            self._closing = True
            self._ended = self._ended or ConnectionLost("the connection was closed by this program")
            task, self._task = self._task, None
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


class _Connecting:
    """What `connect` returns: to be awaited, or entered with `async with`."""

    def __init__(self, control: Control) -> None:
        self._control = control

    async def _open(self) -> Control:
        await self._control._start()
        return self._control

    def __await__(self) -> Generator[Any, None, Control]:
        return self._open().__await__()

    async def __aenter__(self) -> Control:
        return await self._open()

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self._control.close()


def connect(
    address: str = "127.0.0.1:9010",
    *,
    token: Optional[str] = None,
    token_file: Union[str, "os.PathLike[str]", None] = None,
    ca: Union[str, "os.PathLike[str]", None] = None,
    fingerprint: Optional[str] = None,
    trust_first_use: bool = False,
    state: Union[str, "os.PathLike[str]", None] = None,
    reconnect: bool = True,
    timeout: float = 10,
) -> _Connecting:
    """Connects to a server: `async with connect(...) as wall`, or `wall = await connect(...)` and later `wall.close()`.

    A server on this host needs neither TLS nor token; another one needs both, and so does wss://HOST:PORT.

    token, token_file
                by default that of the environment variable LAMBDAWALL_TOKEN
    ca          a PEM file: the server's certificate must be from this authority, and for this address
    fingerprint the certificate must have this one (`wall-server --fingerprint`)
    trust_first_use
                without `ca` and `fingerprint`, the certificate must be in `known-servers` in the state folder, which the
                programs also use. A server that is not there is refused (UnknownCertificate), or, with this option,
                trusted and added. Another certificate than before is always refused, before anything is sent
    state       another state folder
    reconnect   connect again when the connection is lost
    timeout     seconds for a connection and for a call
    """
    tls = parse_address(address).tls
    trust = Trust(ca, fingerprint, trust_first_use, state) if tls else Trust(state=state or ".")
    return _Connecting(Control(address, read_token(token, token_file) if tls else "", trust, reconnect, timeout))
