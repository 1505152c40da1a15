"""Makes results directories as wall-probe's sweeps write them, of figures that a test chooses."""
import json
import pathlib

FACTS = {"name": "a", "topology": {"cpu_model": "Test CPU 3000", "packages": 1, "cores": [{"package": 0, "cpus": [0, 1]}], "numa_nodes": [],
                                   "numa_distances": [[10, 21], [21, 10]]},
         "interfaces": [{"name": "eth0", "addresses": ["10.0.0.1"], "up": True, "mtu": 9000, "driver": "mlx5_core", "link_gbit_per_s": 100.0}],
         "disks": [], "limits": {"kernel": "6.1.0-18-amd64", "rmem_max_bytes": 4194304}}


def flow(number, gbit_per_s, seconds=10, **figures):
    intervals = [{"begin_s": float(s), "end_s": s + 1.0, "gbit_per_s": gbit_per_s + 0.02 * (s % 3 - 1), "packets": 375000, "lost": 0, "jitter_us": 3.0 + s % 2}
                 for s in range(seconds)]
    return {"flow": number, "load": "main", "direction": "forward", "figures": {"gbit_per_s": gbit_per_s, **figures}, "intervals": intervals}


def cpus(count, busy):
    return [{"cpu": c, "user": round(0.1 * busy, 4), "system": round(0.3 * busy, 4), "irq": 0.0, "softirq": round(0.2 * busy, 4), "iowait": 0.0, "steal": 0.0,
             "idle": round(1 - 0.6 * busy, 4)} for c in range(count)]


class Directory:
    """A results directory; runs are added one by one."""

    def __init__(self, folder, **experiment):
        self.folder = pathlib.Path(folder)
        (self.folder / "runs").mkdir(parents=True, exist_ok=True)
        self.count = 0
        if experiment:
            self.record = {"schema": "lambdawall-experiment-1", "name": "test", "title": "A test", "rows": ["P2.4"], "saw": "25.21 against 26.77 Gbit/s (table 2)",
                           "repetitions": 5, "seed": 7, "axes": [], "plots": [], "runs_planned": 0, "file": "test.toml"} | experiment
            (self.folder / "experiment.json").write_text(json.dumps(self.record))

    def add(self, point, figures, flows=(), facts=FACTS, **members):
        self.count += 1
        result = {"schema": "lambdawall-result-1", "experiment": "test", "run": self.count, "repetition": members.pop("repetition", 1), "point": point,
                  "began": f"2026-11-22T00:{self.count // 60:02}:{self.count % 60:02}.000Z", "duration_s": 10.0, "warm_up_s": 1.0, "complete": True, "marks": [],
                  "command": "wall-probe run --flows 6", "program": "wall-probe 0.1.0", "load": {"flows": 1}, "figures": figures, "flows": list(flows),
                  "hosts": {"client": {"name": facts["name"], "facts": facts, "cpus": cpus(2, 1.0)}}} | members
        file = self.folder / "runs" / f"{self.count:04}.json"
        file.write_text(json.dumps(result))
        return file
