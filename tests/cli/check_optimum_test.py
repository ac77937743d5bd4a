"""examples/check_optimum.py, which adds up certificates by links alone, against weft optimum."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

WEFT = os.environ["WEFT_PROGRAM"]
EXAMPLES = os.path.join(os.environ["WEFT_SOURCE_DIR"], "examples")
sys.dont_write_bytecode = True
sys.path.insert(0, EXAMPLES)
import check_optimum  # noqa: E402

# A collective, a network, and what is said of links and ranks.
ASKED = [
    ("allgather", "genkautz:4,32", []),
    ("reduce-scatter", "genkautz:4,12", []),
    ("broadcast", "kautz:2,3", ["--root", "3"]),
    ("reduce", "mesh:3x4", ["--root", "5"]),
    ("scatter", "genkautz:4,12", ["--root", "3"]),
    ("gather", "without(link=7, kautz:2,3)", ["--root", "2"]),
    ("scatter", "hosts(4, torus:3x3)", ["--placement", "random", "--ranks", "20", "--root", "7"]),
    ("gather", "boxes(2, network:dgx-a100)", ["--root", "9"]),
    ("allgather", "torus:4x4", ["--hosts", "0-2,7,9-13"]),
    ("allgather", "without(cable=3, node=7, torus:4x4)", []),
    ("allgather", "leaf-spine:leaves=4,spines=2,hosts=8", []),
    ("reduce-scatter", "hosts(4, torus:3x3)", ["--placement", "random", "--ranks", "20"]),
    ("broadcast", "boxes(2, network:dgx-a100)", ["--root", "9"]),
    ("allgather", "rail:boxes=3,gpus=4,spines=2", ["--hosts", "0-6,9-11"]),
]


ALLREDUCE = [
    ("genkautz:4,12", []),
    ("mesh:3x4", []),
    ("without(cable=3, node=7, torus:4x4)", []),
    ("without(link=3, kautz:2,3)", []),
    ("leaf-spine:leaves=4,spines=2,hosts=8", []),
    ("hosts(4, torus:3x3)", ["--placement", "random", "--ranks", "20"]),
    ("rail:boxes=3,gpus=4,spines=2", ["--hosts", "0-6,9-11"]),
    ("without(cable=20, boxes(2, network:mi250))", []),
    ("boxes(2, network:dgx-a100)", []),
]

ALLTOALL = [
    ("torus:3x4", []),
    ("genkautz:4,12", []),
    ("mesh:3x4", ["--hosts", "0,3-7,11"]),
    ("leaf-spine:leaves=4,spines=2,hosts=8", []),
    ("hosts(4, torus:3x3)", ["--placement", "random", "--ranks", "20"]),
    ("boxes(2, network:dgx-a100)", []),
    ("rail:boxes=3,gpus=4,spines=2", ["--hosts", "0-6,9-11"]),
    ("without(node=3, cable=9, torus:8x8)", []),
]


def weft(*words):
    return subprocess.run([WEFT, *words], capture_output=True, text=True, timeout=120, check=True).stdout


class CheckOptimum(unittest.TestCase):
    def test_certificates_add_up(self):
        with tempfile.TemporaryDirectory() as folder:
            for collective, topology, said in ASKED:
                link = [] if "network" in topology else ["--link", "40Gbps,1us"]
                file = os.path.join(folder, "net.json")
                weft("topology", "-t", topology, *link, "-o", file, "-q")
                with open(file, encoding="utf-8") as text:
                    net = json.load(text)
                answer = json.loads(weft("optimum", collective, "-t", topology, *link, *said, "--json", "-q"))
                with self.subTest(collective=collective, topology=topology):
                    self.assertEqual(str(check_optimum.least_factor(net, answer)), answer["bandwidth_factor"])
                    schedules = answer["schedules"]
                    best = min(Fraction(schedule["bandwidth_factor"]) for schedule in schedules)
                    self.assertGreaterEqual(best, Fraction(answer["bandwidth_factor"]))
                    if collective not in ("scatter", "gather"):
                        self.assertIn("packing", schedules[0]["algorithm"])
                    for key in ("ranks", "links"):  # of another set nothing is believed
                        wrong = json.loads(json.dumps(answer))
                        wrong["certificate"]["cut"][key].pop()
                        with self.assertRaises(SystemExit, msg=key):
                            check_optimum.least_factor(net, wrong)

    def test_prices_of_an_allreduce_add_up(self):
        with tempfile.TemporaryDirectory() as folder:
            for topology, said in ALLREDUCE:
                link = [] if "network" in topology else ["--link", "40Gbps,1us"]
                file = os.path.join(folder, "net.json")
                weft("topology", "-t", topology, *link, "-o", file, "-q")
                with open(file, encoding="utf-8") as text:
                    net = json.load(text)
                words = ["optimum", "allreduce", "-t", topology, *link, *said, "-a", "none", "--json", "-q"]
                answer = json.loads(weft(*words))
                with self.subTest(topology=topology):
                    self.assertEqual(str(check_optimum.least_factor(net, answer)), answer["bandwidth_factor"])
                    self.assertEqual(sum(Fraction(share) for share in answer["shares"]), 1)
                    wrong = json.loads(json.dumps(answer))  # without a cut some rank is not covered
                    wrong["certificate"]["cuts"].pop()
                    self.assertLess(check_optimum.least_factor(net, wrong), Fraction(answer["bandwidth_factor"]))
                    dear = next(i for i, price in enumerate(answer["certificate"]["prices"]) if price != "0")
                    answer["certificate"]["prices"][dear] = "0"
                    with self.assertRaises(SystemExit):
                        check_optimum.least_factor(net, answer)

    def test_distances_of_an_all_to_all_add_up(self):
        with tempfile.TemporaryDirectory() as folder:
            for topology, said in ALLTOALL:
                link = [] if "network" in topology else ["--link", "40Gbps,1us"]
                file = os.path.join(folder, "net.json")
                weft("topology", "-t", topology, *link, "-o", file, "-q")
                with open(file, encoding="utf-8") as text:
                    net = json.load(text)
                words = ["optimum", "alltoall", "-t", topology, *link, *said, "-a", "none", "--json", "-q"]
                answer = json.loads(weft(*words))
                with self.subTest(topology=topology):
                    proved = check_optimum.least_factor(net, answer)
                    if answer["bandwidth_factor"]:
                        self.assertEqual(str(proved), answer["bandwidth_factor"])
                    else:
                        said = answer["certificate"]["bandwidth_factor_bound"]
                        self.assertAlmostEqual(float(proved), said, delta=1e-9)
                        self.assertLessEqual(said, answer["bandwidth_factor_bound"])
                        self.assertLess(answer["bandwidth_factor_reached"], 1.011 * float(proved))

    def test_the_page_runs_as_written(self):
        with tempfile.TemporaryDirectory() as folder:
            net, optimum = os.path.join(folder, "net.json"), os.path.join(folder, "optimum.json")
            weft("topology", "-t", "kautz:4,2", "--link", "100Gbps,1us", "-o", net, "-q")
            with open(optimum, "w", encoding="utf-8") as file:
                file.write(weft("optimum", "allgather", "-t", "kautz:4,2", "--link", "100Gbps,1us", "--json"))
            page = [sys.executable, os.path.join(EXAMPLES, "check_optimum.py"), net, optimum]
            ran = subprocess.run(page, capture_output=True, text=True, timeout=60)
            self.assertEqual((ran.returncode, ran.stdout), (0, "T_B >= 19/20\n"))
            with open(optimum, encoding="utf-8") as file:
                answer = json.load(file)
            answer["bandwidth_factor"] = "1"
            with open(optimum, "w", encoding="utf-8") as file:
                json.dump(answer, file)
            ran = subprocess.run(page, capture_output=True, text=True, timeout=60)
            self.assertEqual((ran.returncode, ran.stdout), (1, "T_B >= 19/20, and weft said 1\n"))


class BadInput(unittest.TestCase):
    def run_page(self, *words):
        page = [sys.executable, os.path.join(EXAMPLES, "check_optimum.py"), *words]
        return subprocess.run(page, capture_output=True, text=True, timeout=60)

    def test_is_refused_in_a_line(self):
        with tempfile.TemporaryDirectory() as folder:
            def written(name, text):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                return path
            link = ["--link", "40Gbps,1us"]
            net, other = (os.path.join(folder, name) for name in ("net.json", "other.json"))
            weft("topology", "-t", "kautz:2,3", *link, "-o", net, "-q")
            weft("topology", "-t", "ring:3", *link, "-o", other, "-q")
            answer = weft("optimum", "allgather", "-t", "kautz:2,3", *link, "-a", "none", "--json")
            whole = written("optimum.json", answer)
            without = json.loads(answer)
            del without["certificate"]
            for words, why in [
                ([], "required"),
                ([net], "optimum.json"),
                ([net, os.path.join(folder, "missing.json")], "cannot be read"),
                ([net, folder], "cannot be read"),
                ([net, written("broken.json", answer[:-40])], "is no JSON"),
                ([net, written("list.json", "[]")], 'has no "collective"'),
                ([net, written("part.json", json.dumps(without))], 'has no "certificate"'),
                ([whole, net], 'has no "links"'),
                ([net, written("fraction.json", answer.replace('"bandwidth_factor": "', '"bandwidth_factor": "x'))],
                 "do not belong together"),
            ]:
                ran = self.run_page(*words)
                with self.subTest(words=words):
                    self.assertEqual((ran.returncode, ran.stdout, ran.stderr.count("\n")), (2, "", 1), ran.stderr)
                    self.assertIn(why, ran.stderr)
            ran = self.run_page(other, whole)  # of another network nothing holds
            self.assertIn(ran.returncode, (1, 2))
            self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)

    def test_help_says_how_the_files_are_made(self):
        ran = self.run_page("--help")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for word in ("usage: check_optimum.py", "weft topology", "weft optimum", "--json >"):
            self.assertIn(word, ran.stdout)


class Defaults(unittest.TestCase):
    def test_say_what_they_leave_out(self):
        words = [WEFT, "optimum", "allgather", "-t", "torus:12x12"]
        ran = subprocess.run(words, capture_output=True, text=True, timeout=60)
        self.assertEqual(ran.returncode, 0)
        self.assertIn("143/144", ran.stdout)
        self.assertIn("--algorithms packing", ran.stderr)


class TimeLimits(unittest.TestCase):
    def test_leave_what_is_proven_so_far(self):
        for words, unproven in [
            (["optimum", "alltoall", "-t", "random-regular:300,4", "-a", "none"], "bandwidth_factor"),
            (["optimum", "allreduce", "-t", "genkautz:4,32", "-a", "none"], "bandwidth_factor"),
            (["throughput", "-t", "random-regular:300,4"], "exact"),
        ]:
            asked = [WEFT, *words, "--time-limit", "1ms", "--json"]
            ran = subprocess.run(asked, capture_output=True, text=True, timeout=120)
            with self.subTest(words=words):
                self.assertEqual((ran.returncode, ran.stderr.count("\n")), (1, 1), ran.stderr)
                self.assertIn("the time limit was reached; proven so far: ", ran.stderr)
                self.assertIsNone(json.loads(ran.stdout)[unproven])


class Refusals(unittest.TestCase):
    def test_are_one_line(self):
        for words, why in [
            (["optimum", "allgather", "-t", "ring:4", "-a", "none", "--time-limit", "3s"], "without schedules, which always runs to its end; leave it out"),
            (["optimum", "point-to-point", "-t", "ring:4"], "is not known"),
            (["optimum", "allgather", "-t", "without(link=0, uniring:4)"], "no path leads from node"),
            (["optimum", "allgather", "-t", "ring:4", "--hosts", "3"], "leaves one rank"),
            (["optimum", "allgather", "-t", "ring:4", "-a", "none", "--segments", "8"], "--segments"),
            (["optimum", "allgather", "-t", "ring:4", "-a", "nobody"], "unknown algorithm"),
            (["optimum", "reduce", "-t", "ring:4", "-a", "swing"], "swing"),
            (["schedule", "allgather", "-t", "ring:4", "-a", "packing", "--trees", "0"], "trees"),
        ]:
            ran = subprocess.run([WEFT, *words], capture_output=True, text=True, timeout=60)
            with self.subTest(words=words):
                self.assertEqual((ran.returncode, ran.stdout, ran.stderr.count("\n")), (2, "", 1), ran.stderr)
                self.assertIn(why, ran.stderr)


if __name__ == "__main__":
    unittest.main()
