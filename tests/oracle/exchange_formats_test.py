"""Files for other systems against the grammars that these systems document: GOAL (LogGOPSim's txt2bin), BookSim's
anynet, TACOS's table and ForestColl's trees. Each grammar is written here once more, and what a file says is executed."""

import json
import os
import random
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

PROGRAM = os.environ["WEFT_PROGRAM"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def weft(*arguments):
    done = run(*arguments)
    if done.returncode != 0:
        raise AssertionError(f"weft {' '.join(arguments)}: {done.stderr}")
    return done.stdout


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write(text)
        return self.path(name)

    def exported(self, collective, topology, algorithm, form, *options):
        """The text of a schedule in another format."""
        schedule = self.path("schedule.weft")
        weft("schedule", collective, "-t", topology, "-a", algorithm, "-o", schedule, "--quiet")
        weft("export", schedule, "--to", form, "-o", self.path("out"), "--quiet", *options)
        return self.text("out")


# GOAL: tokens as LogGOPSim's scanner has them. An operation ends with its line.
LABEL = r"[a-zA-Z][a-zA-Z0-9_]*"
MESSAGE = r"(?:(?P<send>send)|recv)[ \t]+(?P<size>\d+)[ \t]*b[ \t]+(?(send)to|from)[ \t]+(?P<peer>\d+)" \
          r"(?:[ \t]+tag[ \t]+(?P<tag>\d+))?(?:[ \t]+cpu[ \t]+(?P<cpu>\d+))?(?:[ \t]+nic[ \t]+(?P<nic>\d+))?"
OPERATION = re.compile(rf"(?:(?P<label>{LABEL})[ \t]*:[ \t]*)?"
                       rf"(?:{MESSAGE}|calc[ \t]+(?P<time>\d+)(?:[ \t]+cpu[ \t]+(?P<calc_cpu>\d+))?)[ \t]*\r?")
DEPENDENCY = re.compile(rf"(?P<after>{LABEL})[ \t]+i?requires[ \t]+(?P<before>{LABEL})[ \t]*\r?")


def read_goal(text):
    """By rank, the operations by label and what each requires."""
    lines = iter(line for line in text.split("\n") if line.strip())
    count = int(re.fullmatch(r"num_ranks[ \t]+(\d+)", next(lines)).group(1))
    ranks = []
    for rank in range(count):
        assert re.fullmatch(rf"rank[ \t]+{rank}[ \t]*{{", next(lines)), rank
        operations, requires = {}, []
        for line in lines:
            if line == "}":
                break
            operation = OPERATION.fullmatch(line)
            if operation:
                fields = operation.groupdict()
                for field, bits in (("tag", 32), ("peer", 32), ("size", 64), ("time", 64), ("cpu", 8), ("nic", 8)):
                    assert int(fields[field] or 0) < 1 << bits, line
                assert fields["label"] not in operations
                operations[fields["label"]] = fields
                continue
            dependency = DEPENDENCY.fullmatch(line)
            assert dependency, line
            after, before = dependency.group("after"), dependency.group("before")
            assert after in operations and before in operations, line  # labels stand before their use
            requires.append((after, before))
        ranks.append((operations, requires))
    assert next(lines, None) is None
    return ranks


class Goal(Case):
    def check(self, ranks):
        """Each message has both ends, and all operations run."""
        sends, receives = {}, {}
        for rank, (operations, _) in enumerate(ranks):
            for fields in operations.values():
                if fields["size"]:
                    ends = (rank, int(fields["peer"])) if fields["send"] else (int(fields["peer"]), rank)
                    kind = sends if fields["send"] else receives
                    key = (*ends, fields["tag"], fields["size"])
                    kind[key] = kind.get(key, 0) + 1
        self.assertEqual(sends, receives)
        for operations, requires in ranks:
            left = {label: {before for after, before in requires if after == label} for label in operations}
            while left:
                ready = [label for label, before in left.items() if not before & left.keys()]
                self.assertTrue(ready, "operations require each other in a circle")
                for label in ready:
                    del left[label]

    def test_schedules(self):
        for collective, topology, algorithm in (("allreduce", "ring:5", "ring"), ("alltoall", "torus:2x3", "pairwise"),
                                                ("broadcast", "hypercube:3", "binomial"),
                                                ("allreduce", "complete:6", "recursive-doubling")):
            text = self.exported(collective, topology, algorithm, "goal", "--size", "1000")
            ranks = read_goal(text)
            self.check(ranks)
            sends = sum(bool(fields["send"]) for operations, _ in ranks for fields in operations.values())
            self.assertGreater(sends, 0)

    def test_copies_and_reductions_take_nanoseconds(self):
        # 4,000 B at 2 GB/s are 2,000 ns. A ring of 4 adds 3 blocks of 1,000 B on each rank: 500 ns each.
        text = self.exported("allreduce", "ring:4", "ring", "goal", "--size", "4000", "--reduce-bandwidth", "2GBps")
        times = [int(fields["time"]) for operations, _ in read_goal(text) for fields in operations.values()
                 if fields["time"]]
        self.assertEqual(times, [500] * 12)

    def test_whole_programs_with_computing(self):
        source = self.write("app", "num_ranks 2\nrank 0 {\nf: calc 5000 cpu 1\ns: send 64b to 1 tag 3000000000\n"
                                   "s requires f\nc: calc 7 cpu 1\nc irequires s\n}\n"
                                   "rank 1 {\nr: recv 64b from 0 tag 3000000000\nb: calc 9\nb requires r\n}\n")
        weft("import", source, "-o", self.path("app.weft"), "--quiet")
        weft("export", self.path("app.weft"), "--to", "goal", "-o", self.path("out"), "--quiet")
        ranks = read_goal(self.text("out"))
        self.check(ranks)
        first = list(ranks[0][0].values())
        self.assertEqual(sorted((int(f["time"]), f["calc_cpu"]) for f in first if f["time"]),
                         [(0, None), (7, "1"), (5000, "1")])
        self.assertEqual([f["tag"] for f in first if f["send"]], ["3000000000"])


def read_anynet(text):
    """As BookSim's reader takes it: the router of each node with its latency, and channels by their ends."""
    nodes, channels, routers = {}, {}, set()
    for line in text.split("\n"):
        if not line:
            continue
        assert "\t" not in line
        words = line.split(" ")
        assert words[0] == "router" and "" not in words, line
        head = int(words[1])
        routers.add(head)
        at = 2
        while at < len(words):
            kind, number = words[at], int(words[at + 1])
            at += 2
            latency = 1
            if at < len(words) and words[at] not in ("router", "node"):
                latency = int(words[at])
                at += 1
            assert latency > 0
            if kind == "node":
                assert number not in nodes, line
                nodes[number] = (head, latency)
            else:
                assert kind == "router" and number != head and (head, number) not in channels, line
                routers.add(number)
                channels[head, number] = latency
    assert sorted(routers) == list(range(len(routers))) and sorted(nodes) == list(range(len(nodes)))
    return nodes, channels


class Anynet(Case):
    def test_networks(self):
        """The channels are the links of the network as weft's own file has it."""
        for topology in ("torus:3x4", "hypercube:3", "hosts(2, torus:3x3)", "dragonfly:a=4,p=2,h=2", "xgft:2;3,2;1,2"):
            weft("export", topology, "--to", "booksim-anynet", "-o", self.path("out"), "--quiet",
                 "--link", "100Gbps,500ns")
            nodes, channels = read_anynet(self.text("out"))
            weft("topology", topology, "-o", self.path("net.json"), "--quiet")
            network = json.loads(self.text("net.json"))
            switches = set(network.get("switches", []))
            count = network["nodes"]
            hosts = [n for n in range(count) if n not in switches]
            self.assertEqual(len(nodes), len(hosts))
            between = sum(1 for tail, head, *_ in network["links"]
                          if not switches or (tail in switches and head in switches))
            self.assertEqual(len(channels), between, topology)
            self.assertTrue(all((b, a) in channels for a, b in channels))
            self.assertEqual(set(channels.values()), {500})
            self.assertEqual({latency for _, latency in nodes.values()}, {500 if switches else 1})
            self.assertRegex(self.text("out.config"), r"\btopology = anynet;\nnetwork_file = out;\n")

    def test_refusals_name_the_link(self):
        tree = self.write("topology.conf", "SwitchName=leaf1 Nodes=n[1-2]\nSwitchName=leaf2 Nodes=n[3-4]\n"
                                           "SwitchName=top Switches=leaf[1-2]\n")
        weft("import", tree, "--uplinks", "2", "-o", self.path("tree.json"), "--quiet")
        for topology, why in (("kautz:2,3", r"link 0 from 0 to 1\S* is one-way"),
                              (f"file:{self.path('tree.json')}",
                               r"link \d+ from leaf1 to top is parallel to link \d+")):
            done = run("export", topology, "--to", "booksim-anynet", "-o", self.path("none"))
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, why)
            self.assertFalse(os.path.exists(self.path("none")))

    def test_comes_back(self):
        weft("export", "hosts(2, torus:3x3)", "--to", "booksim-anynet", "-o", self.path("out"), "--quiet")
        weft("import", self.path("out"), "-o", self.path("back.json"), "--quiet")
        weft("export", f"file:{self.path('back.json')}", "--to", "booksim-anynet", "-o", self.path("again"), "--quiet")
        self.assertEqual(read_anynet(self.text("out")), read_anynet(self.text("again")))


