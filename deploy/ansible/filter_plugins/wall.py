"""Filters for the wall file and the figures of a server."""
import tomllib


def site_of_node(wall, name):
    """The name of the site to which this node belongs; empty if it is one of the wall."""
    return next((site["name"] for site in wall.get("site", []) if name in (node["name"] for node in site["node"])), "")


def files_of_panels(wall, name):
    """Those that the wall file names for the panels of this node: warps, maps, LUTs and profiles."""
    nodes = wall["node"] + [node for site in wall.get("site", []) for node in site["node"]]
    tiles = next((node["tiles"] for node in nodes if node["name"] == name), [])
    files = (tile.get(key) for tile in tiles if isinstance(tile, dict) for key in ("lut", "icc", "warp", "blend", "black_lift"))
    return sorted({file for file in files if isinstance(file, str)})


def flows_heard(stats, site):
    """Of a site; 0 if the server does not know it yet."""
    return next((each["flows_heard"] for each in stats.get("sites", []) if each["site"] == site), 0)


class FilterModule:
    def filters(self):
        return {"from_toml": tomllib.loads, "site_of_node": site_of_node, "files_of_panels": files_of_panels, "flows_heard": flows_heard}
