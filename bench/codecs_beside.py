"""Codecs beside our formats, on the same frames: HAP and VC-2 by FFmpeg, HTJ2K by OpenJPH, all on one thread. Of what a run with more frames needs more CPU time than one with fewer, the
part of encoding or decoding is the difference from reading the same pixels, so what a program needs to start does not count."""
import pathlib
import resource
import subprocess

import numpy as np

FEWER, MORE = 1, 4  # times that the frames are read
ROUNDS = 3  # of which the fastest counts


def cpu_seconds(*command):
    """The CPU time of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def per_frame(command, frames):
    """CPU seconds; command(times) reads the frames so many times."""
    fewer, more = (min(cpu_seconds(*command(times)) for _ in range(ROUNDS)) for times in (FEWER, MORE))
    return (more - fewer) / ((MORE - FEWER) * frames)


class OfFfmpeg:
    """`pixels`: the pixel format that the codec takes; the conversion from and to RGB is timed with neither."""

    def __init__(self, pixels, *options):
        self.pixels, self.options = pixels, options

    def measure(self, original, size, frames, folder):
        width, height = size
        raw = lambda pixels: ("-f", "rawvideo", "-s", f"{width}x{height}", "-r", 30, "-pix_fmt", pixels)
        run = ("ffmpeg", "-hide_banner", "-nostdin", "-y", "-threads", 1)
        scaling = "scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp:out_color_matrix=bt709:in_color_matrix=bt709"
        converted, encoded, decoded = folder / "converted.raw", folder / "encoded.mov", folder / "decoded.rgb"
        cpu_seconds(*run, *raw("rgb24"), "-i", original, "-vf", scaling, *raw(self.pixels), converted)
        source = lambda times: (*run, "-stream_loop", times - 1, *raw(self.pixels), "-i", converted)
        encode = ("-c:v", *self.options, "-threads", 1)
        cpu_seconds(*source(1), *encode, encoded)
        reading = per_frame(lambda times: (*source(times), "-c", "copy", "-f", "null", "-"), frames)
        encoding = per_frame(lambda times: (*source(times), *encode, "-f", "null", "-"), frames) - reading
        decoding = per_frame(lambda times: (*run, "-stream_loop", times - 1, "-i", encoded, "-f", "null", "-"), frames)
        cpu_seconds(*run, "-i", encoded, "-vf", scaling, *raw("rgb24"), decoded)
        sizes = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", str(encoded)], check=True, capture_output=True, text=True).stdout
        return {"bytes": sum(int(line.strip(",")) for line in sizes.split()) / frames, "seconds": encoding, "decoding": decoding}, decoded


class OfOpenJph:
    """All frames are one tall image: the program takes one at a time."""

    def __init__(self, *options):
        self.options = options

    def measure(self, original, size, frames, folder):
        width, height = size
        pixels = np.fromfile(original, np.uint8).reshape(-1, width, 3)

        def image(times):
            file = folder / f"tall-{times}.ppm"
            with open(file, "wb") as out:
                out.write(b"P6\n%d %d\n255\n" % (width, height * frames * times))
                for _ in range(times):
                    out.write(pixels.tobytes())
            return file

        images = {times: image(times) for times in (FEWER, MORE)}
        encoded = {times: folder / f"encoded-{times}.j2c" for times in images}
        command = lambda times: ("ojph_compress", "-i", images[times], "-o", encoded[times], *self.options)
        encoding = per_frame(command, frames)
        decoded = folder / "decoded.ppm"
        decoding = per_frame(lambda times: ("ojph_expand", "-i", encoded[times], "-o", decoded), frames)
        cpu_seconds("ojph_expand", "-i", encoded[FEWER], "-o", decoded)
        out = folder / "decoded.rgb"
        out.write_bytes(decoded.read_bytes()[-pixels.nbytes:])
        return {"bytes": encoded[FEWER].stat().st_size / frames, "seconds": encoding, "decoding": decoding}, out


def codecs(size):
    """By name. VC-2 gets the bits of bc7; HTJ2K, which has no fixed rate, gets the step that comes close to the quality of bc7."""
    bits_per_s = size[0] * size[1] * 8 * 30
    return {
        "HAP": OfFfmpeg("rgba", "hap", "-format", "hap"),
        "HAP Q": OfFfmpeg("rgba", "hap", "-format", "hap_q"),
        "VC-2": OfFfmpeg("yuv422p10le", "vc2", "-b:v", bits_per_s),
        "HTJ2K": OfOpenJph("-qstep", "0.004"),
        "HTJ2K lossless": OfOpenJph("-reversible", "true"),
    }