HEADER = "SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks"


def read_tacos(text):
    lines = text.splitlines()
    counts = []
    for line, key in zip(lines, ("NPUs Count", "Links Count", "Chunks Count")):
        name, value = line.split(",")
        assert name == key
        counts.append(int(value))
    name, size, unit = lines[3].split(",")
    assert (name, unit) == ("Chunk Size", "B") and lines[4] == HEADER
    links = {}
    for line in lines[5:]:
        source, target, latency, bandwidth, *chunks = line.split(",")
        assert float(latency) >= 0 and float(bandwidth) > 0 and (int(source), int(target)) not in links
        links[int(source), int(target)] = [] if chunks == ["None"] else [int(chunk) for chunk in chunks]
    assert len(links) == counts[1]
    return counts[0], counts[2], int(size), links


def executed(npus, chunks, links):
    """What each NPU holds once no link can go on."""
    held = [{chunk for chunk in range(chunks) if chunk % npus == npu} for npu in range(npus)]
    next_of = dict.fromkeys(links, 0)
    moved = True
    while moved:
        moved = False
        for (source, target), order in links.items():
            if next_of[source, target] < len(order) and order[next_of[source, target]] in held[source]:
                held[target].add(order[next_of[source, target]])
                next_of[source, target] += 1
                moved = True
    return held


