"""Arrival and departure times by network cards: tests/vm/stamping_card.c is two cards joined by a wire that takes no time, with clocks of their own and interrupts once a
millisecond. The truth is known: a packet arrives at one card when it leaves the other, and the kernel's own stamps are up to a millisecond later."""
import ctypes
import fcntl
import json
import pathlib
import socket
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import debian_kernel  # noqa: E402
from wall import port_open, program, run, start, stop, wait_until  # noqa: E402

HERE, FAR = "10.99.0.1", "10.99.0.2"
SIOCGHWTSTAMP, FILTER_NONE, FILTER_ALL = 0x89B1, 0, 1
INTERRUPT_US = 1000


def setting(interface):
    """(sent packets, received packets) that the card stamps, as in hwtstamp_config."""
    config = ctypes.create_string_buffer(12)
    request = struct.pack("16sP", interface.encode(), ctypes.addressof(config)).ljust(40, b"\0")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCGHWTSTAMP, request)
    return struct.unpack("iii", config.raw)[1:]


def synchronize_clock():
    """The kernel believes that a service keeps its clock within 10 us, as after adjtimex(2) of one."""
    fields = (ctypes.c_long * 26)()
    fields[0] = 0x0004 | 0x0008 | 0x0010  # ADJ_MAXERROR, ADJ_ESTERROR, ADJ_STATUS
    fields[3] = fields[4] = 10
    fields[5] = 0x0001  # STA_PLL, without STA_UNSYNC
    assert ctypes.CDLL(None, use_errno=True).adjtimex(fields) >= 0


