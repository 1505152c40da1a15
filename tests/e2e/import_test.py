"""Imports on the servers' hosts at an operator's request: with the real programs, over JSON-RPC."""
import base64
import contextlib
import json
import os
import pathlib
import signal
import sys
import time
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import real_time  # noqa: E402
from pictures import make_source  # noqa: E402
from wall import Control, Wall, free_tcp_port, port_open, program, run, start, stop, wait_until  # noqa: E402


class WallWithImports(Wall):
    """Media may be imported from the folder `media`."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.media = self.folder / "media"
        self.media.mkdir()

    def imports(self):
        return self.call("state").get("imports", [])

    def ended(self):
        return bool(self.imports()) and all(each["status"] != "running" for each in self.imports())

    def names(self):
        return [entry["name"] for entry in self.call("list")["visualizations"]]

    def events(self, code):
        return [event["text"] for event in self.call("subscribe", stats=False, events=True)["events"] if event["code"] == code]

    def error_of(self, method, **params):
        """The error of a call, as the operator's program prints it."""
        done = run(program("wall-control"), "--connect", self.control, "--call", method, json.dumps(params))
        assert done.returncode == 1, done.stdout
        return done.stderr


def children_of(process):
    return [int(pid) for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir() for pid in (task / "children").read_text().split()]


