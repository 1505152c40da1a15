"""A film whose flashes and clicks come together, and where its clicks are found in what was played."""
import subprocess

import numpy as np

SECONDS, RATE = 4, 48000
FLASH = 15  # the frame of each second that flashes, and with which the click begins
LOUD, QUIET = 0.8, 0.1


def make_film(file):
    """A black film that flashes once a second, with a click at the same time over noise that tells its samples apart."""
    light = f"geq=lum='if(eq(mod(N,30),{FLASH}),235,16)':cb=128:cr=128"
    noise = np.random.default_rng(7).integers(-int(QUIET * 2**23), int(QUIET * 2**23), SECONDS * RATE, dtype=np.int64)
    for second in range(SECONDS):
        click = second * RATE + FLASH * RATE // 30
        noise[click:click + 96] = int(LOUD * 2**23)
    sound = (noise << 8).astype("<i4")
    made = subprocess.run(["ffmpeg", "-v", "error", "-f", "s32le", "-ar", str(RATE), "-ac", "1", "-i", "-", "-f", "lavfi", "-i",
                           f"color=black:size=64x40:rate=30:duration={SECONDS},format=yuv420p,{light}", "-c:v", "ffv1", "-c:a", "pcm_s24le", "-shortest", file],
                          input=sound.tobytes(), capture_output=True)
    assert made.returncode == 0, made.stderr
    return sound


def clicks_in(samples):
    """Where a click begins."""
    loud = np.flatnonzero(np.abs(samples.astype(np.int64)) > (LOUD + QUIET) / 2 * 2**31)
    return loud[np.diff(loud, prepend=-RATE) > RATE // 10]
