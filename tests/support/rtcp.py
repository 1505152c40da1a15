"""RTCP packets as other implementations may send them (RFC 3550, RFC 4585, docs/protocol.md): independent of our implementation."""
import struct
import time

EPOCH_NTP = 2208988800


def ntp(seconds=None):
    seconds = time.time() if seconds is None else seconds
    return int((seconds + EPOCH_NTP) * 2**32) & (2**64 - 1)


def packet(count, kind, body):
    assert len(body) % 4 == 0
    return struct.pack("!BBH", 0x80 | count, kind, len(body) // 4) + body


def source(ssrc, name=b"stranger@nowhere"):
    chunk = struct.pack("!IBB", ssrc, 1, len(name)) + name
    return packet(1, 202, chunk + bytes(4 - len(chunk) % 4))


def sender_report(ssrc, seconds=None):
    return packet(0, 200, struct.pack("!IQIII", ssrc, ntp(seconds), 1, 1, 1)) + source(ssrc)


def receiver_report(ssrc, about, highest=0, lost=0):
    return packet(1, 201, struct.pack("!IIIIIII", ssrc, about, lost << 24, highest, 0, 0, 0)) + source(ssrc)


def nack(ssrc, about, highest, firsts, following=0xFFFF):
    """Asks for `firsts` and the 16 packets behind each."""
    body = struct.pack("!II", ssrc, about) + b"".join(struct.pack("!HH", first & 0xFFFF, following) for first in firsts)
    return receiver_report(ssrc, about, highest) + packet(1, 205, body)


def bye(ssrc, about):
    return receiver_report(ssrc, about) + packet(1, 203, struct.pack("!I", ssrc))


def app(ssrc, name, subtype, body):
    return packet(0, 201, struct.pack("!I", ssrc)) + source(ssrc) + packet(subtype, 204, struct.pack("!I", ssrc) + name + body)


def clock_request(ssrc, about):
    return app(ssrc, b"LWCK", 0, struct.pack("!QI", 42, about) + bytes(12))


def clock_reply(ssrc, asked, seconds):
    return app(ssrc, b"LWCK", 1, struct.pack("!QQQ", asked, ntp(seconds), ntp(seconds)))


def ticks(ssrc, about, subtype, newest):
    """0: held; 1: committed."""
    return app(ssrc, b"LWSY", subtype, struct.pack("!IHHQ", about, newest & 0xFFFF, 0, 2**64 - 1))


def delay_need(ssrc, about, microseconds):
    return app(ssrc, b"LWPD", 0, struct.pack("!II", about, microseconds))


def delay_kept(ssrc, about, to_us):
    return app(ssrc, b"LWPD", 1, struct.pack("!IQIII", about, ntp(), 80_000, to_us, 4_000_000))
