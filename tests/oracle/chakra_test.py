"""Others judge the execution traces that weft writes: protobuf's own compiler decodes them by a description of its own,
and what they say is executed here on numbers, in any order that they allow. Files that are encoded here byte by byte are
read right."""

import gzip
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from collections import defaultdict, deque

PROGRAM = os.environ["WEFT_PROGRAM"]
HERE = os.path.join(os.environ["WEFT_SOURCE_DIR"], "tests", "oracle")
PROTOC = shutil.which("protoc")


def weft(*arguments):
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise AssertionError(f"weft {' '.join(arguments)}: {run.stderr}")
    return run.stdout


# Protobuf's bytes, by hand.

def varint(number):
    out = bytearray()
    number &= (1 << 64) - 1
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, number, value):
    return field(10, field(1, name.encode()) + field(number, value))


def node(ident, kind, *parts, after=(), micros=0):
    message = field(1, ident) + field(2, b"n") + field(3, kind)
    message += field(5, b"".join(varint(each) for each in after)) if after else b""
    message += field(7, micros) if micros else b""
    message += b"".join(parts)
    return varint(len(message)) + message


def header():
    message = field(1, b"0.0.4")
    return varint(len(message)) + message


def messages_in(data):
    """The messages of a file, each preceded by its length."""
    at = 0
    while at < len(data):
        length = shift = 0
        while True:
            byte = data[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        yield data[at:at + length]
        at += length


def decoded(message, kind):
    run = subprocess.run([PROTOC, f"--decode=judge.{kind}", "-I", HERE, "chakra.proto"], input=message,
                         capture_output=True, check=True)
    return run.stdout.decode()


class Text:
    """protoc's text of a message: fields by name, and attributes by theirs."""

    def __init__(self, text):
        self.fields, self.attributes = defaultdict(list), {}
        depth, inside = 0, []
        for line in text.splitlines():
            line = line.strip()
            if re.match(r"^\d+[ :]", line):
                raise AssertionError(f"a field that the description does not have: {line}")
            if depth == 0 and not line.endswith("{"):
                name, value = line.split(": ", 1)
                self.fields[name].append(value.strip('"'))
                continue
            depth += line.endswith("{")
            depth -= line == "}"
            inside.append(line)
            if depth == 0:
                self.take(inside)
                inside = []

    def take(self, lines):
        if not lines[0].startswith("attr "):
            return
        name = lines[1].split('"')[1]
        values = [line.split(": ", 1) for line in lines[2:] if ": " in line]
        numbers = [int(value) if re.fullmatch(r"-?\d+", value) else value.strip('"') for _, value in values]
        kind = values[0][0] if values and values[0][0] != "values" else lines[2].split(" ")[0]
        self.attributes[name] = (kind, numbers)

    def number(self, name, default=0):
        return int(self.fields[name][0]) if self.fields[name] else default


def read_file(path):
    with open(path, "rb") as stream:
        first, *rest = messages_in(stream.read())
    return Text(decoded(first, "GlobalMetadata")), [Text(decoded(each, "Node")) for each in rest]


class Execution:
    """Executes the nodes of all ranks on numbers, in an order that is drawn from those that they allow."""

    def __init__(self, files, seed, data):
        self.files, self.data, self.random = files, data, random.Random(seed)
        self.waiting = deque()
        self.under_way = defaultdict(deque)

    def run(self):
        done = [set() for _ in self.files]
        left = [(rank, text) for rank, nodes in enumerate(self.files) for text in nodes]
        while left:
            self.random.shuffle(left)
            later = [each for each in left if not self.step(*each, done)]
            if len(later) == len(left):
                raise AssertionError("nodes wait for each other")
            left = later

    def step(self, rank, text, done):
        waits = {int(each) for each in text.fields["data_deps"]}
        if not waits <= done[rank]:
            return False
        kind, value = text.fields["type"][0], {name: each[1] for name, each in text.attributes.items()}
        if kind == "COMM_SEND_NODE":
            way = (rank, value["comm_dst"][0], value["comm_tag"][0], value["comm_size"][0])
            self.under_way[way].append(self.ranges(rank, value, reads=True))
            if len(self.under_way[way]) > 1:
                raise AssertionError(f"two messages are {way}")
        elif kind == "COMM_RECV_NODE":
            way = (value["comm_src"][0], rank, value["comm_tag"][0], value["comm_size"][0])
            if not self.under_way[way]:
                return False
            came = self.under_way[way].popleft()
            if value["weft_operation"][0] == 2:  # kept until the node that reduces
                self.data[rank]["came", text.number("id")] = (value, came)
            else:
                self.put(rank, value, came, add=False)
        elif "weft_part_of" in value:
            self.put(rank, *self.data[rank].pop(("came", value["weft_part_of"][0])), add=True)
        done[rank].add(text.number("id"))
        return True

    def places(self, value, reads):
        count, *numbers = value["weft_ranges"]
        ranges = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]
        for buffer, offset, size in ranges[:count] if reads else ranges[count:]:
            assert buffer == 0
            yield from range(offset, offset + size)

    def ranges(self, rank, value, reads):
        return [self.data[rank][place] for place in self.places(value, reads)]

    def put(self, rank, value, came, add):
        places = list(self.places(value, reads=False))
        assert len(places) == len(came) == value.get("comm_size", [len(came)])[0]
        for place, number in zip(places, came):
            self.data[rank][place] = self.data[rank][place] + number if add else number


