"""examples/read_weft.py, which knows only docs/reference/schedule-files.md, against weft verify --dump --json."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

WEFT = os.environ["WEFT_PROGRAM"]
SOURCE = os.environ["WEFT_SOURCE_DIR"]
READER = os.path.join(SOURCE, "examples", "read_weft.py")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(READER))
import read_weft  # noqa: E402

# What weft schedule is asked for. Symmetries of both versions of the format and none; segments; explicit routes without
# and with a symmetry; blocks in units; roots; a block for each pair.
SCHEDULES = [
    "allreduce -t ring:8 -a ring",
    "allgather -t torus:4x4 -a bfb",
    "allgather -t circulant:8,4,1 -a bfb",
    "allgather -t hamming:2x3 -a bfb",
    "reduce-scatter -t hypercube:4 -a recursive-halving",
    "alltoall -t kautz:4,2 -a bruck --radix 3",
    "alltoall -t torus:3x3 -a pairwise",
    "allgather -t genkautz:4,32 -a bfb",
    "broadcast -t ring:8 -a chain --segments 5 --root 3",
    "reduce -t ring:5 -a binomial --root 4",
    "scatter -t complete:7 -a binomial",
    "gather -t complete:7 -a direct --root 6",
    "point-to-point -t 2dfc:4x4 -a multipath --from 0 --to 5",
    "allgather -t power(2,diamond) -a expand",
    "allgather -t cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3) -a bfb",
    "allreduce -t cayley:Perm[(0 1 2 3),(0 1)];(0 1 2 3),(0 1) -a bfb",
    "allgather -t cayley:Z8;1,1,3 -a bfb",
    "allgather -t cayley:D4;(1,0),(1,0),(0,1) -a bfb",
    "alltoall -t cayley:Z3^2xZ8,A=[[0,1],[1,1]];(1,0,1),(1,0,0) -a spread",
]

TRANSLATIONS = [s for s in SCHEDULES if not any(text in s for text in ("k=3", "Perm", "D4", "A=", "Z8;1,1"))]


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def signed(value):
    return varint(value << 1 if value >= 0 else -value * 2 - 1)


def file_of(body, version=1):
    head = b"\x89WEFT\r\n\x1a" + struct.pack("<IIQ", version, read_weft.crc32c(body), len(body))
    return head + body


# A broadcast among two ranks by way of a helper (agent 2): step 0 rank 0 to the helper, step 1 it to rank 1, in two
# pieces, by two explicit routes of one link.
WITH_HELPER = file_of(
    varint(0) + varint(2) + varint(0) + varint(0)          # broadcast, 2 ranks, root 0
    + varint(4) + b"hand" + varint(3) + varint(1)          # 3 units a block, 1 helper
    + varint(0) + varint(1) + varint(1)                    # no symmetry, 1 segment
    + varint(0) + struct.pack("<Q", 7)                     # no topology
    + varint(3) + signed(4) + signed(-4) + signed(9)       # nodes 4, 0, 9
    + varint(2) + varint(1) + varint(5) + varint(2) + varint(6) + varint(300)
    + varint(2)
    + varint(1) + signed(0) + signed(2) + varint(1) + varint(2) + signed(0) + varint(6)
    + varint(1) + signed(2) + signed(-1) + varint(2) + varint(4) + signed(-6) + varint(2) + signed(1) + varint(3))


def own_keys(answer):
    return {key: value for key, value in answer.items() if key not in ("command", "version", "seed")}


class ReadWeft(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weft-read-")
        cls.file = os.path.join(cls.folder.name, "a.weft")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def make(self, line):
        ran = subprocess.run([WEFT, "schedule", *self.words(line), "-q", "-o", self.file], capture_output=True, text=True,
                             timeout=120)
        self.assertEqual(ran.returncode, 0, line + ": " + ran.stderr)

    @staticmethod
    def words(line):
        """Blanks stand within the topology alone, which ends where -a begins."""
        head, tail = line.split(" -a ")
        collective, topology = head.split(" -t ")
        return [collective, "-t", topology, "-a", *tail.split()]

    def dump(self, *more):
        ran = subprocess.run([WEFT, "verify", self.file, "--dump", "--json", *more], capture_output=True, text=True,
                             timeout=120)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return own_keys(json.loads(ran.stdout))

    def read(self, *more):
        ran = subprocess.run([sys.executable, READER, self.file, *more], capture_output=True, text=True, timeout=120)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    def test_prints_what_weft_prints(self):
        seen = set()
        for line in SCHEDULES:
            with self.subTest(line):
                self.make(line)
                ours = self.dump()
                self.assertEqual(self.read(), ours)
                with open(self.file, "rb") as file:
                    seen.add(("version", file.read()[8]))
                seen.add(("symmetry", ours["symmetry"] != "Z1"))
                seen.add(("routes", bool(ours["routes"]), ours["symmetry"] != "Z1"))
                seen.add(("segments", ours["segments"] > 1))
        self.assertLessEqual({("version", 1), ("version", 2), ("symmetry", False), ("routes", True, True),
                              ("routes", True, False), ("segments", True)}, seen)

    def test_writes_out_translations_as_weft_does(self):
        for line in TRANSLATIONS:
            with self.subTest(line):
                self.make(line)
                self.assertEqual(self.read("--expand"), self.dump("--expand"))

    def test_expanded_schedules_are_those_of_all_agents(self):
        self.make("allgather -t cayley:D4;(1,0),(1,0),(0,1) -a bfb")
        stored, whole = self.dump(), self.dump("--expand")
        self.assertEqual(stored["symmetry"], "D4")
        self.assertEqual(whole["symmetry"], "Z1")
        self.assertEqual(whole["stored_messages"], 8 * stored["stored_messages"])
        senders = {message["from"] for step in whole["schedule"] for message in step}
        self.assertEqual(senders, set(range(8)))

    def test_reads_helpers(self):
        with open(self.file, "wb") as file:
            file.write(WITH_HELPER)
        ours = self.read()
        self.assertEqual(ours, self.dump())
        self.assertEqual((ours["helpers"], ours["units"], ours["agent_nodes"]), (1, 6, [4, 0, 9]))
        self.assertEqual(ours["routes"], [[5], [6, 300]])
        self.assertEqual(ours["schedule"][1], [{"from": 2, "to": 1, "arrival": "copy", "route": 1,
                                                "pieces": [[0, 2], [3, 3]]}])

    def test_damage_is_refused(self):
        self.make("allreduce -t ring:8 -a ring")
        with open(self.file, "rb") as file:
            good = file.read()
        for at in range(len(good)):
            with self.assertRaises(read_weft.Damaged, msg=at):
                read_weft.read(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1:])
            with self.assertRaises(read_weft.Damaged, msg=at):
                read_weft.read(good[:at])

    def test_is_short(self):
        with open(READER) as text:
            self.assertLess(len(text.readlines()), 200)


# CRC-32C of "123456789" (RFC 3720 and the catalogue of parametrised CRC algorithms).
class Checksum(unittest.TestCase):
    def test_is_castagnolis(self):
        self.assertEqual(read_weft.crc32c(b"123456789"), 0xE3069283)


if __name__ == "__main__":
    unittest.main()
