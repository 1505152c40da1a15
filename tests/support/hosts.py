"""Hosts as far as one machine can have them: network namespaces, and the cables to them."""
import ctypes
import os
import socket
import threading

from wall import run, start, wait_until


def ip(*words, inside=()):
    done = run(*inside, "ip", *words)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


class Namespace:
    """A separate network, which lives as long as a process in it: until somebody stops `holder`."""

    def __init__(self):
        self.holder = start("unshare", "--net", "sleep", "900")
        self.inside = ["nsenter", "--net", "--target", str(self.holder.pid)]
        own = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{self.holder.pid}/ns/net") != own, 5, "the namespace")

    def ip(self, *words):
        return ip(*words, inside=self.inside)


class Host(Namespace):
    """With our end of the cable to it."""

    def __init__(self, number):
        super().__init__()
        self.address = f"10.{100 + os.getpid() % 100}.{number}.2"
        cable = self.cable = f"lw{os.getpid()}n{number}"
        # The kernel takes an earlier host's cable away only some time after its last process.
        wait_until(lambda: not os.path.exists(f"/sys/class/net/{cable}"), 5, "the end of an earlier host")
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", self.holder.pid)
        ip("address", "add", self.address[:-1] + "1/24", "dev", cable)
        ip("link", "set", cable, "up")
        self.ip("address", "add", self.address + "/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            self.ip("link", "set", device, "up")

    def listen(self, host, port):
        """A listening socket in there. A socket stays where it was made; the thread that went there ends."""
        made = []

        def make():
            with open(f"/proc/{self.holder.pid}/ns/net") as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0) == 0:
                    made.append(socket.create_server((host, port)))
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        return made[0]


def tunnel(listener, to):
    """What `ssh -L` does: the port of `listener` is that of `to`."""
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        target.close()

    def serve():
        with listener:
            while True:
                try:
                    here, _ = listener.accept()
                except OSError:
                    return  # shut down
                try:
                    there = socket.create_connection(to)
                except OSError:
                    here.close()
                    continue
                for ends in ((here, there), (there, here)):
                    threading.Thread(target=copy, args=ends, daemon=True).start()
    threading.Thread(target=serve, daemon=True).start()