@unittest.skipIf(not PROTOC, "not installed: protobuf-compiler")
class Written(unittest.TestCase):
    """What weft exports, as protobuf's compiler reads it."""

    def export(self, folder, collective, algorithm, ranks, size):
        schedule, prefix = os.path.join(folder, "s.weft"), os.path.join(folder, "trace")
        weft("schedule", collective, "-t", f"complete:{ranks}", "-a", algorithm, "-q", "-o", schedule)
        weft("export", schedule, "--to", "chakra", "--size", str(size), "-q", "-o", prefix,
             "--reduce-bandwidth", "1GBps")
        return [read_file(f"{prefix}.{rank}.et") for rank in range(ranks)]

    def test_a_ring_s_allreduce_has_the_nodes_that_theory_says(self):
        with tempfile.TemporaryDirectory() as folder:
            files = self.export(folder, "allreduce", "ring", 4, 4_000_000)
        for rank, (head, nodes) in enumerate(files):
            self.assertEqual(head.fields["version"], ["0.0.4"])
            kinds = [each.fields["type"][0] for each in nodes]
            self.assertEqual(kinds.count("COMM_SEND_NODE"), 6)  # 2 (N - 1), of a quarter each
            self.assertEqual(kinds.count("COMM_RECV_NODE"), 6)
            self.assertEqual(kinds.count("COMP_NODE"), 3)  # N - 1 reductions
            ids = [each.number("id") for each in nodes]
            self.assertEqual(ids, list(range(len(nodes))))
            for each in nodes:
                self.assertTrue({int(before) for before in each.fields["data_deps"]} <= set(ids))
                kind = each.fields["type"][0]
                if kind == "COMP_NODE":
                    self.assertEqual(each.number("duration_micros"), 1000)  # 1 MB at 1 GB/s
                    self.assertEqual(each.attributes["is_cpu_op"], ("bool_val", ["false"]))
                    continue
                # The fields that ASTRA-sim's reader looks into.
                self.assertEqual(each.attributes["comm_size"], ("int64_val", [1_000_000]))
                self.assertEqual(each.attributes["comm_tag"][0], "int32_val")
                peer = each.attributes["comm_dst" if kind == "COMM_SEND_NODE" else "comm_src"]
                self.assertEqual(peer, ("int32_val", [(rank + (1 if kind == "COMM_SEND_NODE" else -1)) % 4]))

    def test_collectives_compute_what_they_should_in_any_order(self):
        ranks, block = 5, 6
        for collective, algorithm in (("allreduce", "ring"), ("allreduce", "rabenseifner"), ("allgather", "bruck"),
                                      ("reduce-scatter", "ring")):
            size = block if collective == "allgather" else ranks * block
            with tempfile.TemporaryDirectory() as folder:
                files = [nodes for _, nodes in self.export(folder, collective, algorithm, ranks, size)]
            for seed in range(3):
                data = [defaultdict(int) for _ in range(ranks)]
                for rank in range(ranks):
                    for place in range(ranks * block):
                        own = collective != "allgather" or place // block == rank
                        data[rank][place] = (rank + 1) * 1000 + place if own else 0
                Execution(files, seed, data).run()
                for rank in range(ranks):
                    for place in range(ranks * block):
                        if collective == "reduce-scatter" and place // block != rank:
                            continue
                        wanted = (place // block + 1) * 1000 + place if collective == "allgather" else \
                            sum((each + 1) * 1000 + place for each in range(ranks))
                        self.assertEqual(data[rank][place], wanted, (collective, algorithm, rank, place))

    def test_a_step_of_training_names_its_groups(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "step")
            weft("train", "gpt-2-small", "-t", "torus:2x4", "--parallel", "tensor=2,pipeline=2,data=2",
                 "--micro-batches", "2", "-q", "--json", "--write-trace", prefix)
            for rank in range(8):
                head, nodes = read_file(f"{prefix}.{rank}.et")
                self.assertEqual(head.fields["version"], ["0.0.4"])
                with open(f"{prefix}.{rank}.et", "rb") as stream:
                    second = list(messages_in(stream.read()))[1]
                text = re.search(r'values: "(.*)"', decoded(second, "Node")).group(1)
                text = text.encode().decode("unicode_escape")
                groups = json.loads(text[2:-2])  # as ASTRA-sim takes it
                self.assertTrue(all(rank in group["ranks"] for group in groups))
                self.assertTrue(all(int(group["pg_name"]) >= 0 for group in groups))
                names = {group["pg_name"] for group in groups}
                for each in nodes:
                    if each.fields["type"][0] != "COMM_COLL_NODE":
                        continue
                    self.assertIn(each.attributes["pg_name"][1][0], names)
                    self.assertEqual(each.attributes["comm_type"], ("int64_val", [0]))
                    self.assertEqual(each.attributes["comm_size"][0], "int64_val")


class Read(unittest.TestCase):
    """What is encoded here, as weft reads it."""

    def time_of(self, files, topology, packed=False):
        with tempfile.TemporaryDirectory() as folder:
            for rank, data in enumerate(files):
                with open(os.path.join(folder, f"t.{rank}.et"), "wb") as stream:
                    stream.write(gzip.compress(data) if packed else data)
            answer = json.loads(weft("train", "--trace", os.path.join(folder, "t"), "-t", topology, "--link",
                                     "100Gbps,1us", "--json"))
        return answer["time"]

    def test_messages_and_computing_take_their_time(self):
        # 3 us, then 12,500 B: 1 us of latency and 1 us of bandwidth, then 4 us.
        files = [header() + node(0, 4, micros=3) +
                 node(1, 5, attribute("comm_size", 9, 12500), attribute("comm_dst", 7, 1),
                      attribute("comm_tag", 7, 5), after=[0]),
                 header() + node(4, 4, after=[3], micros=4) +
                 node(3, 6, attribute("comm_size", 9, 12500), attribute("comm_src", 7, 0),
                      attribute("comm_tag", 7, 5))]
        for packed in (False, True):
            self.assertAlmostEqual(self.time_of(files, "ring:2", packed), 9e-6, delta=1e-11)

    def test_collectives_take_what_weft_compare_says(self):
        for kind, name, brought, size in ((0, "allreduce", 1 << 20, 1 << 20), (2, "allgather", 1 << 16, 1 << 16),
                                          (6, "alltoall", 1 << 20, 1 << 18), (7, "reduce-scatter", 1 << 20, 1 << 20)):
            files = [header() + node(1, 7, attribute("comm_type", 9, kind), attribute("comm_size", 9, brought))] * 4
            rows = json.loads(weft("compare", name, "-t", "ring:4", "--sizes", str(size), "--json"))["rows"]
            self.assertAlmostEqual(self.time_of(files, "ring:4"), min(row["time"] for row in rows if row["best"]), delta=1e-11)


if __name__ == "__main__":
    unittest.main()
