"""A wall controlled from Python, and its figures, sessions, results and traces: what the package reads is what the programs print."""

import asyncio
import contextlib
import csv
import json
import subprocess
import unittest

import made
import numpy as np

import lambdawall
import real_time
from hosts import Host
from wall import Wall, free_ports, free_tcp_port, program, run, stop, wait_until


def played_wall():
    wall = Wall(2, 1, tile=(96, 60), rate="30")
    for name, seed in (("one", 1), ("two", 2)):
        with lambdawall.StoreWriter(wall.content, name, wall.file) as store:
            for frame in made.frames_of(wall.picture, 60, "rgb8", seed):
                store.write(frame)
    return wall


async def first(notifications, condition, seconds=10):
    async def search():
        async for message in notifications:
            if condition(message):
                return message

    async with contextlib.aclosing(notifications):
        return await asyncio.wait_for(search(), seconds)


class Live(unittest.IsolatedAsyncioTestCase):
    """Of a wall that plays on this host."""

    def setUp(self):
        self.wall = played_wall()
        self.serve()
        self.clients = [self.wall.client(node, "--headless") for node in self.wall.nodes]
        for client in self.clients:
            self.addCleanup(stop, client)
        wait_until(lambda: all(node["connected"] for node in self.wall.call("stats")["nodes"]), 10, "the nodes")

    def serve(self):
        self.server = self.wall.server()
        self.addCleanup(lambda server: stop(server), self.server)

    async def test_transport(self):
        async with lambdawall.connect(self.wall.control) as wall:
            self.assertEqual((await wall.info())["you"], {"name": "loopback", "role": "administer"})
            self.assertEqual([entry["name"] for entry in (await wall.library())["visualizations"]], ["one", "two"])
            states = wall.states()
            await wall.load("one", frame=7, paused=True)
            await first(states, lambda state: state["status"] == "paused" and state["frame"] == 7)
            await wall.seek(11)
            await first(wall.states(), lambda state: state["frame"] == 11)
            await wall.play()
            await first(wall.states(), lambda state: state["status"] == "playing" and state["frame"] != 11)
            await wall.pause()
            self.assertEqual((await wall.state())["status"], "paused")
            await wall.rate(0.5)
            await wall.loop(True, 10, 20)
            self.assertEqual([(await wall.state())[key] for key in ("rate", "loop", "in", "out")], [0.5, True, 10, 20])
            listed = await wall.playlist(["two", {"name": "one", "loops": 2}], repeat=True)
            self.assertEqual((listed["names"], listed["repeat"]), (["two", "one"], True))
            self.assertEqual((await wall.playlist())["names"], ["two", "one"])
            await wall.next()
            await first(wall.states(), lambda state: state.get("name") == "two")
            await wall.identify(True, (1, 0))
            self.assertEqual((await wall.state())["overlays"], [{"tile": [1, 0], "pattern": "none", "identify": True, "mark": False}])
            described = await wall.describe("one", title="Eins", tags=["a"])
            self.assertEqual((described["title"], described["tags"]), ("Eins", ["a"]))
            mime, content = await wall.image("one")
            self.assertEqual((mime, content[:4]), ("image/png", b"\x89PNG"))
            await wall.stop()
            self.assertEqual((await wall.state())["status"], "stopped")

    async def test_errors_of_the_server(self):
        async with lambdawall.connect(self.wall.control) as wall:
            with self.assertRaises(lambdawall.CallFailed) as failed:
                await wall.load("three")
            self.assertEqual((failed.exception.method, failed.exception.code), ("load", 1))
            self.assertIn("three", failed.exception.message)
            with self.assertRaises(lambdawall.CallFailed) as failed:
                await wall.call("seek", {"frame": 1, "haste": 2})
            self.assertEqual(failed.exception.code, -32602)
            self.assertEqual((await wall.state())["status"], "stopped")

    async def test_many_calls_at_once_get_their_own_answers(self):
        async with lambdawall.connect(self.wall.control) as wall:
            answers = await asyncio.gather(*(wall.call(method) for method in ["info", "state", "stats", "playlist"] * 25))
            for number, key in enumerate(["program", "status", "sender", "entries"] * 25):
                self.assertIn(key, answers[number])

    async def test_figures_are_those_of_the_server(self):
        async with lambdawall.connect(self.wall.control) as wall:
            await wall.load("one")
            stream = wall.stats()
            messages = [await asyncio.wait_for(anext(stream), 5) for _ in range(12)]
            await stream.aclose()
        tables = lambdawall.figures(messages)
        self.assertEqual(list(tables["sender"].where(flow=1)["packets"]), [message["sender"][1]["packets"] for message in messages])
        reports = [(node["node"], flow) for message in messages for node in message["nodes"] if "report" in node for flow in node["report"]["flows"]]
        self.assertGreater(len(reports), 12)
        for column in ("packets", "lost", "jitter_us"):
            want = [flow.get(column, np.nan) for _, flow in reports]
            np.testing.assert_array_equal(tables["receiver"][column], want)
        self.assertEqual(list(tables["receiver"]["node"]), [node for node, _ in reports])
        self.assertEqual(str(tables["wall"]["time"][0]) + "Z", messages[0]["time"].replace("Z", "000Z"))
        self.assertEqual(list(tables["tiles"].to_pandas()["column"].unique()), [0, 1])

    async def test_streams_and_calls_continue_with_a_server_that_is_started_again(self):
        async with lambdawall.connect(self.wall.control) as wall:
            states = wall.states()
            await asyncio.wait_for(anext(states), 5)
            await wall.load("one")
            self.server.kill()
            self.server.wait(10)
            with self.assertRaises((lambdawall.ConnectionLost, TimeoutError)):
                await wall.call("state", timeout=0.5)
            with self.assertRaises(TimeoutError):
                await wall.call("state", timeout=0.5)
            self.assertFalse(wall.connected)
            self.serve()
            await asyncio.wait_for(wall.load("two"), 10)
            again = await first(states, lambda state: state.get("name") == "two")
            self.assertEqual(again["status"], "playing")

    async def test_a_connection_without_reconnecting_ends_with_the_server(self):
        async with lambdawall.connect(self.wall.control, reconnect=False) as wall:
            events = asyncio.ensure_future(first(wall.events(), lambda event: False))
            await wall.state()
            self.server.kill()
            for waiting in (events, wall.state(), wall.state()):
                with self.assertRaises(lambdawall.ConnectionLost):
                    await waiting
        wall = await lambdawall.connect(self.spare())
        ended = asyncio.ensure_future(self.all_of(wall.events()))
        await wall.state()
        await wall.close()
        self.assertEqual(await asyncio.wait_for(ended, 5), [])
        with self.assertRaisesRegex(lambdawall.ConnectionLost, "closed by this program"):
            await wall.state()

    async def all_of(self, notifications):
        return [message async for message in notifications]

    def spare(self):
        """Another server, of a wall without nodes."""
        wall = Wall(1, 1)
        server = wall.server()
        self.addCleanup(lambda: stop(server))
        return wall.control

    async def test_a_session_is_read_as_it_was_recorded(self):
        async with lambdawall.connect(self.wall.control) as wall:
            await wall.load("one")
        folder = self.wall.folder / "session"
        recorded = await asyncio.to_thread(run, program("wall-control"), "--connect", self.wall.control, "--record", folder, "--seconds", "2")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        lines = [json.loads(line) for line in (folder / "session.ndjson").read_text().splitlines()]
        session = lambdawall.Session(folder)
        self.assertEqual(session.head["version"], 1)
        self.assertEqual([(entry.t_ms, entry.content) for entry in session], [(line["t_ms"], next(v for k, v in line.items() if k != "t_ms")) for line in lines])
        stats = [line["stats"] for line in lines if "stats" in line]
        self.assertGreater(len(stats), 10)
        sent = [flow["bytes"] for message in stats for flow in message["sender"]]
        self.assertEqual(list(session.figures()["sender"]["bytes"]), sent)
        events = [line["event"] for line in lines if "event" in line]
        self.assertEqual(list(session.events()["code"]), [event["code"] for event in events])
        self.assertIn("loaded", session.events()["code"])
        self.assertEqual(list(session.states()["frame"]), [line["state"]["frame"] for line in lines if "state" in line])

    async def test_a_trace_has_the_stages_that_wall_probe_prints(self):
        async with lambdawall.connect(self.wall.control) as wall:
            await wall.load("one")
            await asyncio.sleep(2)
            file = self.wall.folder / "trace.json"
            done = await asyncio.to_thread(run, program("wall-probe"), "trace", "--connect", self.wall.control, "--seconds", "1", "--out", file, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            printed, trace = json.loads(done.stdout), lambdawall.load_trace(file)
            rows = {row.pop("stage"): row for row in trace.summary().rows()}
            self.assertEqual(sorted(rows), sorted(printed["stages"]))
            for stage, figures in printed["stages"].items():
                self.assertEqual({key: round(float(value), 6) for key, value in rows[stage].items()}, {key: round(value, 6) for key, value in figures.items()}, stage)
            self.assertEqual(trace.frames, printed["frames"])
            records, after = await wall.trace(seconds=1)
            self.assertGreater(records["shown"].count, 30)
            self.assertGreater(after, 0)
            self.assertTrue((records["sent"]["last_sent_ns"] >= records["sent"]["first_sent_ns"]).all())


class Admission(unittest.IsolatedAsyncioTestCase):
    """TLS, tokens and certificates, at an address that other hosts reach."""

    def setUp(self):
        try:
            host = Host(9)
        except (OSError, AssertionError) as error:
            self.skipTest(f"this host lets us make no network namespaces: {error}")
        self.addCleanup(lambda: stop(host.holder))
        self.wall = Wall(1, 1, tile=(96, 60))
        self.state, self.mine = self.wall.folder / "state", self.wall.folder / "mine"
        with lambdawall.StoreWriter(self.wall.content, "one", self.wall.file) as store:
            store.write(made.frames_of(self.wall.picture, 1, "rgb8")[0])
        self.address = self.wall.control = f"{host.address[:-1]}1:{free_tcp_port()}"
        self.wall.write()
        self.server = self.wall.server("--state", self.state)
        self.addCleanup(lambda: stop(self.server))
        self.fingerprint = self.of_server("--fingerprint")
        self.view, self.operate = (self.of_server("--add-token", role, "--role", role) for role in ("view", "operate"))

    def of_server(self, *options):
        done = run(program("wall-server"), "--state", self.state, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def connect(self, token=None, **options):
        return lambdawall.connect(self.address, token=token or self.view, state=self.mine, **options)

    async def test_certificates(self):
        file = self.mine / "known-servers"
        with self.assertRaises(lambdawall.UnknownCertificate) as unknown:
            await self.connect()
        self.assertEqual(unknown.exception.fingerprint, self.fingerprint)
        self.assertFalse(file.exists())
        async with self.connect(fingerprint=self.fingerprint) as wall:
            self.assertEqual((await wall.state())["status"], "stopped")
        with self.assertRaises(lambdawall.CertificateRefused):
            await self.connect(fingerprint="sha256:" + "0" * 64)
        self.assertFalse(file.exists())
        async with self.connect(trust_first_use=True):
            pass
        self.assertEqual(file.read_text(), f"{self.address} {self.fingerprint}\n")
        self.assertEqual((file.stat().st_mode & 0o777, self.mine.stat().st_mode & 0o777), (0o600, 0o700))
        async with self.connect():
            pass
        token = self.wall.folder / "token"
        token.write_text(self.view + "\n")
        called = await asyncio.to_thread(run, program("wall-control"), "--connect", self.address, "--state", self.mine, "--token-file", token, "--call", "state")
        self.assertEqual((called.returncode, "first time" in called.stderr), (0, False), called.stderr)
        file.write_text(file.read_text().replace(self.fingerprint, "sha256:" + "1" * 64))
        for first_use in (False, True):
            with self.assertRaisesRegex(lambdawall.CertificateRefused, "known-servers"):
                await self.connect(trust_first_use=first_use)

    async def test_a_certificate_of_the_programs_is_known_here(self):
        token = self.wall.folder / "token"
        token.write_text(self.view + "\n")
        called = await asyncio.to_thread(run, program("wall-control"), "--connect", self.address, "--state", self.mine, "--token-file", token, "--call", "state")
        self.assertEqual((called.returncode, "first time" in called.stderr), (0, True), called.stderr)
        async with lambdawall.connect(self.address, token_file=token, state=self.mine) as wall:
            self.assertEqual((await wall.state())["status"], "stopped")

    async def test_an_authority(self):
        async with self.connect(ca=self.state / "control.crt") as wall:
            self.assertEqual((await wall.state())["status"], "stopped")
        other = self.wall.folder / "other.crt"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", self.wall.folder / "key",
                        "-out", other, "-subj", "/CN=other"], check=True, capture_output=True)
        with self.assertRaises(lambdawall.CertificateRefused):
            await self.connect(ca=other)

    async def test_roles_and_tokens(self):
        async with self.connect(self.view, fingerprint=self.fingerprint) as wall:
            self.assertEqual((await wall.info())["you"], {"name": "view", "role": "view"})
            with self.assertRaisesRegex(lambdawall.Forbidden, "load: .*operate"):
                await wall.load("one")
            self.assertEqual((await wall.state())["status"], "stopped")
        async with self.connect(self.operate, fingerprint=self.fingerprint) as wall:
            self.assertEqual((await wall.load("one"))["name"], "one")
            with self.assertRaises(lambdawall.Forbidden):
                await wall.delete("one")
        for _ in range(5):
            with self.assertRaisesRegex(lambdawall.TokenRefused, "not known"):
                await self.connect("lw-" + "0" * 64, fingerprint=self.fingerprint)
        with self.assertRaises(lambdawall.TooManyFailures) as refused:
            await self.connect(fingerprint=self.fingerprint)
        self.assertGreater(refused.exception.wait_s, 1)

    async def test_a_token_that_is_removed_ends_the_connection(self):
        async with self.connect(self.operate, fingerprint=self.fingerprint) as wall:
            events = wall.events()
            waiting = asyncio.ensure_future(first(events, lambda event: False, 20))
            self.assertEqual((await wall.state())["status"], "stopped")
            self.of_server("--remove-token", "operate")
            with self.assertRaises(lambdawall.TokenRefused):
                await waiting
            with self.assertRaises(lambdawall.TokenRefused):
                await wall.state()