def greedy(npus, ends, per_npu, rng):
    """An allgather as TACOS makes it: in each round every link takes a chunk that its end lacks."""
    chunks = npus * per_npu
    held = [{chunk for chunk in range(chunks) if chunk % npus == npu} for npu in range(npus)]
    links = {end: [] for end in ends}
    while any(len(mine) < chunks for mine in held):
        coming = [set() for _ in range(npus)]
        for source, target in rng.sample(ends, len(ends)):
            useful = sorted(held[source] - held[target] - coming[target])
            if useful:
                chunk = rng.choice(useful)
                coming[target].add(chunk)
                links[source, target].append(chunk)
        for mine, new in zip(held, coming):
            mine |= new
    return links


def tacos_text(npus, per_npu, links):
    rows = [f"{a},{b},500,50,{','.join(map(str, chunks)) or 'None'}" for (a, b), chunks in links.items()]
    return "\n".join([f"NPUs Count,{npus}", f"Links Count,{len(links)}", f"Chunks Count,{npus * per_npu}",
                      "Chunk Size,1048576,B", HEADER, *rows]) + "\n"


class Tacos(Case):
    def test_writes_what_gathers(self):
        for topology, algorithm in (("ring:6", "bidirectional-ring"), ("torus:3x3", "bfb"),
                                    ("hypercube:3", "recursive-doubling"), ("complete:5", "direct"),
                                    ("uniring:7", "ring")):
            npus, chunks, size, links = read_tacos(
                self.exported("allgather", topology, algorithm, "tacos", "--size", "5040"))
            self.assertEqual(size * chunks, 5040 * npus)
            for held in executed(npus, chunks, links):
                self.assertEqual(held, set(range(chunks)))

    def test_reads_what_gathers_and_nothing_else(self):
        rng = random.Random(7)
        for _ in range(4):
            npus, per_npu = rng.randint(3, 7), rng.randint(1, 2)
            ends = [(n, (n + 1) % npus) for n in range(npus)]
            ends += rng.sample([(a, b) for a in range(npus) for b in range(npus) if a != b and (a, b) not in ends], npus)
            links = greedy(npus, ends, per_npu, rng)
            file = self.write("a.csv", tacos_text(npus, per_npu, links))
            answer = json.loads(weft("import", file, "-o", self.path("a.weft"), "--json"))
            self.assertEqual((answer["collective"], answer["proved"]), ("allgather", True))
            self.assertEqual(answer["messages"], npus * per_npu * (npus - 1))
            some = rng.choice([end for end in ends if links[end]])
            links[some].pop()  # the last chunk that a link carries
            file = self.write("b.csv", tacos_text(npus, per_npu, links))
            self.assertIn(run("import", file, "-o", self.path("b.weft")).returncode, (1, 2))
            self.assertFalse(os.path.exists(self.path("b.weft")))


