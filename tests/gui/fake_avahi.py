"""Avahi's D-Bus interface as far as the control room uses it, for tests on a private bus. Lines on stdin, separated by tabs: `add NAME ADDRESS PORT TXT...`,
`remove NAME`. Prints `ready` once it can be used."""
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

TYPE = "_lambdawall._tcp"
services = {}


class Browser(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.Avahi.ServiceBrowser", signature="iisssu")
    def ItemNew(self, interface, protocol, name, kind, domain, flags):
        pass

    @dbus.service.signal("org.freedesktop.Avahi.ServiceBrowser", signature="iisssu")
    def ItemRemove(self, interface, protocol, name, kind, domain, flags):
        pass


class Server(dbus.service.Object):
    browsers = []

    @dbus.service.method("org.freedesktop.Avahi.Server", in_signature="iissu", out_signature="o")
    def ServiceBrowserNew(self, interface, protocol, kind, domain, flags):
        assert kind == TYPE, kind
        path = f"/Client0/ServiceBrowser{len(self.browsers)}"
        browser = Browser(bus, path)
        self.browsers.append(browser)
        for name in services:  # before the answer, as Avahi may do
            browser.ItemNew(2, 0, name, TYPE, "local", 0)
        return path

    @dbus.service.method("org.freedesktop.Avahi.Server", in_signature="iisssiu", out_signature="iissssisqaayu")
    def ResolveService(self, interface, protocol, name, kind, domain, address_protocol, flags):
        address, port, txt = services[name]
        if (":" in address) != (address_protocol == 1):
            raise dbus.exceptions.DBusException("no such record", name="org.freedesktop.Avahi.TimeoutError")
        return (interface, protocol, name, kind, domain, "hub.local", address_protocol, address, dbus.UInt16(port),
                dbus.Array([dbus.ByteArray(entry.encode()) for entry in txt], signature="ay"), dbus.UInt32(0))


def take(words):
    if words[0] == "add":
        services[words[1]] = (words[2], int(words[3]), words[4:])
        for browser in Server.browsers:
            for interface in (2, 3):  # a service is announced on each interface
                browser.ItemNew(interface, 0, words[1], TYPE, "local", 0)
    if words[0] == "remove":
        del services[words[1]]
        for browser in Server.browsers:
            for interface in (2, 3):
                browser.ItemRemove(interface, 0, words[1], TYPE, "local", 0)


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
print("ready", flush=True)
loop.run()