class Measured(unittest.TestCase):
    """Results of wall-probe."""

    def test_a_sweep_has_the_rows_of_the_report(self):
        folder = Wall(1, 1).folder
        file, ports = folder / "sweep.toml", free_ports(24)
        file.write_text('[experiment]\nname = "t"\ntitle = "T"\nrepetitions = 2\nduration_s = 1\nwarm_up_s = 0.2\ninterval_s = 0.2\n'
                        f'[[load]]\nflows = 2\ngbit_per_s = 0.02\nbase_port = {ports}\nsource_port = {ports + 12}\n'
                        '[[axis]]\nkey = "flows"\nvalues = [1, 2]\n[[plot]]\nkind = "line"\nx = "flows"\ny = "gbit_per_s"\n')
        swept = run(program("wall-probe"), "sweep", file, "--results", folder / "results")
        self.assertEqual(swept.returncode, 0, swept.stderr)
        report = run(program("wall-probe"), "report", folder / "results", "--out", folder / "report")
        self.assertEqual(report.returncode, 0, report.stderr)
        printed = folder / "report.json"
        printed.write_text(run(program("wall-probe"), "report", folder / "results", "--out", folder / "report", "--json").stdout)
        results = lambdawall.load_results(folder / "results")
        for row in lambdawall.load_report(printed).rows():
            values = results.table(counting=True).where(flows=row["flows"])[row["figure"]]
            values = values[~np.isnan(values)]
            self.assertEqual(row["runs"], len(values), row["figure"])
            self.assertAlmostEqual(row["median"], np.median(values), msg=row["figure"])
        self.assertGreater(lambdawall.load_report(printed).where(figure="gbit_per_s").count, 1)
        table = results.table()
        with open(folder / "report/runs.csv", newline="") as stream:
            head, *rows = csv.reader(stream)
        self.assertEqual(list(table), head)
        self.assertEqual(table.count, len(rows))
        for row, want in zip(table.rows(), rows):
            for name, text in zip(head, want):
                if isinstance(row[name], (bool, np.bool_)):
                    self.assertEqual(str(row[name]).lower(), text, name)
                elif isinstance(row[name], str):
                    self.assertEqual(row[name], text, name)
                else:
                    np.testing.assert_equal(float(row[name]), float(text) if text else np.nan, name)
        for result in results.runs:
            flows = result.flows()
            self.assertEqual(list(flows["gbit_per_s"]), [flow["figures"]["gbit_per_s"] for flow in result.raw["flows"]])
            self.assertAlmostEqual(flows["gbit_per_s"].sum(), result.figures["gbit_per_s"])
            intervals = result.intervals()
            self.assertEqual(list(intervals["end_s"]), [entry["end_s"] for flow in result.raw["flows"] for entry in flow["intervals"]])


if __name__ == "__main__":
    real_time.main()
