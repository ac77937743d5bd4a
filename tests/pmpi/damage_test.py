#!/usr/bin/env python3
"""Plans that are damaged in one number, with checksums that fit: each is refused in one line, and the program runs on.

Usage: damage_test.py openmpi|mpich. The places of numbers are those of docs/reference/plan-files.md.
"""

import struct
import unittest

from jobs import JobTest

FRONT = 12 + 81  # the two first lines
RANKS = 3


def crc32c(data):
    """CRC-32C, bit by bit through a table (RFC 3720, appendix B.4)."""
    value = 0xFFFFFFFF
    for byte in data:
        value = TABLE[(value ^ byte) & 0xFF] ^ (value >> 8)
    return value ^ 0xFFFFFFFF


def entry(byte):
    for _ in range(8):
        byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
    return byte


TABLE = [entry(byte) for byte in range(256)]


class PlanBytes:
    """A plan file, whose numbers can be set."""

    SCHEDULE, RANGE, PART = 64, 48, 24

    def __init__(self, content):
        self.bytes = bytearray(content)
        text, directory = int(content[17:27]), int(content[38:48])
        self.directory = FRONT + text
        self.end = self.directory + directory
        self.ranks, self.schedules, self.ranges, self.hosts = struct.unpack_from("<4I", self.bytes, self.directory)

    def schedule(self, index=0):
        return self.directory + 32 + index * self.SCHEDULE

    def range(self, index=0):
        return self.schedule(self.schedules) + index * self.RANGE

    def part(self, schedule, rank):
        return self.range(self.ranges) + (schedule * self.ranks + rank) * self.PART

    def program(self, schedule=0, rank=1):
        return struct.unpack_from("<Q", self.bytes, self.part(schedule, rank))[0]

    def counts(self, schedule=0, rank=1):
        return struct.unpack_from("<3I", self.bytes, self.program(schedule, rank))

    def send(self, index=0, schedule=0, rank=1):
        return self.program(schedule, rank) + 16 + index * 16

    def receive(self, index=0, schedule=0, rank=1):
        return self.send(self.counts(schedule, rank)[0] + index, schedule, rank)

    def units(self, index=0, schedule=0, rank=1):
        sends, receives, _ = self.counts(schedule, rank)
        return self.send(sends + receives, schedule, rank) + index * 24

    def first_units(self, message, schedule=0, rank=1):
        return self.units(self.get("<I", message + 8), schedule, rank)

    def get(self, form, at):
        return struct.unpack_from(form, self.bytes, at)[0]

    def set(self, form, at, value):
        struct.pack_into(form, self.bytes, at, value)

    def kind(self, schedule):
        return self.get("<I", self.schedule(schedule))

    def sealed(self):
        """With checksums that fit what is there."""
        for index in range(self.schedules * self.ranks):
            at = self.part(0, 0) + index * self.PART
            offset, length = struct.unpack_from("<2Q", self.bytes, at)
            if offset + length <= len(self.bytes):
                self.set("<I", at + 16, crc32c(self.bytes[offset:offset + length]))
        value = crc32c(self.bytes[FRONT:self.end])
        self.bytes[FRONT - 9:FRONT - 1] = b"%08x" % value
        return bytes(self.bytes)


