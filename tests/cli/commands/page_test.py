"""The page of weft reproduce in headless Chromium: phone and desk, light and dark."""
import html.parser
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

WEFT = os.environ["WEFT_PROGRAM"]
CHROMIUM = shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]

EXPERIMENT = """
[experiment]
title = "Rings & <script>alert(1)</script> of a_rather_long_name_that_has_no_blank_and_must_wrap_on_phones"
source = "A 'quoted' \\"source\\""
[grid]
topology = ["ring:4", "ring:8"]
collective = "allreduce"
algorithm = ["ring", "recursive-doubling"]
size = "1KiB:64KiB"
[[chart]]
name = "time"
title = "Times <b>"
panel = "topology"
[[claim]]
text = "Recursive doubling is faster & shorter"
source = "nowhere"
where = { algorithm = "recursive-doubling" }
than = { algorithm = "ring" }
to = "1KiB"
[[claim]]
text = "The ring takes a second"
source = "nowhere"
where = { algorithm = "ring", size = "1KiB", topology = "ring:4" }
printed = "1"
reason = "a <made-up> number"
ours = 6.12288e-6  # 6 steps of 1 us and 256 B at 12.5 GB/s
"""

# Reports what only a browser knows: widths, colours, errors.
PROBE = """<script>
window.problems = [];
window.addEventListener("error", e => problems.push(String(e.message)));
document.addEventListener("securitypolicyviolation", e => problems.push(e.blockedURI));
window.addEventListener("load", () => {
  const brightness = c => c.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 3;
  const charts = [...document.querySelectorAll("figure svg")].map(s => s.getBoundingClientRect().height);
  const style = getComputedStyle(document.body);
  // Boxes whose content is cut off or has to be scrolled, and what stands outside of the page.
  const cut = [...document.querySelectorAll(".box")].filter(b => b.scrollWidth > b.clientWidth).length;
  const outside = s => [...document.querySelectorAll(s)].map(e => e.getBoundingClientRect())
    .filter(r => r.width < 1 || r.left < 0 || r.right > innerWidth).length;
  parent.postMessage(JSON.stringify({
    problems, charts, cut, ours: document.querySelectorAll("td.ours").length,
    lost: outside("td.ours") + outside("figure svg") + outside(".totals"),
    totals: document.querySelector(".totals").getBoundingClientRect().bottom, inner: innerWidth, width: document.documentElement.scrollWidth,
    back: brightness(style.backgroundColor), text: brightness(style.color),
    plate: brightness(getComputedStyle(document.querySelector(".chart")).backgroundColor),
    loaded: performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith("data:")) }), "*");
});
</script>"""


# Chromium's windows are at least 500 pixels wide, so the page stands in a frame of the wanted width.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<style>body { margin: 0 } iframe { border: 0; width: %dpx; height: 2000px }</style>
<script>addEventListener("message", e => document.documentElement.setAttribute("data-report", e.data));</script>
<iframe src="%s"></iframe>"""


class Outline(html.parser.HTMLParser):
    """Open elements must be closed in order; ids must be unique; nothing may come from elsewhere."""
    VOID = {"meta", "link", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.faults = [], set(), []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.look(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        self.look(tag, attributes)

    def look(self, tag, attributes):
        if tag in ("script", "iframe", "img"):
            self.faults.append(tag)
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.faults.append("twice: " + value)
                self.ids.add(value)
            if name in ("src", "href", "xlink:href") and not value.startswith(("#", "data:")):
                self.faults.append("elsewhere: " + value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append("</%s>" % tag)


def pixels(png):
    """Width, height and the number of different bytes in the picture's data."""
    with open(png, "rb") as file:
        data = file.read()
    assert data.startswith(b"\x89PNG"), png
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    return width, height, len(set(zlib.decompress(packed)))


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weft-page-")
        file = os.path.join(cls.folder.name, "rings.toml")
        with open(file, "w") as out:
            out.write(EXPERIMENT)
        cls.page = os.path.join(cls.folder.name, "page.html")
        ran = subprocess.run([WEFT, "reproduce", file, "--page", cls.page], capture_output=True, timeout=120)
        assert ran.returncode == 0, ran.stderr.decode()
        with open(cls.page) as text:
            cls.html = text.read()
        cls.probed = os.path.join(cls.folder.name, "probed.html")
        with open(cls.probed, "w") as out:
            out.write(cls.html.replace("</head>", PROBE + "</head>"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def browse(self, width, scheme, page, *arguments):
        frame = os.path.join(self.folder.name, "frame.html")
        with open(frame, "w") as out:
            out.write(FRAME % (width, os.path.basename(page)))
        with tempfile.TemporaryDirectory(prefix="weft-chromium-", ignore_cleanup_errors=True) as profile:
            flags = ["--user-data-dir=" + profile, "--window-size=%d,2000" % max(width, 500),
                     "--blink-settings=preferredColorScheme=%d" % (0 if scheme == "dark" else 1)]
            return subprocess.run([CHROMIUM, *FLAGS, *flags, *arguments, "file://" + frame], capture_output=True, timeout=120)

    def test_is_well_formed_and_escaped(self):
        outline = Outline()
        outline.feed(self.html)
        self.assertEqual((outline.faults, outline.open), ([], []))
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;", self.html)
        self.assertIn("a &lt;made-up&gt; number", self.html)
        self.assertEqual(re.findall(r"https?://(?!www\.w3\.org/)", self.html), [])
        self.assertLess(len(self.html), 1_000_000)

    def test_fits_phone_and_desk_in_light_and_dark(self):
        for width in (375, 1280):
            for scheme in ("light", "dark"):
                with self.subTest(width=width, scheme=scheme):
                    ran = self.browse(width, scheme, self.probed, "--dump-dom")
                    found = re.search(r'data-report="([^"]*)"', ran.stdout.decode())
                    self.assertIsNotNone(found, ran.stderr.decode()[-2000:])
                    report = json.loads(found[1].replace("&quot;", '"'))
                    self.assertEqual(report["problems"], [])
                    self.assertEqual(report["loaded"], [])
                    self.assertEqual(report["inner"], width)
                    self.assertLessEqual(report["width"], width)
                    self.assertEqual(len(report["charts"]), 3)  # two panels and their key
                    self.assertGreater(min(report["charts"][:2]), 200)
                    self.assertEqual((report["ours"], report["lost"], report["cut"]), (2, 0, 0))
                    self.assertLess(report["totals"], 400)  # seen first
                    self.assertEqual(report["back"] < 64, scheme == "dark")
                    self.assertGreater(abs(report["back"] - report["text"]), 150)
                    self.assertEqual(report["plate"], 255)  # charts keep their light ground

    def test_is_seen_and_says_nothing_on_the_console(self):
        for width in (360, 1280):
            picture = os.path.join(self.folder.name, "seen.png")
            ran = self.browse(width, "light", self.page, "--enable-logging=stderr",
                              "--screenshot=" + picture)
            self.assertNotIn("CONSOLE", ran.stderr.decode())
            wide, high, values = pixels(picture)
            self.assertEqual((wide, high), (max(width, 500), 2000))
            self.assertGreater(values, 50)


if __name__ == "__main__":
    unittest.main()
