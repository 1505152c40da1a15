"""A machine whose speed changes by the second, for tests of the bench: seeded, and no real time goes by."""
import math
import random


class NoisyMachine:
    """Speed wanders (a first-order process with a memory of `memory_s`, and a slow drift), and the host stalls now and then, so that a run is late or loses packets."""

    def __init__(self, seed, sigma=0.10, memory_s=2.0, drift=0.3, stall_every_s=12.0):
        self.random = random.Random(seed)
        self.sigma, self.memory_s, self.drift, self.stall_every_s = sigma, memory_s, drift, stall_every_s
        self.now, self.wander, self.phase = 0.0, self.random.gauss(0, sigma), self.random.uniform(0, 2 * math.pi)
        self.runs = 0

    def spend(self, seconds):
        """The speed meanwhile, as a factor, and whether the host stalled."""
        keep = math.exp(-seconds / self.memory_s)
        self.wander = keep * self.wander + math.sqrt(1 - keep * keep) * self.random.gauss(0, self.sigma)
        self.now += seconds
        self.runs += 1
        hours = self.drift * math.sin(self.phase + 2 * math.pi * self.now / 300)
        return math.exp(self.wander + hours), self.random.random() < seconds / self.stall_every_s


class NoisySender:
    """Of this capacity where the machine has its usual speed."""

    def __init__(self, machine, name, capacity, overhead_s=0.12):
        self.machine, self.name, self.capacity, self.overhead_s = machine, name, capacity, overhead_s

    def run(self, gbit, seconds):
        self.machine.spend(self.overhead_s)
        speed, stalled = self.machine.spend(seconds)
        # A capacity has no sharp edge: a few percent above it, a short run still succeeds now and then.
        fits = gbit <= self.capacity * speed * math.exp(self.machine.random.gauss(0, 0.02))
        lossless = fits and not stalled
        frames = max(1, round(seconds * 60))
        return {"target_gbit_per_s": gbit, "frames_offered": frames, "frames_sent": frames if fits else round(frames * 0.9), "loss": 0.0 if lossless else 1e-3,
                "behind_ms": 0.1 if lossless else 30.0, "received_gbit_per_s": gbit if lossless else 0.9 * gbit, "sent_gbit_per_s": gbit, "pixel_share": 0.97,
                "sender_cpu_s_per_gb": 0.2 / speed, "receiver_cpu_s_per_gb": 0.1 / speed, "packets_per_send_call": 7.0, "packets_per_receive_call": 14.0, "in_place": 1.0}
