"""The filter from_toml, which Ansible lacks: for the wall file."""
import tomllib


class FilterModule:
    def filters(self):
        return {"from_toml": tomllib.loads}
