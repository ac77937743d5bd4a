// Wrong input: exactly one line on stderr that begins with "weft: " and names the input and what
// would be right, nothing on stdout, exit code 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"

namespace {

using weft::test::Ran;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

void expect_refused(const Ran& ran, const std::string& line, const std::string& says) {
  EXPECT_EQ(ran.code, 2) << line << "\nout: " << ran.out << "\nerr: " << ran.err;
  EXPECT_EQ(ran.out, "") << line;
  EXPECT_TRUE(ran.err.starts_with("weft: ")) << line << ": " << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << ": " << ran.err;
  EXPECT_NE(ran.err.find(says), std::string::npos) << line << ": " << ran.err << "wants " << says;
}

struct Refusal {
  const char* line;
  const char* says;  // a part of the message
};

void expect_all_refused(const std::vector<Refusal>& table) {
  for (const Refusal& each : table)
    expect_refused(run_weft(words_of(each.line)), each.line, each.says);
}

TEST(BadInput, suggests_the_nearest_names) {
  expect_all_refused({
      {"compar allreduce -t ring:4", "did you mean compare?"},
      {"--jsn", "unknown option '--jsn'"},
      {"-x", "unknown option '-x'"},
      {"compare allreduce -t ring:4 --sizs 3", "did you mean --sizes"},
      {"compare allreduce -t ring:4 --sizs=3", "did you mean --sizes"},
      {"topology ring:4 extra", "unexpected argument 'extra' of"},
      {"topology tors:4x4", "did you mean torus?"},
      {"topology ../net.json", "write file:../net.json"},
      {"compare allreduce -t ring:4 --names n[0-3", "--names n[0-3: a bracket [ is not closed"},
      {"compare barier -t ring:4", "8B; use allreduce"},
      {"compare bcast -t ring:4", "broadcast"},
      {"topology spine-leaf:4", "it is called leaf-spine here"},
      {"topology zzzzzzzzz:4", "known: kautz, genkautz"},
      {"topology 'hsots(2, ring:4)'", "did you mean hosts?"},
      {"topology 'without(lnik=1, ring:4)'", "unknown key 'lnik'"},
      {"compare allredce -t ring:4", "did you mean allreduce?"},
      {"compare allreduce -t ring:4 -a rnig", "did you mean ring?"},
      {"schedule allreduce -t ring:4 -a foo-bar-baz", "known: pairwise"},
      {"compare allreduce -t ring:4 --model alpha-bta", "did you mean alpha-beta?"},
      {"compare allreduce -t ring:4 --routing shrtest", "did you mean shortest?"},
      {"simulate allreduce -t ring:4 -a ring --model packet --routing nosuch", "valiant, ugal-l"},
      {"simulate allreduce -t ring:4 -a ring --model flit --routing valient",
       "did you mean valiant"},
      {"load-curve -t ring:4 --routing nosuch", "valiant, ugal-l"},
      {"simulate allreduce -t ring:4 -a ring --model fluid --routing valiant",
       "routing valiant works only with the packet and flit models"},
      {"compare allreduce -t torus:4x4 --model packet --routing minimal-adaptive",
       "minimal-adaptive gives no paths, which the cost of schedules needs"},
      {"compare allreduce -t ring:4 --routing adaptive", "only with the packet"},
      {"compare allreduce -t ring:4 --routing adaptive", "(--model packet, or --router codes)"},
      {"compare allreduce -t ring:4 --sync lockstp",
       "unknown value of --sync 'lockstp'; known: lockstep, per-rank"},
      {"compare allreduce -t ring:4 --sharing rrt", "known: max-min, rtt, smpi"},
      {"compare allreduce -t ring:4 --release inject", "known: injected, delivered, acknowledged"},
      {"compare allreduce -t ring:4 --placement foo", "known: linear, contiguous, random"},
      {"list topologie", "did you mean topologies?"},
      {"topology torus:4x4 --measure foo", "cheap"},
  });
}

TEST(BadInput, names_parameters_that_make_no_network) {
  expect_all_refused({
      {"topology kautz:1,2", "degree 1 is too small for Kautz (needs 2 or more); use uniring:N"},
      {"topology torus:0x4", "extent 0 of torus:0x4"},
      {"topology torus:4x", "torus:m1xm2x..."},
      {"topology torus:", "parameters are missing"},
      {"topology torus", "torus:m1xm2x..."},
      {"topology ring:-3", "-3"},
      {"topology ring:nan", "nan"},
      {"topology ring:inf", "inf"},
      {"topology ring:1e3", "1e3"},
      {"topology ring:0x10", "0x10"},
      {"topology ring:8é", "8é"},
      {"topology 环:8", "position 1"},
      {"topology 'hosts(0, ring:4)'", "0 hosts a switch"},
      {"topology 'hosts(4)'", "hosts(4"},
      {"topology 'hosts(4, )'", "position 10"},
      {"topology 'hosts(4, ring:8'", "text ends"},
      {"topology 'hosts(2, hosts(2, ring:4))'", "hosts"},
      {"topology dragonfly:a=0", "p is missing"},
      {"topology dragonfly:a=0,p=1,h=1", "a=0"},
      {"topology dragonfly:a=2,p=1,h=1,g=99", "99"},
      {"topology random-regular:5,3", "nodes * degree is odd"},
      {"topology random-regular:5,7", "7"},
      {"topology 'xgft:3;8,4;1,8,2'", "xgft"},
      {"topology xgft:3", "xgft"},
      {"topology fat-tree:0,2", "0"},
      {"topology circulant:8,9", "9"},
      {"topology kautz:99999999999,99999999", "out of range"},
      {"topology kautz:100000,5", "too large"},
      {"topology hypercube:40", "too large"},
      {"topology complete:2000000000", "too large"},
      {"topology ring:99999999999999999999999", "out of range"},
      {"topology 'power(99999999, ring:4)'", "99999999"},
      {"topology 'power(64, power(64, ring:2))'", "too large"},
      {"topology 'transpose^0(ring:4)'", "power"},
      {"topology 'without(link=99, ring:4)'", "links 0 to 7"},
      {"topology 'without(cable=99, ring:4)'", "cables 0 to 3"},
      {"topology 'without(node=99, ring:4)'", "nodes 0 to 3"},
      {"topology 'without(node=0, node=1, node=2, ring:3)'", "every node"},
      {"topology ''", "empty"},
      {"topology '   '", "empty"},
      {"topology ring:4*", "text ends"},
      {"topology (((ring:4))", "text ends"},
      {"topology ring:4)", "position 7"},
      {"topology 'file:\"open.edges'", "a quote is not closed"},
  });
}

TEST(BadInput, names_sizes_speeds_and_times_that_are_none) {
  const std::string head = "compare allreduce -t ring:4 ";
  for (const Refusal& each : std::vector<Refusal>{
           {"--sizes 1Kib", "unknown unit 'Kib'"},
           {"--sizes 1mib", "unknown unit 'mib'"},
           {"--sizes -1KiB", "invalid size '-1KiB'"},
           {"--sizes=-4", "invalid size '-4'"},
           {"--sizes nan", "invalid size 'nan'"},
           {"--sizes inf", "invalid size 'inf'"},
           {"--sizes 1..2", "1..2"},
           {"--sizes 0.3B", "0.3B"},
           {"--sizes 4:1", "4:1"},
           {"--sizes 0:4", "0:4"},
           {"--sizes 1,,2", "invalid size ''"},
           {"--sizes 1:2:4", "2:4"},
           {"--sizes 99999999999999999999", "99999999999999999999"},
           {"--sizes 9223372036854775807", "9223372036854775807"},
           {"--sizes 9000000TiB", "9000000TiB"},
           {"--sizes ''", "--sizes is empty"},
           {"--link foo", "'foo' is not bandwidth,latency"},
           {"--link 100Gbps", "bandwidth,latency"},
           {"--link 0Gbps,1us", "is zero"},
           {"--link -1Gbps,1us", "-1Gbps"},
           {"--link 1Gbps,-1us", "-1us"},
           {"--link 1Gbps,1us,1us", "1us,1us"},
           {"--link 1Gbqs,1us", "1Gbqs"},
           {"--link x=1Gbps,1us", "its classes are link"},
           {"--link =1Gbps,1us", "=1Gbps,1us"},
           {"--link 99999999999Tbps,1us", "99999999999Tbps"},
           {"--alpha nan", "invalid time 'nan'"},
           {"--alpha 1", "has no unit"},
           {"--alpha-receive 1", "has no unit"},
           {"--alpha-per mesage", "known: message, step"},
           {"--alpha 1parsec", "unknown unit 'parsec'"},
           {"--alpha 99999999999999s", "64 bits"},
           {"--copy-bandwidth 1", "unit"},
           {"--layout kep", "did you mean kept?"},
           {"--reduce-bandwidth fast", "fast"},
           {"--ports -1", "-1"},
           {"--ports many", "many"},
           {"--threads -1", "-1"},
           {"--threads 99999", "99999"},
           {"--seed x", "--seed: invalid value 'x'"},
           {"--seed -1", "--seed: invalid value '-1'"},
           {"--seed 99999999999999999999999", "from 0 to 2^64"},
           {"--ranks 9", "9 ranks do not fit the 4 hosts of"},
           {"--ranks 0", "invalid value '0' (expected 1 to"},
           {"--ranks -9", "-9"},
           {"--ranks 1.5", "1.5"},
           {"--ranks 99999999999999999999", "--ranks"},
           {"--root 1", "has no root"},
           {"--from 0", "--from and --to apply to"},
           {"--chart x.pdf", "expected .svg or .png"},
           {"--chart ''", "--chart is empty"},
           {"-a ''", "--algorithms is empty"},
           {"-t ''", "--topology"},
       })
    expect_refused(run_weft(words_of(head + each.line)), each.line, each.says);
}

TEST(BadInput, says_why_an_algorithm_does_not_fit) {
  expect_all_refused({
      {"schedule alltoall -t ring:4 -a ring", "it supports allgather"},
      {"schedule allgather -t ring:4 -a direct", "needs a link between every two ranks"},
      {"schedule allgather -t ring:5 -a neighbor", "algorithms that fit"},
      {"compare allgather -t ring:4 -a direct", "needs a link between every two ranks"},
      {"schedule alltoall -t ring:4 -a bruck --radix 1", "radix 1"},
      {"schedule alltoall -t ring:4 -a bruck --radix 0", "radix 0"},
      {"schedule alltoall -t ring:4 -a bruck --radix -1", "radix -1"},
      {"schedule alltoall -t ring:4 -a bruck --radix 99999999999",
       "radix 99999999999 is out of range"},
      {"schedule alltoall -t ring:4 -a bruck --radix two", "invalid radix 'two'"},
      {"schedule allgather -t ring:4 -a ring --radix 3", "does not support option radix"},
      {"schedule allgather -t ring:4 -a local-ring --group 3", "group 3"},
      {"schedule allgather -t ring:4 -a local-ring --group 0", "group 0"},
      {"schedule broadcast -t ring:4 -a chain --segments 0", "0 segments"},
      {"schedule broadcast -t ring:4 -a chain --segments -5", "-5 segments"},
      {"schedule broadcast -t ring:4 -a chain --segments 99999999999", "1 to 1048576"},
      {"schedule broadcast -t ring:4 -a chain --root 4", "root 4 is not a rank"},
      {"schedule broadcast -t ring:4 -a chain --root -1", "invalid root '-1'"},
      {"schedule point-to-point -t ring:4 -a direct", "give --from and --to"},
      {"schedule point-to-point -t ring:4 -a direct --from 0 --to 9", "destination 9"},
      {"schedule point-to-point -t ring:4 -a direct --from -1 --to 2", "-1"},
      {"schedule point-to-point -t ring:4 -a multipath --from 1 --to 1", "rank 1 is both ends"},
      {"simulate point-to-point -t ring:4 -a multipath --from 1 --to 1", "rank 1 is both ends"},
      {"compare point-to-point -t ring:4 -a multipath --from 1 --to 1", "rank 1 is both ends"},
      {"schedule point-to-point -t ring:4 -a multipath --from 1", "give --from and --to"},
      {"schedule point-to-point -t ring:4 -a multipath --from 1 --to 2 --paths 0", "0 paths"},
      {"schedule point-to-point -t ring:4 -a multipath --from 0 --to 2 --hops 1", "raise --hops"},
      {"schedule point-to-point -t without(node=1,node=3,ring:4) -a multipath --from 0 --to 1",
       "does not reach"},
      {"schedule point-to-point -t ring:4 -a direct --from 1 --to 2 --paths 2",
       "does not support option paths"},
      {"compare allreduce -t ring:4 --routing d-mod-k", "needs an xgft or fat-tree"},
      {"schedule allgather -t ring:4 -a bfb --chunks 0", "0 chunks"},
      {"schedule allgather -t ring:4 -a bfb --chunks -3", "-3 chunks"},
      {"schedule allgather -t ring:4 -a bfb --chunks best:0", "0 chunks"},
      {"schedule allgather -t ring:4 -a bfb --chunks many", "invalid chunks 'many'"},
      {"schedule allgather -t ring:4 -a bfb --block-bytes 0", "too few"},
      {"schedule broadcast -t ring:4 -a bfb --block-bytes 64", "leave it out for broadcast"},
      {"schedule allgather -t ring:4 -a bfb --chunks 99999999999", "1 to 1048576"},
      {"schedule allgather -t ring:4 -a ring --chunks 4", "does not support option chunks"},
      {"schedule allgather -t ring:4 -a ring --cost-only", "without its schedule"},
      {"schedule allgather -t ring:4 -a bfb --cost-only -o t.weft", "leave one out"},
      {"schedule alltoall -t ring:4 -a bfb", "it supports broadcast, reduce"},
      {"schedule allgather -t 'hosts(2, ring:4)' -a bfb", "without switches"},
      {"simulate alltoall -t ring:4 -a lin --shift 16",
       "algorithms that fit: pairwise, shift, spread, xor,"},
      {"schedule allgather -t ring:4 --ranks 3 -a bfb", "one rank on each node"},
      {"schedule allgather -t 'without(link=0, uniring:3)' -a bfb", "no path leads from"},
      {"schedule allreduce -t 'without(cable=0, mesh:4)' -a hierarchical", "no path leads from"},
      {"schedule allreduce -t 'without(link=0, uniring:4)' -a hierarchical", "no path leads from"},
  });
}

TEST(BadInput, refuses_collectives_on_cut_networks) {
  const ScratchFolder folder;
  const std::string parts = "file:" + folder.file("parts.edges", "0 1\n2 3\n");
  for (const std::string& network : {parts, std::string("'without(cable=0, cable=2, ring:4)'")}) {
    for (const std::string head :
         {"compare allreduce --sizes 1KiB -t ", "schedule allreduce -a ring -t ",
          "simulate allreduce -a ring -t ", "schedule broadcast -a binomial -t "})
      expect_refused(run_weft(words_of(head + network)), head + network, "reach");
  }
}

TEST(BadInput, asks_for_what_is_missing) {
  expect_all_refused({
      {"compare", "collective is required"},
      {"compare allreduce", "--topology is required"},
      {"compare allreduce -t", "--topology needs a value"},
      {"topology", "--topology is required"},
      {"list", "what is required"},
      {"verify", "file is required"},
      {"schedule allreduce -t ring:4", "--algorithm is required"},
      {"schedule allreduce -t ring:4 -a ring -o ''", "--output is empty"},
      {"simulate allreduce", "give --topology"},
      {"simulate allreduce -t ring:4", "give --algorithm"},
      {"simulate allreduce -t ring:4 -a ring --size", "--size needs a value"},
      {"simulate allreduce -t ring:4 -a ring --links foo", "expected 'all' or 'top:N"},
      {"simulate allreduce -t ring:4 -a ring --links top:0", "expected 'all' or 'top:N"},
      {"simulate allreduce -t ring:4 -a ring --links top:99999999999999999999", "'top:N"},
      {"simulate allreduce -t ring:4 -a ring --size 99999999999999999999", "99999999999999999999"},
      {"simulate allgather -t ring:4 -a ring --size 9000000TB", "4 blocks of 9000000000000000000"},
      {"simulate allreduce -t ring:4 -a ring --sample-interval 1us", "--model packet"},
      {"simulate allreduce -t ring:4 -a ring --model packet --sample-interval 0s", "above 0"},
      {"simulate allreduce -t ring:4 -a ring --model packet --series-chart a.svg",
       "--sample-interval"},
      {"simulate ring.weft -a ring", "leave out --algorithm"},
      {"simulate ring.weft --radix 3", "leave out --radix"},
      {"simulate ring.weft --group 3", "leave out --group"},
      {"simulate ring.weft --chunks 2", "leave out --chunks"},
      {"simulate ring.weft --shift 1", "leave out --shift"},
      {"simulate ring.weft --levels 2", "leave out --levels"},
      {"simulate ring.weft --sigma 0.5", "leave out --sigma"},
      {"simulate ring.weft --paths 2", "leave out --paths"},
      {"simulate ring.weft --hops 2", "leave out --hops"},
      {"cost ring.weft --chunks 2", "unknown option '--chunks'"},
      {"verify ring.weft --sigma 0.5", "unknown option '--sigma'"},
      {"simulate ring.weft --root 3", "leave out --root"},
      {"simulate ring.weft --from 0", "leave out --from and --to"},
      {"compare allreduce -t ring:4 -t ring:5", "--topology is given more than once"},
      {"compare allreduce -t ring:4 -a ,", "empty name"},
      {"compare allreduce -t ring:4 --sizes 0 --chart x.svg", "sizes above 0"},
      {"topology ring:4 --json=foo", "--json = foo"},
  });
}

TEST(BadInput, survives_long_and_deep_expressions) {
  const auto nested = [](const std::string& head, int levels, const std::string& tail) {
    std::string text;
    for (int i = 0; i < levels; ++i) text += head;
    text += "ring:4";
    for (int i = 0; i < levels; ++i) text += tail;
    return text;
  };
  expect_refused(run_weft({"topology", nested("hosts(1,", 10'000, ")")}), "hosts", "nesting");
  expect_refused(run_weft({"topology", nested("(", 100'000, ")")}), "(", "nesting");
  expect_refused(run_weft({"topology", nested("transpose(", 100'000, "")}), "open", "nesting");
  expect_refused(run_weft({"topology", nested("ring:2*", 10'000, "")}), "product", "too large");
  expect_refused(run_weft({"topology", std::string(2'000'000, 'a')}), "long", "too long");
  expect_refused(run_weft({"topology", std::string(100'000, 'a')}), "name", "unknown");
  expect_refused(run_weft({"compare", std::string(100'000, 'a'), "-t", "ring:4"}), "kind",
                 "unknown collective");
  expect_refused(run_weft({"topology", "ring:4\n\x1b[2J"}), "control", "control character");
  expect_refused(run_weft({"compare", "all\nreduce\x01", "-t", "ring:4"}), "lines",
                 "unknown collective 'all reduce?'");
}

TEST(BadInput, refuses_files_that_are_not_what_they_should_be) {
  const ScratchFolder folder;
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 7919 % 251);
  for (const std::string name : {"g.json", "g.edges", "g.arcs", "g.graphml"}) {
    for (const std::string& content : {garbage, std::string(), std::string("\0\0\0", 3)}) {
      const std::string path = folder.file(name, content);
      expect_refused(run_weft({"topology", "file:" + path}), name, name);
    }
  }
  const std::string schedule = folder.file("g.weft", garbage);
  const std::string empty = folder.file("e.weft", "");
  for (const std::string command : {"verify", "cost", "simulate"}) {
    expect_refused(run_weft({command, schedule}), command, "is not a weft schedule file");
    expect_refused(run_weft({command, empty}), command, "e.weft");
    expect_refused(run_weft({command, folder.path("none.weft")}), command, "No such file");
    expect_refused(run_weft({command, folder.path("")}), command, "Is a directory");
  }
  const std::string places = folder.file("places.txt", garbage);
  expect_refused(
      run_weft({"compare", "allreduce", "-t", "ring:4", "--placement", "file:" + places}),
      "placement", "places.txt");
  expect_all_refused({{"topology file:none.edges", "No such file"},
                      {"topology file:/", "cannot read '/'"},
                      {"topology file:x.dot", "x.dot"},
                      {"topology file:", "parameters"},
                      {"compare allreduce -t ring:4 --placement file:none", "No such file"}});
}

// A reader or a message that calls itself for each level would overflow the stack.
TEST(BadInput, survives_deeply_nested_files) {
  const ScratchFolder folder;
  constexpr std::size_t kLevels = 300'000;
  const std::string deep = std::string(kLevels, '[') + std::string(kLevels, ']');
  const std::string head = R"({"format": "weft-topology", "version": )";
  for (const std::string& content :
       {std::string(kLevels, '['), deep, head + deep + "}", head + R"(1, "nodes": )" + deep + "}",
        head + R"(1, "nodes": 2, "links": [)" + deep + "]}",
        head + R"(1, "nodes": 2, "links": [[0, 1]], "classes": [)" + deep + "]}",
        head + R"(1, "nodes": 2, "links": [[0, 1]], "hash": )" + deep + "}"})
    expect_refused(run_weft({"topology", "file:" + folder.file("deep.json", content)}),
                   content.substr(0, 80), "deep.json");
  std::string tags = "<graphml><graph>";
  for (std::size_t i = 0; i < kLevels; ++i) tags += "<a>";
  expect_refused(run_weft({"topology", "file:" + folder.file("deep.graphml", tags)}), "tags",
                 "deep.graphml");
}

// Every prefix of a schedule file, and of a topology's JSON and GraphML.
TEST(BadInput, refuses_truncated_files) {
  const ScratchFolder folder;
  const std::string whole = folder.path("w.weft");
  ASSERT_EQ(run_weft({"schedule", "allgather", "-t", "ring:4", "-a", "bruck", "-o", whole}).code,
            0);
  const std::string bytes = weft::test::read_text(whole);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    expect_refused(run_weft({"verify", folder.file("cut.weft", bytes.substr(0, length))}),
                   std::to_string(length), "cut.weft");
  for (const std::string name : {"w.json", "w.graphml"}) {
    ASSERT_EQ(run_weft({"topology", "hosts(1, ring:3)", "-o", folder.path(name)}).code, 0);
    std::string text = weft::test::read_text(folder.path(name));
    text.erase(text.find_last_not_of(" \n") + 1);
    for (std::size_t length = 0; length < text.size(); length += 3)
      expect_refused(
          run_weft({"topology", "file:" + folder.file("cut-" + name, text.substr(0, length))}),
          std::to_string(length), "cut-");
  }
}

TEST(BadInput, leaves_nothing_behind_where_it_cannot_write) {
  const ScratchFolder folder;
  const std::string none = folder.path("none/x");
  for (const std::string& line : std::vector<std::string>{
           "schedule allgather -t ring:4 -a ring -o " + none + ".weft",
           "topology ring:4 -o " + none + ".json", "topology ring:4 -o " + folder.path("x.foo"),
           "compare allreduce -t ring:4 --sizes 1KiB --csv " + none + ".csv",
           "compare allreduce -t ring:4 --sizes 1KiB --chart " + none + ".svg",
           "schedule allgather -t ring:4 -a ring -o " + folder.path(""),
           "topology 'hosts(2, ring:4)' -o " + folder.path("x.edges"),
           "topology uniring:4 -o " + folder.path("x.edges")})
    expect_refused(run_weft(words_of(line)), line, "");
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
