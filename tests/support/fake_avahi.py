"""Avahi's D-Bus interface as far as the programs use it, for tests on a private bus. Lines on stdin, separated by tabs: `add NAME ADDRESS PORT TXT...` and
`remove NAME` for a service of another host, `take NAME` for a name that another host turns out to have, `rename` for this host's name that changes,
`refuse` for a configuration in which programs may not announce. Prints `ready` once it can be used, and then what programs announce: `announced` with name,
type, interface, protocol, port and TXT, and `withdrawn` with the name."""
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

TYPE = "_lambdawall._tcp"
AVAHI = "org.freedesktop.Avahi."
RUNNING, SERVER_COLLISION = 2, 3
REGISTERING, ESTABLISHED, COLLISION = 1, 2, 3
services = {}
taken = set()
refuses = False


def error(kind):
    return dbus.exceptions.DBusException(f"the stand-in says {kind}", name=AVAHI + kind)


def say(*words):
    print(*words, sep="\t", flush=True)


class Browser(dbus.service.Object):
    @dbus.service.signal(AVAHI + "ServiceBrowser", signature="iisssu")
    def ItemNew(self, interface, protocol, name, kind, domain, flags):
        pass

    @dbus.service.signal(AVAHI + "ServiceBrowser", signature="iisssu")
    def ItemRemove(self, interface, protocol, name, kind, domain, flags):
        pass


class EntryGroup(dbus.service.Object):
    """Of a program, whose end it does not survive."""

    def __init__(self, path, owner):
        super().__init__(bus, path)
        self.service, self.established = None, False
        self.watch = bus.watch_name_owner(owner, lambda now: now or self.end())

    @dbus.service.method(AVAHI + "EntryGroup", in_signature="iiussssqaay")
    def AddService(self, interface, protocol, flags, name, kind, domain, host, port, txt):
        if refuses:
            raise error("NotPermittedError")
        if name in services:
            raise error("CollisionError")
        assert kind == TYPE and not flags and not domain and not host
        assert len(name.encode()) <= 63
        self.service = (str(name), int(interface), int(protocol), int(port), [bytes(entry).decode() for entry in txt])

    @dbus.service.method(AVAHI + "EntryGroup")
    def Commit(self):
        name, interface, protocol, port, txt = self.service
        self.StateChanged(REGISTERING, "")
        if name in taken:
            return self.StateChanged(COLLISION, "")
        self.established = True
        self.StateChanged(ESTABLISHED, "")
        say("announced", name, TYPE, interface, protocol, port, *txt)
        appear(name, "127.0.0.1", port, txt)

    @dbus.service.method(AVAHI + "EntryGroup")
    def Free(self):
        self.end()

    @dbus.service.signal(AVAHI + "EntryGroup", signature="is")
    def StateChanged(self, state, reason):
        pass

    def end(self):
        self.watch.cancel()
        if self.established:
            say("withdrawn", self.service[0])
            vanish(self.service[0])
        self.established = False
        if self in Server.groups:
            Server.groups.remove(self)
            self.remove_from_connection()


class Server(dbus.service.Object):
    browsers, groups, made = [], [], 0

    @dbus.service.method(AVAHI + "Server", in_signature="iissu", out_signature="o")
    def ServiceBrowserNew(self, interface, protocol, kind, domain, flags):
        assert kind == TYPE, kind
        path = f"/Client0/ServiceBrowser{len(self.browsers)}"
        browser = Browser(bus, path)
        self.browsers.append(browser)
        for name in services:  # before the answer, as Avahi may do
            browser.ItemNew(2, 0, name, TYPE, "local", 0)
        return path

    @dbus.service.method(AVAHI + "Server", in_signature="iisssiu", out_signature="iissssisqaayu")
    def ResolveService(self, interface, protocol, name, kind, domain, address_protocol, flags):
        address, port, txt = services[name]
        if (":" in address) != (address_protocol == 1):
            raise error("TimeoutError")
        return (interface, protocol, name, kind, domain, "hub.local", address_protocol, address, dbus.UInt16(port),
                dbus.Array([dbus.ByteArray(entry.encode()) for entry in txt], signature="ay"), dbus.UInt32(0))

    @dbus.service.method(AVAHI + "Server", out_signature="o", sender_keyword="owner")
    def EntryGroupNew(self, owner):
        Server.made += 1
        path = f"/Client0/EntryGroup{Server.made}"
        self.groups.append(EntryGroup(path, owner))
        return path

    @dbus.service.signal(AVAHI + "Server", signature="is")
    def StateChanged(self, state, reason):
        pass


def appear(name, address, port, txt):
    services[name] = (address, port, txt)
    for browser in Server.browsers:
        for interface in (2, 3):  # a service is announced on each interface
            browser.ItemNew(interface, 0, name, TYPE, "local", 0)


def vanish(name):
    del services[name]
    for browser in Server.browsers:
        for interface in (2, 3):
            browser.ItemRemove(interface, 0, name, TYPE, "local", 0)


def take(words):
    global refuses
    if words[0] == "add":
        appear(words[1], words[2], int(words[3]), words[4:])
    if words[0] == "remove":
        vanish(words[1])
    if words[0] == "take":
        taken.add(words[1])
        for group in Server.groups:
            if group.service and group.service[0] == words[1] and group.established:
                say("withdrawn", words[1])
                vanish(words[1])
                group.established = False
                group.StateChanged(COLLISION, "")
    if words[0] == "rename":
        server.StateChanged(SERVER_COLLISION, "")
        server.StateChanged(RUNNING, "")
    if words[0] == "refuse":
        refuses = True


def read(descriptor, _):
    global pending
    come = os.read(descriptor, 65536)
    if not come:
        loop.quit()
        return False
    *lines, pending = (pending + come).split(b"\n")
    for line in lines:
        take(line.decode().split("\t"))
    return True


pending = b""
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])
name = dbus.service.BusName("org.freedesktop.Avahi", bus)
server = Server(bus, "/")
loop = GLib.MainLoop()
GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, read)
say("ready")
loop.run()