class Import(unittest.TestCase):
    def setUp(self):
        self.wall = WallWithImports(2, 1, tile=(160, 100))
        self.server = None

    def tearDown(self):
        if self.server and self.server.poll() is None:
            self.assertEqual(stop(self.server), 0)

    def serve(self, *options):
        self.server = self.wall.server("--import-from", self.wall.media, *options)

    def make_long_video(self):
        """Its import lasts for minutes."""
        clip = self.wall.folder / "clip.mkv"
        long = self.wall.media / "long.mkv"
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x40:rate=30:duration=20", "-c:v", "libx264", clip)
        done = run("ffmpeg", "-v", "error", "-stream_loop", "400", "-i", clip, "-c", "copy", long)
        self.assertEqual(done.returncode, 0, done.stderr)

    def long_import(self):
        self.make_long_video()
        self.wall.call("import", input=str(self.wall.media / "long.mkv"), name="long")
        wait_until(lambda: self.wall.imports()[0].get("frames", 0) > 0, 20, "progress")

    def test_a_folder_of_images_is_imported_and_played(self):
        make_source(self.wall.media / "film", self.wall.picture, 40)
        self.serve()
        self.assertEqual(self.wall.call("info")["import_from"], [str(self.wall.media)])
        begun = self.wall.call("import", input=str(self.wall.media / "film"), title="A title; $HOME", tags=["x y", "-z"], fit="exact")
        self.assertEqual(begun["imports"][0]["status"], "running")
        wait_until(self.wall.ended, 60, "the import")
        done = self.wall.imports()[0]
        self.assertEqual((done["status"], done["name"], done["frames"]), ("done", "film", 40))
        entry = self.wall.call("list")["visualizations"][0]
        self.assertEqual((entry["name"], entry["title"], entry["tags"], entry["fits"]), ("film", "A title; $HOME", ["x y", "-z"], True))
        self.assertEqual(run(program("wall-ingest"), "--verify", self.wall.content / "film").returncode, 0)
        self.assertEqual(self.wall.call("load", name="film")["name"], "film")
        self.assertTrue(any("film is imported, 40 frames" in text for text in self.wall.events("import")))
        self.assertIn("film is new", self.wall.events("library"))
        self.assertIn("already exists", self.import_failure(input=str(self.wall.media / "film")))
        self.wall.call("import", input=str(self.wall.media / "film" / "*.png"), name="film", overwrite=True)
        wait_until(self.wall.ended, 60, "the second import")
        self.assertEqual(self.wall.imports()[0]["status"], "done")

    def test_an_import_goes_where_the_operator_says_among_the_servers_directories(self):
        more = self.wall.folder / "more"
        for folder in (self.wall.content, more):
            folder.mkdir(exist_ok=True)
        make_source(self.wall.media / "film", self.wall.picture, 10)
        self.server = start(program("wall-server"), "--wall", self.wall.file, "--content", f"{self.wall.content},{more}",
                            "--import-from", self.wall.media)
        wait_until(lambda: port_open(self.wall.control), 10, "the control port")
        places = self.wall.call("import.places")
        self.assertEqual(places["wall_file"], str(self.wall.file))
        self.assertEqual([(each["directory"], each["content"], each["usual"]) for each in places["folders"]],
                         [(str(self.wall.content), True, True), (str(more), True, False)])
        for each in places["folders"]:
            self.assertTrue(0 < each["free_bytes"] <= each["bytes"], each)
        self.assertEqual(places["inputs"], [str(self.wall.media / "film")])
        for into in (["/tmp"], [str(more), str(more)]):
            self.assertIn("directory of this server" if len(into) == 1 else "more than once",
                          self.wall.error_of("import", input=str(self.wall.media / "film"), into=into))
        self.wall.call("import", input=str(self.wall.media / "film"), into=[str(more)])
        wait_until(self.wall.ended, 60, "the import")
        self.assertEqual(self.wall.imports()[0]["status"], "done")
        self.assertTrue((more / "film" / "visualization.json").exists())
        self.assertEqual(list(self.wall.content.glob("film")), [])
        self.assertEqual(self.wall.call("load", name="film")["name"], "film")

    def test_a_store_of_another_wall_is_cut_for_this_one_and_played(self):
        other = Wall(1, 2, tile=(320, 50))
        pictures = make_source(self.wall.media / "film", self.wall.picture, 20)
        other.ingest(self.wall.media / "film", "film", out=self.wall.content)
        self.serve()
        entry = self.wall.call("list")["visualizations"][0]
        store = str(self.wall.content / "film")
        self.assertEqual((entry["fits"], entry["cut_from"]), (False, store))
        self.assertIn("wall-ingest --from", entry["reason"])
        for wrong in (str(self.wall.content), store + "/tile-0-0.npy"):
            self.assertIn("not below a directory", self.wall.error_of("import", input=wrong))
        self.wall.call("import", input=store, name="film-here")
        wait_until(self.wall.ended, 60, "the cut")
        done = self.wall.imports()[0]
        self.assertEqual((done["status"], done["name"], done["frames"]), ("done", "film-here", 20), done)
        self.assertEqual(run(program("wall-ingest"), "--verify", self.wall.content / "film-here").returncode, 0)
        for column in range(2):
            stripe = np.load(self.wall.content / "film-here" / f"tile-{column}-0.npy")["frame"]
            wanted = [picture[:, column * 160:(column + 1) * 160].reshape(100, -1) for picture in pictures]
            self.assertTrue(np.array_equal(stripe, wanted))
        entries = {entry["name"]: entry for entry in self.wall.call("list")["visualizations"]}
        self.assertTrue(entries["film-here"]["fits"])
        self.assertNotIn("cut_from", entries["film-here"])
        self.assertEqual(self.wall.call("load", name="film-here")["name"], "film-here")

    def described(self, operator, **params):
        """What the server says about a source, in its own time."""
        self.assertEqual(operator.call("import.probe", **params), {})
        while True:
            message = operator.receive()
            if message.get("method") == "import.source":
                return message["params"]

    def test_a_source_is_described_before_its_import(self):
        film = self.wall.media / "film.mkv"
        done = run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x200:rate=30:duration=2", "-f", "lavfi", "-i", "sine=duration=1",
                   "-c:v", "libx264", "-c:a", "aac", film)
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.wall.media / "notes.mp4").write_text("no video\n" * 1000)
        self.serve()
        with contextlib.closing(Control(self.wall.control)) as operator:
            facts = self.described(operator, input=str(film), fit="fill")
            self.assertEqual({key: facts[key] for key in ("input", "fit", "name", "width", "height", "frame_rate", "input_bytes", "sound", "hdr")},
                             {"input": str(film), "fit": "fill", "name": "film", "width": 640, "height": 200, "frame_rate": "30",
                              "input_bytes": film.stat().st_size, "sound": True, "hdr": False})
            self.assertAlmostEqual(facts["frames"], 60, delta=2)  # the file states its length less exactly
            self.assertEqual(base64.b64decode(facts["preview"])[:3], b"\xff\xd8\xff")
            failed = self.described(operator, input=str(self.wall.media / "notes.mp4"))
            self.assertEqual((failed["input"], "notes.mp4" in failed["reason"], "preview" in failed), (str(self.wall.media / "notes.mp4"), True, False))
            for path, words in (("/etc/passwd", "is not below"), ("lavfi:testsrc2", "is not an absolute path")):
                with self.assertRaisesRegex(RuntimeError, words):
                    operator.call("import.probe", input=path)
        self.assertEqual(self.wall.names(), [])
        self.assertNotIn("imports", self.wall.call("state"))
        self.wall.call("import", input=str(film), fit="fill")
        wait_until(self.wall.ended, 60, "the import")
        # Pixels, before the store rounds each frame up to blocks.
        made = self.wall.call("list")["visualizations"][0]
        self.assertEqual(facts["bytes"], facts["frames"] * 2 * 160 * 100 * 3)
        self.assertLess(facts["bytes"] / facts["frames"], made["bytes"] / made["frames"])
        self.assertEqual(children_of(self.server), [])

    def import_failure(self, **params):
        self.wall.call("import", **params)
        wait_until(self.wall.ended, 30, "the import to fail")
        self.assertEqual(self.wall.imports()[0]["status"], "failed")
        return self.wall.imports()[0]["reason"]

    def test_what_is_not_allowed_is_refused(self):
        make_source(self.wall.folder / "secret", self.wall.picture, 2)
        (self.wall.media / "link").symlink_to(self.wall.folder / "secret")
        (self.wall.media / "file.png").symlink_to(next((self.wall.folder / "secret").glob("*.png")))
        (self.wall.media / "mixed").mkdir()
        (self.wall.media / "mixed" / "a.png").symlink_to(next((self.wall.folder / "secret").glob("*.png")))
        self.serve()
        for path in (self.wall.folder / "secret", self.wall.media / "link", self.wall.media / "file.png", self.wall.media / "../secret",
                     self.wall.media / "link" / "*.png", "/etc/passwd"):
            self.assertIn("is not below a directory from which this server imports", self.wall.error_of("import", input=str(path)))
        for address in ("http://127.0.0.1/film.mp4", "lavfi:testsrc2=duration=1", "film.mp4", "--help"):
            self.assertIn("is not an absolute path", self.wall.error_of("import", input=address))
        self.assertIn("a name must have", self.wall.error_of("import", input=str(self.wall.media / "mixed"), name="../x"))
        self.assertIn("unknown member", self.wall.error_of("import", input=str(self.wall.media), out="/tmp"))
        self.assertNotIn("imports", self.wall.call("state"))
        self.assertIn("is a link to", self.import_failure(input=str(self.wall.media / "mixed")))
        self.assertEqual(self.wall.names(), [])

    def test_without_the_option_nothing_is_imported(self):
        self.server = self.wall.server()
        self.assertIn("--import-from", self.wall.error_of("import", input=str(self.wall.media)))

    def test_bad_media_are_reported(self):
        (self.wall.media / "notes.mp4").write_text("no video\n" * 1000)
        (self.wall.media / "empty").mkdir()
        self.serve()
        self.assertIn("notes.mp4", self.import_failure(input=str(self.wall.media / "notes.mp4")))
        self.assertIn("has no images", self.import_failure(input=str(self.wall.media / "empty")))
        self.assertTrue(any("failed" in text and "has no images" in text for text in self.wall.events("import")))

    def test_an_import_outlives_its_operator_is_cancelled_and_continues(self):
        self.serve()
        self.make_long_video()
        with contextlib.closing(Control(self.wall.control)) as operator:
            operator.call("import", input=str(self.wall.media / "long.mkv"), name="long")
        wait_until(lambda: self.wall.imports()[0].get("frames", 0) > 0, 20, "progress")
        frames = self.wall.imports()[0]["frames"]
        wait_until(lambda: self.wall.imports()[0]["frames"] > frames, 20, "progress without the operator")
        self.assertIn("is importing", self.wall.error_of("import", input=str(self.wall.media / "long.mkv"), name="other"))
        self.wall.call("import.cancel")
        wait_until(self.wall.ended, 20, "the import to end")
        self.assertEqual(self.wall.imports()[0]["status"], "cancelled")
        self.assertEqual(children_of(self.server), [])
        self.assertEqual(self.wall.names(), [])
        kept = self.wall.imports()[0]["frames"]
        self.wall.call("import", input=str(self.wall.media / "long.mkv"), name="long")
        wait_until(lambda: self.wall.imports()[0].get("frames", 0) > 0, 20, "progress")
        self.assertGreaterEqual(self.wall.imports()[0]["frames"], kept)

    def test_an_import_ends_with_the_server_and_with_its_death(self):
        self.serve()
        self.long_import()
        child, = children_of(self.server)
        self.assertEqual(stop(self.server), 0)
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())
        self.serve()
        self.wall.call("import", input=str(self.wall.media / "long.mkv"), name="long")
        wait_until(lambda: self.wall.imports()[0].get("frames", 0) > 0, 20, "progress")
        child, = children_of(self.server)
        os.kill(child, signal.SIGKILL)
        wait_until(self.wall.ended, 20, "the server to notice")
        self.assertEqual(self.wall.imports()[0]["reason"], "wall-ingest was ended by signal 9")


