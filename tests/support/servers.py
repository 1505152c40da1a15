"""A wall that several servers play together."""
from wall import Wall, free_tcp_port, port_open, program, start, wait_until

NAMES = ("a", "b", "c")


class SeveralServers(Wall):
    """Server a is the coordinator and sends the first column, b the second one, c the rest."""

    def write(self):
        super().write()
        self.controls = {"a": self.control, **{name: getattr(self, "controls", {}).get(name) or f"127.0.0.1:{free_tcp_port()}" for name in NAMES[1:]}}
        text = self.file.read_text()
        begin, end = text.index("[[server]]"), text.index("[streaming]")
        tiles = ("{ column = 0 }", "{ column = 1 }", f"{{ columns = [2, {self.columns - 1}] }}")
        servers = "".join(f'[[server]]\nname = "{name}"\ncontrol = "{self.controls[name]}"\ninterfaces = ["127.0.0.1"]\ntiles = [{sent}]\n'
                          for name, sent in zip(NAMES, tiles))
        self.file.write_text(text[:begin] + servers + text[end:])

    def serve(self, name, *options, content=None, file=None, **kwargs):
        process = start(program("wall-server"), "--wall", file or self.file, "--server", name, "--content", content or self.content, *options, **kwargs)
        wait_until(lambda: port_open(self.controls[name]) or process.poll() is not None, 10, "the control port of server " + name)
        return process
