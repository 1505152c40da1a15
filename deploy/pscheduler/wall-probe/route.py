"""From where to where a test goes: wall-probe takes numeric addresses, a test may have names."""
import collections
import socket

IP_MTU, IPV6_MTU = 14, 24                               # linux/in.h, linux/in6.h
HEADERS = {socket.AF_INET: 20 + 8, socket.AF_INET6: 40 + 8}  # of IP and UDP
DATAGRAM_MAX, DATAGRAM_MIN = 8900, 200                  # UDP payload

# `here`: the address from which this host calls `there`. `bound`: the same, if the test wants another one than the kernel would choose. `mtu` in bytes.
Route = collections.namedtuple("Route", "family here there bound mtu")


def routes_of(order):
    """The source's ways to the destination, the best first: IPv6 before IPv4 where both ends have it, as pScheduler has it. OSError without any."""
    wanted = {4: socket.AF_INET, 6: socket.AF_INET6}.get(order.get("ip-version"))
    families = [wanted] if wanted else [socket.AF_INET6, socket.AF_INET]
    own = order.get("local-address") or order.get("source")
    routes, problem = [], OSError(f"no address of {order.get('dest')} can be reached")
    for family in families:
        try:
            there = socket.getaddrinfo(order.get("dest"), 0, family, socket.SOCK_DGRAM)[0][4][0]
            routes.append(_route(family, there, own))
        except OSError as error:
            problem = OSError(f"cannot find a way from {own or 'this host'} to {order.get('dest')}: {error.strerror or error}")
    if not routes:
        raise problem
    return routes


def _route(family, there, own):
    """The kernel says which address it takes, and the path's MTU as far as it knows it; a UDP socket that connects sends nothing."""
    wanted = socket.getaddrinfo(own, 0, family, socket.SOCK_DGRAM)[0][4][0] if own else None
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((there, 9))
        here = probe.getsockname()[0]
        level, name = (socket.IPPROTO_IP, IP_MTU) if family == socket.AF_INET else (socket.IPPROTO_IPV6, IPV6_MTU)
        mtu = probe.getsockopt(level, name)
    bound = None
    if wanted and wanted != here and _is_own(family, wanted):
        bound = wanted
    return Route(family, here, there, bound, mtu)


def _is_own(family, address):
    """The name of a host may lead to an address that is not an interface's, as behind NAT; such an address is not bound to."""
    if address.startswith("127."):  # where Debian has a host's own name
        return False
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def datagram_of(route):
    """The largest UDP payload that needs no fragments, as far as the kernel knows the path; at most wall-probe's default."""
    return max(DATAGRAM_MIN, min(route.mtu - HEADERS[route.family], DATAGRAM_MAX))


def with_port(address, port):
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
