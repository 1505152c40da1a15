"""Sound on devices: what a sink of PipeWire plays is the film's sound with its frames, by PipeWire's library and by ALSA's. The sink plays nothing that
anybody hears; a recorder of its own says what it played when."""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from click_film import FLASH, RATE, clicks_in, make_film  # noqa: E402
from wall import Wall, program, run, start, stop, wait_until  # noqa: E402

SINK = "wall-sink"
CONFIG = f"""context.objects = [
  {{ factory = adapter
    args = {{ factory.name = support.null-audio-sink node.name = {SINK} media.class = Audio/Sink object.linger = true audio.position = [ FL FR ] }} }}
]
"""


class SoundServer:
    """PipeWire and its session manager for this test alone."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "run").mkdir(mode=0o700)
        (folder / "config/pipewire/pipewire.conf.d").mkdir(parents=True)
        (folder / "config/pipewire/pipewire.conf.d/sink.conf").write_text(CONFIG)
        self.environment = {**os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder / "run"), "XDG_CONFIG_HOME": str(folder / "config"),
                            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/run/bus"}
        self.quiet = {"env": self.environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.bus = start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={folder}/run/bus", **self.quiet)
        wait_until((folder / "run/bus").exists, 10, "the bus that the session manager needs")
        self.begin()

    def begin(self):
        self.programs = [start("pipewire", **self.quiet)]
        wait_until((self.folder / "run/pipewire-0").exists, 10, "PipeWire")
        self.programs.append(start("wireplumber", **self.quiet))
        wait_until(lambda: SINK in run("pw-cli", "ls", "Node", env=self.environment).stdout, 10, "the sink")

    def end(self):
        for process in reversed(self.programs):
            stop(process)


class SoundDevice(unittest.TestCase):
    stall_max_s = 0.02  # PipeWire's latency and the spare time of wall-client's output: after a longer stall samples are missing

    def setUp(self):
        self.wall = Wall(2, 1, audio=["node-1-0"])
        self.film = make_film(self.wall.folder / "film.mkv")
        self.wall.ingest(self.wall.folder / "film.mkv", "film", "--fit", "stretch")
        (self.wall.folder / "sound").mkdir()
        self.sound_server = SoundServer(self.wall.folder / "sound")
        self.addCleanup(lambda: (self.sound_server.end(), stop(self.sound_server.bus)))

    def listen(self, output, seconds, meanwhile=lambda: None):
        """Plays; returns the samples that the sink played, their times, and when flashes were shown on another node."""
        self.wall.file.write_text(self.wall.file.read_text().replace('audio = "default"', f'audio = "{output}"'))
        heard, dump = self.wall.folder / "heard", self.wall.folder / "dump"
        heard.mkdir()
        recorder = start(program("sound_recorder"), SINK, heard, env=self.sound_server.environment)
        server = self.wall.server("--play", "film")
        shows = self.wall.client("node-0-0", "--headless", "--dump", dump)
        plays = self.wall.client("node-1-0", "--headless", env=self.sound_server.environment)
        time.sleep(seconds / 2)
        meanwhile()
        time.sleep(seconds / 2)
        self.assertEqual([stop(process) for process in (plays, shows, server)], [0, 0, 0])
        stop(recorder)
        samples = np.fromfile(heard / "heard.f32", "<f4")
        portions = [json.loads(line) for line in (heard / "heard.ndjson").read_text().splitlines()]
        times = np.interp(np.arange(len(samples)), [portion["row"] for portion in portions], [portion["time_ns"] / 1e9 for portion in portions])
        shown = [json.loads(line) for line in (dump / "shown.ndjson").read_text().splitlines()]
        flashes = [line["swap_ns"] / 1e9 for line in shown if line["frame"] % 30 == FLASH]
        return samples, times, flashes

    def check_clicks(self, samples, times, flashes, settled):
        clicks = times[clicks_in(np.clip(samples.astype(np.float64) * 2**31, -2**31, 2**31 - 1).astype(np.int64))]
        flashes = [flash for flash in flashes if settled < flash < clicks[-1] + 0.5]
        self.assertGreaterEqual(len(flashes), 4)
        apart = [min((click - flash for click in clicks), key=abs) for flash in flashes]
        playing = samples[(settled < times) & (times < clicks[-1])]
        silent = np.mean(playing == 0)
        print(f"flash against click of the device, {len(flashes)} times: {1e3 * min(apart):.2f} to {1e3 * max(apart):.2f} ms; "
              f"{100 * silent:.2f} % silent", file=sys.stderr)
        self.assertLess(silent, 0.01, "a device is given what it takes: here the film is never silent")
        self.assertLess(np.max(np.abs(apart)), 0.5, "each click is heard")
        real_time.assert_on_time(self, np.percentile(np.abs(apart), 99), 0.005)

    def test_pipewire(self):
        samples, times, flashes = self.listen(f"pipewire:{SINK}", 8)
        self.check_clicks(samples, times, flashes, times[np.flatnonzero(samples)[0]] + 1)

    def test_alsa(self):
        """By the plug-in with which ALSA's programs play on PipeWire."""
        (self.wall.folder / "sound/.asoundrc").write_text(f'pcm.wall {{ type pipewire playback_node "{SINK}" }}\n')
        samples, times, flashes = self.listen("alsa:wall", 8)
        self.check_clicks(samples, times, flashes, times[np.flatnonzero(samples)[0]] + 1)

    def test_a_sound_server_that_restarts(self):
        """The node goes on showing its tiles, and is heard again."""
        def restart():
            self.sound_server.end()
            self.sound_server.begin()
            self.again = start(program("sound_recorder"), SINK, self.second, env=self.sound_server.environment)

        self.second = self.wall.folder / "second"
        self.second.mkdir()
        self.listen("default", 12, restart)
        stop(self.again)
        samples = np.fromfile(self.second / "heard.f32", "<f4")
        self.assertGreater(np.count_nonzero(samples), RATE, "a second of sound after the restart")

    def test_an_output_that_ends_and_changes(self):
        """Two threads: the law is tested by a program that opens and closes it many times."""
        tests = run(program("wall-client_tests"), "[pipewire]", env=self.sound_server.environment)
        self.assertEqual(tests.returncode, 0, tests.stdout + tests.stderr)
        self.assertIn("All tests passed", tests.stdout)

    def test_a_node_without_a_device_shows_its_tiles(self):
        self.wall.file.write_text(self.wall.file.read_text().replace('audio = "default"', 'audio = "alsa:nowhere"'))
        server = self.wall.server("--play", "film")
        client = self.wall.client("node-1-0", "--headless", stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        time.sleep(2)
        self.assertEqual((stop(client), stop(server)), (0, 0))
        said = "".join(client.communicate())
        self.assertRegex(said, "this node plays no sound: ALSA's device nowhere .*aplay -L")
        self.assertNotIn("ALSA lib", said)


if __name__ == "__main__":
    real_time.main(verbosity=2)
