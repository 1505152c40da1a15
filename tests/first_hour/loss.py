"""Packets that a network card loses on their way in: a program of the packet filter (BPF) at its ingress, of this network namespace. Needs no module for
impairments in the kernel."""
import subprocess

LOAD_HALF, LOAD, EQUAL, GREATER, RETURN = 0x28, 0x20, 0x15, 0x25, 0x06  # linux/bpf_common.h
ETHERTYPE_AT, PORT_AT, IPV4 = 12, 36, 0x0800  # of an Ethernet frame with UDP over IPv4 without options
RANDOM = (-0x1000 + 56) & 0xFFFFFFFF  # SKF_AD_OFF + SKF_AD_RANDOM
PASS, DROP = 0xFFFFFFFF, 2  # TC_ACT_UNSPEC, TC_ACT_SHOT


def lose_packets(device, ports, share):
    """Of those to these two UDP ports, this share."""
    first, second = ports
    code = [(LOAD_HALF, 0, 0, ETHERTYPE_AT), (EQUAL, 0, 6, IPV4), (LOAD_HALF, 0, 0, PORT_AT), (EQUAL, 1, 0, first), (EQUAL, 0, 3, second),
            (LOAD, 0, 0, RANDOM), (GREATER, 1, 0, int(share * 2**32)), (RETURN, 0, 0, DROP), (RETURN, 0, 0, PASS)]
    text = ",".join([str(len(code)), *(" ".join(map(str, line)) for line in code)])
    subprocess.run(["tc", "qdisc", "add", "dev", device, "clsact"], check=True)
    subprocess.run(["tc", "filter", "add", "dev", device, "ingress", "bpf", "direct-action", "bytecode", text], check=True)


def end_loss(device):
    subprocess.run(["tc", "qdisc", "del", "dev", device, "clsact"], check=False, stderr=subprocess.DEVNULL)
