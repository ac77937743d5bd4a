#!/usr/bin/env python3
"""Reads a schedule file (.weft) with docs/reference/schedule-files.md as its only source, and prints it as JSON.

    python3 read_weft.py FILE [--expand]

The script prints the same object as `weft verify FILE --dump --json`, without `command`, `version` and `seed`. --expand
writes the messages of all agents, as weft does, for symmetries that are translations and without explicit routes.
"""
import itertools
import json
import math
import struct
import sys

MAGIC = b"\x89WEFT\r\n\x1a"
KINDS = ["broadcast", "reduce", "scatter", "gather", "allgather", "reduce-scatter", "allreduce", "alltoall",
         "point-to-point"]


class Damaged(Exception):
    """Reports that the file is no schedule file, or breaks a rule of the format."""


def crc32c(data):
    """Computes CRC-32C (Castagnoli): polynomial 0x1EDC6F41, bits reversed, start and end inverted."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Body:
    """Reads the bytes of the body from the front."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise Damaged(f"the body ends within something at byte {self.at}")
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def signed(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def count(self):  # of items with at least one byte each
        value = self.varint()
        if value > len(self.data) - self.at:
            raise Damaged(f"a count of {value} is more than the bytes left")
        return value

    def text(self):
        return self.take(self.count()).decode()


def body_of(data):
    """Checks the header; returns the version and the body."""
    if data[:8] != MAGIC or len(data) < 24:
        raise Damaged("no weft schedule file")
    version, checksum, length = struct.unpack_from("<IIQ", data, 8)
    body = data[24:]
    if version not in (1, 2):
        raise Damaged(f"version {version} of the format is not known")
    if len(body) != length or crc32c(body) != checksum:
        raise Damaged("length or checksum are not those of the body")
    return version, body


def text_of_moduli(moduli):
    """Writes a group as Z4xZ6 or Z2^10; equal neighbours become a power."""
    runs = [(m, len(list(run))) for m, run in itertools.groupby(moduli)]
    return "x".join(f"Z{m}" + (f"^{k}" if k > 1 else "") for m, k in runs) or "Z1"


def read_steps(body):
    """Decodes messages, whose numbers are differences from the previous sender and the end of its last piece."""
    steps, sender, end = [], 0, 0
    for _ in range(body.count()):
        steps.append([])
        for _ in range(body.count()):
            sender += body.signed()
            receiver, route, packed, pieces = sender + body.signed(), body.varint() - 1, body.varint(), []
            for _ in range(packed >> 1):
                first = end + body.signed()
                end = first + body.varint()
                pieces.append([first, end - first])
            steps[-1].append({"from": sender, "to": receiver, "arrival": "reduce" if packed & 1 else "copy",
                              "route": None if route < 0 else route, "pieces": pieces})
    return steps


def read(data):
    """Returns the schedule and the moduli of its symmetry (None unless it consists of translations)."""
    version, body = body_of(data)
    body = Body(body)
    kind, ranks, root, destination = KINDS[body.varint()], body.varint(), body.varint(), body.varint()
    schedule = {"collective": kind, "ranks": ranks}
    if kind == "point-to-point":
        schedule |= {"from": root, "to": destination}
    elif kind in KINDS[:4]:
        schedule["root"] = root
    schedule["algorithm"] = body.text()
    units = schedule["units_per_block"] = body.varint()
    blocks = {"alltoall": ranks * ranks, "point-to-point": 1}.get(kind, ranks)
    schedule["units"] = blocks * units
    schedule["helpers"] = body.varint()
    moduli = [body.varint() for _ in range(body.count())] if version == 1 else None
    schedule["symmetry"] = body.text() if version == 2 else text_of_moduli(moduli)
    schedule["segments"], schedule["stride"] = body.varint(), body.varint()
    schedule["topology"] = body.text()
    schedule["hash"] = f"{struct.unpack('<Q', body.take(8))[0]:016x}"
    nodes, node = [], 0
    for _ in range(body.count()):
        node += body.signed()
        nodes.append(node)
    routes = [[body.varint() for _ in range(body.count())] for _ in range(body.count())]
    steps = read_steps(body)
    if body.at != len(body.data):
        raise Damaged("bytes follow the last step")
    schedule |= {"stored_steps": len(steps), "stored_messages": sum(map(len, steps)), "agent_nodes": nodes,
                 "routes": routes, "schedule": steps}
    return schedule, moduli


def translated(agent, element, moduli):
    """Moves an agent: orbit * order + x becomes orbit * order + (element + x), digit by digit."""
    moved, weight = 0, 1
    for modulus in moduli:
        moved += (agent // weight + element // weight) % modulus * weight
        weight *= modulus
    return agent // weight * weight + moved


def moved_unit(schedule, unit, element, moduli):
    block, rest = divmod(unit, schedule["units_per_block"])
    rank, destination = divmod(block, schedule["ranks"])
    block = translated(destination, element, moduli)
    if schedule["collective"] == "alltoall":
        block += translated(rank, element, moduli) * schedule["ranks"]
    return block * schedule["units_per_block"] + rest


def as_pieces(units):
    """Sorts pieces and merges neighbours without a gap between them."""
    pieces = []
    for unit in sorted(units):
        if pieces and sum(pieces[-1]) == unit:
            pieces[-1][1] += 1
        else:
            pieces.append([unit, 1])
    return pieces


def expand(schedule, moduli):
    """Returns all messages of a step: each stored one in order, moved by the elements 0, 1, ..."""
    if schedule["symmetry"] == "Z1":
        return
    if moduli is None or schedule["routes"]:
        raise Damaged("--expand here knows symmetries of translations and no explicit routes; use weft's")
    schedule["schedule"] = [
        [{**m, "from": translated(m["from"], g, moduli), "to": translated(m["to"], g, moduli),
          "pieces": as_pieces(moved_unit(schedule, u, g, moduli)
                              for first, count in m["pieces"] for u in range(first, first + count))}
         for m in step for g in range(math.prod(moduli))] for step in schedule["schedule"]]
    schedule["symmetry"] = "Z1"
    schedule["stored_messages"] *= math.prod(moduli)


def main(arguments):
    if arguments[1:] not in ([], ["--expand"]):
        sys.exit(__doc__)
    try:
        with open(arguments[0], "rb") as file:
            schedule, moduli = read(file.read())
        if "--expand" in arguments:
            expand(schedule, moduli)
    except (Damaged, IndexError, UnicodeDecodeError, OSError) as error:
        sys.exit(f"{arguments[0]}: {error}")
    print(json.dumps(schedule))


if __name__ == "__main__":
    main(sys.argv[1:] or ["", "help"])
