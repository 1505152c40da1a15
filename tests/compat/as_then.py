"""The wall that plays what is stored here, and what its operators do: for the test, and for what made the files."""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from wall import Wall  # noqa: E402


def wall_of_stores(**streaming):
    """A wall that plays what is stored here, from a copy: a server writes beside what it plays."""
    wall = Wall(2, 1, tile=(64, 32), **{"nodes": {"both": [(0, 0), (1, 0)]}, "playout_delay_ms": 300, **streaming})
    shutil.copytree(HERE / "stores", wall.content, dirs_exist_ok=True)
    shutil.copytree(HERE / "second-disk", wall.folder / "second-disk")
    return wall


# What an operator does, in turn; after each, the wall plays on.
ACTIONS = [("load", {"name": "rgb8", "frame": 1}), ("rate", {"rate": 0.5}), ("loop", {"loop": True, "in": 0, "out": 1}), ("seek", {"frame": 1}),
           ("playlist", {"entries": [{"name": "numpy", "loops": 300, "transition": "fade", "fade_ms": 200}, {"name": "rgb8", "seconds": 60}], "repeat": True}),
           ("identify", {"on": True}), ("mark", {"on": True, "tile": [0, 0]}), ("pattern", {"pattern": "none"}), ("pause", {}), ("play", {}), ("next", {"transition": "fade", "fade_ms": 200}),
           ("describe", {"name": "ycbcr422-8", "title": "another", "description": "text", "tags": ["a"]}), ("delete", {"name": "ycbcr422-10"}),
           ("image", {"name": "rgb8", "kind": "poster"}), ("plan", {"name": "rgb8"}), ("list", {}), ("info", {})]


# The conversation of an operator, in turn, with what is refused.
CONVERSED = [("info", {}), ("list", {}), ("state", {}), ("subscribe", {"stats": False, "pictures": True}), *ACTIONS[:-4], ("stats", {}), ("machines", {}),
             ("placement", {}), ("trace", {"seconds": 0.5}), ("place", {"flows": [{"flow": 0, "cpu": 0}]}), ("place", {"planned": True}),
             ("load", {"name": "unknown"}), ("seek", {"frame": "first"}), ("rate", {"rate": 0}), ("next", {"transition": "dissolve"}), ("unknown", {}),
             ("plan", {"name": "rgb8"}), ("image", {"name": "rgb8", "kind": "poster"}), ("unsubscribe", {}), ("stop", {}), ("play", {})]
# Whose answers depend on the host, and on what happened before: Names looks at these.
OF_HOST = ("machines", "plan", "stats", "trace", "list", "placement")
OF_TIME = (*OF_HOST, "subscribe")