class ImportAtSeveralServers(unittest.TestCase):
    def test_each_server_imports_its_tiles_and_all_play(self):
        wall = WallWithImports(2, 1, tile=(160, 100))
        other = f"127.0.0.1:{free_tcp_port()}"
        text = wall.file.read_text()
        begin, end = text.index("[[server]]"), text.index("[streaming]")
        servers = "".join(f'[[server]]\nname = "{name}"\ncontrol = "{control}"\ninterfaces = ["127.0.0.1"]\ntiles = [{{ column = {column} }}]\n'
                          for column, (name, control) in enumerate((("a", wall.control), ("b", other))))
        wall.file.write_text(text[:begin] + servers + text[end:])
        make_source(wall.media / "film", wall.picture, 40)
        processes = []

        def serve(name, control, *options):
            (wall.folder / name).mkdir(exist_ok=True)
            processes.append(start(program("wall-server"), "--wall", wall.file, "--server", name, "--content", wall.folder / name, *options))
            wait_until(lambda: port_open(control), 10, "the control port of server " + name)

        try:
            serve("b", other)
            serve("a", wall.control, "--import-from", wall.media)
            wait_until(lambda: wall.events("server-joined"), 10, "b to follow")
            wall.call("import", input=str(wall.media / "film"))
            wait_until(wall.ended, 60, "the import")
            self.assertEqual([each["status"] for each in wall.imports()], ["done", "failed"])
            self.assertIn("--import-from", wall.imports()[1]["reason"])
            self.assertTrue(any("server b: the import of" in text and "failed" in text for text in wall.events("import")))
            self.assertIn("server 'b' has no film", wall.error_of("load", name="film"))
            self.assertEqual(stop(processes[0]), 0)
            serve("b", other, "--import-from", wall.media)
            wait_until(lambda: len(wall.events("server-joined")) == 2, 10, "b to follow again")
            wall.call("import", input=str(wall.media / "film"), overwrite=True)
            wait_until(wall.ended, 60, "the import")
            self.assertEqual([(each["server"], each["status"], each["frames"]) for each in wall.imports()], [("a", "done", 40), ("b", "done", 40)])
            for name, tile in (("a", "tile-0-0"), ("b", "tile-1-0")):
                self.assertEqual([file.stem for file in (wall.folder / name / "film").glob("tile-*.npy")], [tile])

            def ready():
                return [copy["state"] for copy in wall.call("list")["visualizations"][0]["servers"]] == ["ready", "ready"]

            wait_until(ready, 10, "the library to show it at both")
            self.assertEqual(wall.call("load", name="film")["name"], "film")
            time.sleep(0.5)
            self.assertEqual(wall.events("server-cannot-play"), [])
        finally:
            for process in processes:
                if process.poll() is None:
                    self.assertEqual(stop(process), 0)


if __name__ == "__main__":
    real_time.main()
