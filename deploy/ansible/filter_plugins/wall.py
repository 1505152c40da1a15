"""Filters for the wall file and the figures of a server."""
import tomllib


def site_of_node(wall, name):
    """The name of the site to which this node belongs; empty if it is one of the wall."""
    return next((site["name"] for site in wall.get("site", []) if name in (node["name"] for node in site["node"])), "")


def flows_heard(stats, site):
    """Of a site; 0 if the server does not know it yet."""
    return next((each["flows_heard"] for each in stats.get("sites", []) if each["site"] == site), 0)


class FilterModule:
    def filters(self):
        return {"from_toml": tomllib.loads, "site_of_node": site_of_node, "flows_heard": flows_heard}