# What, where in the file, as what, the value.
DAMAGES = [
    ("no ranks", lambda p: p.directory, "<I", 0),
    ("too many ranks", lambda p: p.directory, "<I", 1 << 31),
    ("one rank more", lambda p: p.directory, "<I", RANKS + 1),
    ("2^32 - 1 schedules", lambda p: p.directory + 4, "<I", (1 << 32) - 1),
    ("a hundred schedules more", lambda p: p.directory + 4, "<I", 200),
    ("2^32 - 1 ranges", lambda p: p.directory + 8, "<I", (1 << 32) - 1),
    ("a thousand ranges", lambda p: p.directory + 8, "<I", 1000),
    ("one host", lambda p: p.directory + 12, "<I", 1),
    ("2^32 - 1 hosts", lambda p: p.directory + 12, "<I", (1 << 32) - 1),
    ("names without end", lambda p: p.directory + 20, "<I", (1 << 32) - 1),
    ("no names", lambda p: p.directory + 20, "<I", 0),
    ("a collective that is none", lambda p: p.schedule(), "<I", 8),
    ("collective 2^32 - 1", lambda p: p.schedule(), "<I", (1 << 32) - 1),
    ("root -1", lambda p: p.schedule() + 4, "<i", -1),
    ("a root beyond the ranks", lambda p: p.schedule() + 4, "<i", RANKS),
    ("no units", lambda p: p.schedule() + 8, "<q", 0),
    ("-1 units", lambda p: p.schedule() + 8, "<q", -1),
    ("2^62 units", lambda p: p.schedule() + 8, "<q", 1 << 62),
    ("no segments", lambda p: p.schedule() + 16, "<q", 0),
    ("-5 segments", lambda p: p.schedule() + 16, "<q", -5),
    ("2^40 segments", lambda p: p.schedule() + 16, "<q", 1 << 40),
    ("stride -1", lambda p: p.schedule() + 24, "<q", -1),
    ("stride 2^60", lambda p: p.schedule() + 24, "<q", 1 << 60),
    ("-1 steps", lambda p: p.schedule() + 32, "<q", -1),
    ("no steps", lambda p: p.schedule() + 32, "<q", 0),
    ("2^40 steps", lambda p: p.schedule() + 32, "<q", 1 << 40),
    ("another storage", lambda p: p.schedule() + 48, "<I", 1),
    ("a name beyond the names", lambda p: p.schedule() + 56, "<I", 1 << 30),
    ("a name of 2^32 - 1 bytes", lambda p: p.schedule() + 60, "<I", (1 << 32) - 1),
    ("a range of no collective", lambda p: p.range(), "<I", 8),
    ("a range of another collective", lambda p: p.range(), "<I", 7),
    ("a range of root -2", lambda p: p.range() + 4, "<i", -2),
    ("a range of a root beyond the ranks", lambda p: p.range() + 4, "<i", RANKS),
    ("a range of another root", lambda p: p.range() + 4, "<i", RANKS - 1),
    ("a range from -1", lambda p: p.range() + 8, "<q", -1),
    ("a range that ends before it begins", lambda p: p.range() + 16, "<q", -1),
    ("schedule -2", lambda p: p.range() + 40, "<i", -2),
    ("a schedule that there is not", lambda p: p.range() + 40, "<i", 10000),
    ("another collective's schedule", lambda p: p.range() + 40, "<i", -3),
    ("a program off its alignment", lambda p: p.part(0, 1), "<Q", 100001),
    ("a program in the directory", lambda p: p.part(0, 1), "<Q", 104),
    ("a program beyond the file", lambda p: p.part(0, 1), "<Q", 1 << 40),
    ("a program at 2^64 - 8", lambda p: p.part(0, 1), "<Q", (1 << 64) - 8),
    ("a program of 2^64 - 1 bytes", lambda p: p.part(0, 1) + 8, "<Q", (1 << 64) - 1),
    ("a program of 2^30 bytes", lambda p: p.part(0, 1) + 8, "<Q", 1 << 30),
    ("a program of 8 bytes", lambda p: p.part(0, 1) + 8, "<Q", 8),
    ("a program of none", lambda p: p.part(0, 1) + 8, "<Q", 0),
    ("another rank's program", lambda p: p.part(0, 1), "<Q", None),
    ("no sends", lambda p: p.program(), "<I", 0),
    ("2^32 - 1 sends", lambda p: p.program(), "<I", (1 << 32) - 1),
    ("no receives", lambda p: p.program() + 4, "<I", 0),
    ("2^32 - 1 receives", lambda p: p.program() + 4, "<I", (1 << 32) - 1),
    ("no intervals", lambda p: p.program() + 8, "<I", 0),
    ("2^32 - 1 intervals", lambda p: p.program() + 8, "<I", (1 << 32) - 1),
]
for name, where in (("send", PlanBytes.send), ("receive", PlanBytes.receive)):
    DAMAGES += [
        (f"a {name} with rank -1", where, "<i", -1),
        (f"a {name} with a rank beyond the ranks", where, "<i", RANKS),
        (f"a {name} with itself", where, "<i", 1),
        (f"a {name} at step 2^32 - 1", lambda p, w=where: w(p) + 4, "<I", (1 << 32) - 1),
        (f"a {name} at the last step before others", lambda p, w=where: w(p) + 4, "<I", 1 << 20),
        (f"a {name} from interval 2^32 - 1", lambda p, w=where: w(p) + 8, "<I", (1 << 32) - 1),
        (f"a {name} of 2^32 - 1 intervals", lambda p, w=where: w(p) + 12, "<I", (1 << 32) - 1),
        (f"a {name} of no intervals", lambda p, w=where: w(p) + 12, "<I", 0),
        (f"a {name} of unit -1", lambda p, w=where: p.first_units(w(p)), "<q", -1),
        (f"a {name} of unit 2^62", lambda p, w=where: p.first_units(w(p)), "<q", 1 << 62),
        (f"a {name} of no units", lambda p, w=where: p.first_units(w(p)) + 8, "<q", 0),
        (f"a {name} of -1 units", lambda p, w=where: p.first_units(w(p)) + 8, "<q", -1),
        (f"a {name} of 2^62 units", lambda p, w=where: p.first_units(w(p)) + 8, "<q", 1 << 62),
        (f"a {name} that combines as none", lambda p, w=where: p.first_units(w(p)) + 16, "<Q", 3),
    ]
DAMAGES += [("a send that reduces", lambda p: p.first_units(p.send()) + 16, "<Q", 1)]


class DamageTest(JobTest):
    def refused(self, name, plan):
        path = self.folder / "damaged.plan"
        path.write_bytes(plan.sealed())
        with self.subTest(damage=name):
            self.native_and_a_word(path, "damaged.plan", ranks=RANKS, cases="2")

    def fresh(self):
        return PlanBytes(self.plan(RANKS, "--collectives", "allreduce,allgather").read_bytes())

    def test_what_is_sealed_again_is_as_it_was(self):
        content = self.plan(RANKS, "--collectives", "allreduce,allgather").read_bytes()
        self.assertEqual(PlanBytes(content).sealed(), content)

    def test_numbers_out_of_range(self):
        for name, where, form, value in DAMAGES:
            plan = self.fresh()
            if value is None:
                value = plan.program(0, 2)
            if name == "another collective's schedule":
                value = next(i for i in range(plan.schedules) if plan.kind(i) != plan.get("<I", plan.range()))
            at = where(plan)
            self.assertNotEqual(plan.get(form, at), value, name)
            plan.set(form, at, value)
            self.refused(name, plan)

    def test_messages_without_their_other_end(self):
        plan = self.fresh()
        schedule = next(i for i in range(plan.schedules) if plan.counts(i)[0] > 0)
        send = plan.send(0, schedule)
        other = 0 if plan.get("<i", send) == 2 else 2
        plan.set("<i", send, other)
        self.refused("to another rank", plan)
        plan = self.fresh()
        units = plan.first_units(plan.send(0, schedule), schedule)
        plan.set("<q", units, 1 if plan.get("<q", units) == 0 else 0)
        self.refused("other units", plan)


if __name__ == "__main__":
    unittest.main()
