"""How `conversation.ndjson` was made: what a wall-client and an operator said to a server, and what it answered.

    unshare -n sh -c 'ip link set lo up; LW_BIN=build/release/bin /usr/bin/python3 tests/compat/make_conversation.py FILE'

The existing one is never made again; those of other builds are for comparison.
"""
import contextlib
import json
import pathlib
import socket
import struct
import sys
import threading
import time

from as_then import CONVERSED, OF_HOST, wall_of_stores
from wall import Control, free_tcp_port, stop, wait_until

REPORTS = 3
OF_NODE = ("node.hello", "node.machine", "node.frames", "node.picture", "node.report")


def unmasked(stream):
    """The text messages of a WebSocket client, from the bytes that it sent."""
    at = stream.find(b"\r\n\r\n") + 4
    while 4 <= at <= len(stream) - 2:
        opcode, length, at = stream[at] & 0xF, stream[at + 1] & 0x7F, at + 2
        if length >= 126:
            form = "!H" if length == 126 else "!Q"
            length, at = struct.unpack_from(form, stream, at)[0], at + struct.calcsize(form)
        mask, payload = stream[at:at + 4], stream[at + 4:at + 4 + length]
        at += 4 + length
        if opcode == 1 and at <= len(stream):
            yield json.loads(bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))


def without_host(line):
    """The facts of the host that it was recorded on are nobody's business; of answers that are made of them nothing is kept."""
    params, method = line["message"]["params"], line["message"]["method"]
    if method == "node.hello":
        params.update(host="render-1", boot="00000000-0000-4000-8000-000000000000", pid=1)
    if method == "node.machine":
        params["name"], params["topology"]["cpu_model"], params["limits"]["kernel"] = "render-1", "a CPU", "6.1.0"
        params["interfaces"] = [interface for interface in params["interfaces"] if interface["name"] == "lo"]
    if method in OF_HOST:
        line["answer"]["result"] = {}
    elif method == "info":
        line["answer"]["result"]["host"] = "server-1"
    return line


class Recorder:
    """Passes one connection on, and keeps what the client said."""

    def __init__(self, to):
        host, port = to.rsplit(":", 1)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.to, self.said = (host, int(port)), bytearray()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        client, _ = self.listening.accept()
        server = socket.create_connection(self.to)
        threading.Thread(target=self.carry, args=(server, client, None), daemon=True).start()
        self.carry(client, server, self.said)

    @staticmethod
    def carry(source, sink, kept):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if kept is not None:
                    kept += data
                sink.sendall(data)


def of_node(messages):
    """Each method that a node calls, the reports and the records a few times."""
    counts = dict.fromkeys(OF_NODE, 0)
    for message in messages:
        counts[message["method"]] += 1
        if counts[message["method"]] <= REPORTS:
            yield message
    assert all(counts.values()), counts


def main():
    wall = wall_of_stores()
    recorder = Recorder(wall.control)
    server = wall.server("--play", "rgb8", "--log", "error")
    control = wall.control
    wall.file.write_text(wall.file.read_text().replace(control, recorder.address))
    client = wall.client("both", "--headless", "--log", "error")
    with contextlib.closing(Control(control)) as operator:
        operator.call("subscribe", pictures=True)
        wait_until(lambda: any(message["method"] == "node.picture" for message in unmasked(bytes(recorder.said))), 20, "a preview")
        time.sleep(1)
    lines = [{"from": "node", "message": message} for message in of_node(unmasked(bytes(recorder.said)))]
    with contextlib.closing(Control(control)) as operator:
        for method, params in CONVERSED:
            message = {"jsonrpc": "2.0", "id": len(lines), "method": method, "params": params}
            operator.send(json.dumps(message))
            while (answer := operator.receive()).get("id") != message["id"]:
                pass
            lines.append({"from": "operator", "message": message, "answer": answer})
    assert (stop(client), stop(server)) == (0, 0)
    pathlib.Path(sys.argv[1]).write_text("".join(json.dumps(without_host(line)) + "\n" for line in lines))


if __name__ == "__main__":
    main()