class Stamps(unittest.TestCase):
    def do(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def cards(self, **parameters):
        """card0 here, card1 in the namespace `far`."""
        self.do("insmod", debian_kernel.module_file("stamping_card"), f"interrupt_us={INTERRUPT_US}", *(f"{name}={value}" for name, value in parameters.items()))
        self.addCleanup(self.do, "rmmod", "stamping_card")
        self.do("ip", "netns", "add", "far")
        self.addCleanup(self.do, "ip", "netns", "del", "far")
        self.do("ip", "link", "set", "card1", "netns", "far")
        self.do("ip", "address", "add", f"{HERE}/24", "dev", "card0")
        self.do("ip", "link", "set", "card0", "up")
        self.do("ip", "-n", "far", "address", "add", f"{FAR}/24", "dev", "card1")
        self.do("ip", "-n", "far", "link", "set", "card1", "up")

    def serve(self, *options):
        server = start("ip", "netns", "exec", "far", program("wall-probe"), "serve", "--listen", f"{FAR}:9020", "--allow", HERE, "--stamp", *options, stderr=subprocess.DEVNULL)
        self.addCleanup(stop, server)
        wait_until(lambda: port_open(f"{FAR}:9020"), 60, "wall-probe serve")

    def measure(self, *options, sink="none"):
        lines = self.do(program("wall-probe"), "run", "--to", FAR, "-b", "8M", "--fps", 100, "-l", 1400, "-t", 3, "--sink", sink, "-J", *options).splitlines()
        result = json.loads(lines[-1])["data"]
        figures = result["figures"]
        print({name: figures.get(name) for name in ("card_stamped", "card_error_us", "clock_error_us", "one_way_us_min", "one_way_us_p50", "one_way_us_max", "pdv_us_p99",
                                                    "jitter_us_mean", "lost")}, result["flows"][0]["receive_stamps"])
        return result["flows"][0]

    def test_arrivals_by_the_card_are_without_the_delay_of_interrupts(self):
        self.cards()
        self.serve("--hardware-stamps")
        kernel = self.measure()
        self.assertEqual(kernel["receive_stamps"], "kernel")
        self.assertNotIn("card_stamped", kernel["figures"])
        card = self.measure("--hardware-stamps")
        self.assertEqual(card["receive_stamps"], "hardware")
        self.assertEqual(card["receiver"]["measured"]["card_stamped"], card["receiver"]["measured"]["packets"])
        of_card, of_kernel = card["figures"], kernel["figures"]
        error = of_card["card_error_us"]
        self.assertLess(error, 20)
        self.assertEqual(of_card["clock_error_us"], error)  # both hosts have one kernel
        self.assertEqual(of_kernel["clock_error_us"], 0)
        # A packet leaves the card after the program has handed it over.
        self.assertGreater(of_card["one_way_us_min"], -error)
        self.assertGreater(of_kernel["one_way_us_p50"] - of_card["one_way_us_p50"], INTERRUPT_US / 4)
        self.assertGreater(of_kernel["one_way_us_max"], INTERRUPT_US / 2)
        self.assertLess(of_card["one_way_us_max"], INTERRUPT_US / 2)

    def test_the_other_direction_uses_the_card_here_and_leaves_it_as_it_was(self):
        self.cards()
        self.serve()
        self.assertEqual(setting("card0"), (0, FILTER_NONE))
        self.assertEqual(self.measure("--reverse", "--hardware-stamps", sink="memory")["receive_stamps"], "hardware")
        self.assertEqual(setting("card0"), (0, FILTER_NONE))

    def test_packets_without_a_stamp_have_the_kernels(self):
        self.cards(stamp_every=3)
        self.serve("--hardware-stamps")
        flow = self.measure("--hardware-stamps")
        self.assertEqual(flow["receive_stamps"], "mixed")
        self.assertGreater(flow["figures"]["card_stamped"], 0)
        self.assertLess(flow["figures"]["card_stamped"], flow["receiver"]["measured"]["packets"])

    def test_a_packet_of_stamp_leaves_one_card_when_it_arrives_at_the_other(self):
        """By two clocks that differ by 963 s and 100 ppm."""
        self.cards()
        synchronize_clock()
        self.serve("--hardware-stamps")
        results = {}
        for options in ((), ("--hardware-stamps",)):
            done = self.do(program("wall-probe"), "stamp", FAR, "--count", 300, "--interval-ms", 10, "--json", *options)
            result = results[bool(options)] = json.loads(done)["data"]
            figures = result["figures"]
            print({name: figures.get(name) for name in ("forward_delay_us_min", "forward_delay_us_p50", "forward_pdv_us_max", "reverse_delay_us_min", "reverse_delay_us_p50",
                                                        "reverse_pdv_us_max", "rtt_us_p50", "clock_error_us")}, result["send_stamps"], result["receive_stamps"], result["reflector"])
        program_result, card = results[False], results[True]
        self.assertEqual((program_result["send_stamps"], program_result["receive_stamps"]), ("program", "kernel"))
        self.assertEqual((card["send_stamps"], card["receive_stamps"], card["reflector"]["receive_stamps"]), ("hardware", "hardware", "hardware"))
        figures = card["figures"]
        self.assertEqual(figures["lost"], 0)
        # The truth is 0, and each card's error less than 1 us. Replies leave by the program's time.
        self.assertLess(abs(figures["forward_delay_us_min"]), 2)
        self.assertLess(figures["forward_pdv_us_max"], 2)
        self.assertLess(figures["reverse_delay_us_p50"], INTERRUPT_US / 2)
        self.assertGreater(program_result["figures"]["reverse_delay_us_p50"], INTERRUPT_US / 2)

    def test_what_the_card_or_the_user_lacks_is_one_clear_error(self):
        self.cards()
        as_user = ("setpriv", "--reuid", 65534, "--regid", 65534, "--clear-groups", "--")
        stamp = (program("wall-probe"), "stamp", FAR, "--count", 1, "--hardware-stamps")
        done = run(*as_user, *stamp)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^wall-probe: /dev/ptp\d: cannot be opened: Permission denied; .*udev")
        for device in pathlib.Path("/dev").glob("ptp*"):
            device.chmod(0o644)
        done = run(*as_user, *stamp)
        self.assertEqual(done.returncode, 1)
        self.assertIn("wall-probe: cannot enable the hardware time stamps of card0: Operation not permitted; give the program CAP_NET_ADMIN", done.stderr)
        self.serve()
        done = run(program("wall-probe"), "run", "--to", FAR, "-b", "8M", "--hardware-stamps")
        self.assertEqual(done.returncode, 1)
        self.assertIn("start it with --hardware-stamps", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
