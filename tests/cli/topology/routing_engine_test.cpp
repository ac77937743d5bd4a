// What weft import and weft topology say of forwarding tables. The numbers of larger fabrics are
// tested in analysis/forwarding_report_test.cpp and judged in oracle/routing_engines_test.py.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;

const std::string kFabric = weft::test::source_dir() + "/examples/leaf-spine.ibnet";
const std::string kTables = weft::test::source_dir() + "/examples/leaf-spine.lfts";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// OpenSM's ftree wrote the tables: a leaf's two hosts send to two others over a spine each, so that
// each of four cables has two pairs a direction, as if split evenly.
TEST(RoutingEngine, is_noted_once_and_shown_with_the_network) {
  const ScratchFolder folder;
  const std::string file = folder.path("net.json");
  const auto import = run_weft({"import", kFabric, "--routes", kTables, "-o", file});
  ASSERT_EQ(import.code, 0) << import.err;
  EXPECT_TRUE(has(import.err, "note: forwarding tables: they fit ftree or ")) << import.err;
  EXPECT_TRUE(has(import.err, " carries 1.00 x an even split; no credit loop\n")) << import.err;
  const auto text = run_weft({"topology", "file:" + file});
  EXPECT_TRUE(has(text.out, "every host reaches every other; all paths are shortest")) << text.out;
  EXPECT_TRUE(has(text.out, "none: one virtual lane suffices")) << text.out;
  EXPECT_FALSE(has(text.err, "forwarding tables")) << text.err;
  EXPECT_FALSE(has(run_weft({"topology", "file:" + file, "--measure", "cheap"}).out, "engine"));
  const json found =
      json::parse(run_weft({"topology", "file:" + file, "--json"}).out).at("forwarding");
  EXPECT_EQ(found.at("engines").at(0), "ftree");
  EXPECT_EQ(found.at("pairs"), 12);
  EXPECT_EQ(found.at("busiest_pairs"), 2);
  EXPECT_EQ(found.at("even_pairs"), 2.0);
  EXPECT_EQ(found.at("shift_worst"), 1);
  EXPECT_EQ(found.at("other_engines").size(), 5u);
  EXPECT_TRUE(found.at("better_engine").is_null());
  EXPECT_TRUE(
      json::parse(run_weft({"topology", "ring:4", "--json"}).out).at("forwarding").is_null());
}

// leaf1 has no entry for h0 any more, so that h2 and h3 do not reach it.
TEST(RoutingEngine, counts_pairs_without_a_path) {
  const ScratchFolder folder;
  std::string text = read_text(kTables);
  const std::string entry = "0x0002 005 : (Channel Adapter portguid 0x0000000000100001: 'h0')\n";
  text.replace(text.find(entry), entry.size(), "");
  text.replace(text.find("8 valid lids"), 1, "7");
  const std::string tables = folder.file("hole.lfts", text), file = folder.path("net.json");
  const auto import = run_weft({"import", kFabric, "--routes", tables, "-o", file});
  ASSERT_EQ(import.code, 0) << import.err;
  EXPECT_TRUE(has(import.err, "2 of 12 pairs of hosts have no path")) << import.err;
  const auto shown = run_weft({"topology", "file:" + file});
  EXPECT_TRUE(has(shown.out, "2 of 12 pairs of hosts have no path")) << shown.out;
}

}  // namespace