class ForestColl(Case):
    def test_writes_spanning_trees(self):
        for topology, algorithm, options in (("ring:6", "bidirectional-ring", ()), ("torus:3x3", "bfb", ()),
                                             ("hosts(1, ring:4)", "ring", ()), ("mesh:3", "packing", ())):
            text = self.exported("allgather", topology, algorithm, "forestcoll", "--size", "5040", *options)
            root = ElementTree.fromstring(text)
            self.assertEqual((root.tag, list(root.attrib)), ("Algo", ["nchunkspernode"]))
            nodes = {tree.attrib["root"] for tree in root}
            share = dict.fromkeys(nodes, 0)
            names = set()
            for tree in root:
                self.assertEqual(list(tree.attrib), ["root", "index", "nchunks", "height"])
                names.add((tree.attrib["root"], tree.attrib["index"]))
                share[tree.attrib["root"]] += int(tree.attrib["nchunks"])
                depth = {tree.attrib["root"]: 0}
                for send in tree:  # in an order in which the data are there
                    source, target = send.attrib["src"], send.attrib["dst"]
                    path = send.attrib["path"].split(",")
                    self.assertEqual((path[0], path[-1]), (source, target))
                    self.assertNotIn(target, depth)
                    depth[target] = depth[source] + 1
                self.assertEqual(set(depth), nodes)
                self.assertEqual(max(depth.values()), int(tree.attrib["height"]))
            self.assertEqual(len(names), len(root))
            self.assertEqual(set(share.values()), {int(root.attrib["nchunkspernode"])})
            answer = json.loads(weft("import", self.path("out"), "-o", self.path("back.weft"), "--json"))
            self.assertEqual((answer["collective"], answer["proved"]), ("allgather", True))


if __name__ == "__main__":
    unittest.main()
