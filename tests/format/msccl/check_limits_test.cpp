// What the readers of MSCCL XML refuse: limits of each profile, and text that they cannot read.
#include <gtest/gtest.h>

#include "support/gpu/msccl_builder.hpp"
#include "weft/base/error.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::format::msccl {
namespace {

TEST(MscclLimits, limits_of_profiles) {
  const auto limits = [](auto change, std::string_view profile) {
    Algorithm algorithm = test::msccl_direct_reduce_scatter(3);
    algorithm.collective = profile == "msccl" ? "reduce_scatter" : "reducescatter";
    if (profile == "msccl") algorithm.max_bytes = 1 << 30;
    change(algorithm);
    std::string text;
    for (const Finding& finding : limits_of(algorithm, find_profile(profile)))
      text += finding.text + "\n";
    return text;
  };
  const auto none = [](Algorithm&) {};
  EXPECT_EQ(limits(none, "msccl"), "");
  EXPECT_EQ(limits(none, "msccl-executor"), "");
  EXPECT_EQ(limits(none, "rccl"), "");
  const auto expect = [&](std::string_view profile, std::string_view part, auto change) {
    const std::string text = limits(change, profile);
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  };
  expect("msccl", "calls the collective", [](Algorithm& a) { a.collective = "reducescatter"; });
  expect("rccl", "calls the collective", [](Algorithm& a) { a.collective = "reduce_scatter"; });
  expect("rccl", "does not know", [](Algorithm& a) { a.collective = "custom"; });
  expect("rccl", "outofplace", [](Algorithm& a) { a.out_of_place = {}; });
  expect("rccl", "maxBytes", [](Algorithm& a) { a.max_bytes = {}; });
  expect("rccl", "never used", [](Algorithm& a) { a.min_bytes = 2, a.max_bytes = 1; });
  expect("msccl", "never uses the file", [](Algorithm& a) { a.max_bytes = 0; });
  expect("msccl", "bytes of scratch", [](Algorithm& a) { a.max_bytes = std::int64_t{1} << 60; });
  expect("msccl", "do not match", [](Algorithm& a) { a.chunks = 6; });
  expect("rccl", "thread blocks, more than 64", [](Algorithm& a) { a.gpus[0].blocks.resize(65); });
  expect("rccl", "thread blocks that send on channel", [](Algorithm& a) {
    a.gpus[0].blocks.resize(33, {.send_peer = 1, .steps = {}});
    for (ThreadBlock& block : a.gpus[0].blocks) block.send_peer = 1;
  });
  expect("rccl", "steps, more than 64", [](Algorithm& a) { a.gpus[0].blocks[0].steps.resize(65); });
  expect("rccl", "elements", [](Algorithm& a) {
    for (ThreadBlock& block : a.gpus[0].blocks) block.steps.resize(1400);
  });
  expect("rccl", "channels are 0 to 31", [](Algorithm& a) { a.gpus[0].blocks[0].channel = 32; });
  expect("rccl", "nchannels", [](Algorithm& a) { a.gpus[0].blocks[0].channel = 1; });
  expect("rccl", "chunks, more than 71",
         [](Algorithm& a) { a.gpus[0].blocks[0].steps[0].count = 72; });
  expect("rccl", "offset",
         [](Algorithm& a) { a.gpus[0].blocks[0].steps[0].source.offset = 32768; });
  expect("rccl", "8 bits", [](Algorithm& a) {
    a.gpus[0].blocks[0].steps[0].depends_on = {128, 0};
  });
  expect("rccl", "must itself have a dependency", [](Algorithm& a) {
    a.gpus[0].blocks[0].steps.insert(a.gpus[0].blocks[0].steps.begin(),
                                     {.type = StepType::nop, .depends_on = {1, 0}});
  });
  expect("rccl", "not waited for", [](Algorithm& a) {
    a.gpus[0].blocks[0].steps.push_back({.type = StepType::nop, .depends_on = {1, 0}});
  });
}

TEST(MscclLimits, text_that_the_readers_cannot_read) {
  const auto texts = [](std::string_view text) {
    std::string all;
    for (const Finding& finding : check_text(text, find_profile("msccl")))
      all += std::to_string(finding.line) + ": " + finding.text + "\n";
    return all;
  };
  EXPECT_EQ(texts("<!-- a > b -->\n<algo name=\"a b\" n=\"\">\n  <gpu id=\"0\"/>\n</algo>\n"), "");
  const auto expect = [&](std::string_view text, std::string_view part) {
    EXPECT_NE(texts(text).find(part), std::string::npos) << text << texts(text);
  };
  expect("<?xml version=\"1.0\"?>\n<a/>", "1: msccl: the declaration");
  expect("<a>\n<b  c=\"1\"/></a>", "2: msccl: exactly one blank must separate attributes");
  expect("<b\nc=\"1\"/>", "line break");
  expect("<b c='1'/>", "single");
  expect("<b c = \"1\"/>", "NAME=\"VALUE\"");
  expect("<b c=\"1\" />", "blank before the end");
  expect("<b c=1/>", "double quotes");
  expect("<b>text</b>", "not text");
  expect("<b>\t</b>", "tabs");
  expect("<b c=\"" + std::string(256, 'x') + "\"/>", "256 characters");
  std::string many = "<b";
  for (int a = 0; a < 17; ++a) many += " c=\"1\"";
  expect(many + "/>", "16 attributes");
  for (const char* broken : {"<", "<a b", "<a b=", "<a b=\"", "<!--", "<!", "</", "<a /"})
    EXPECT_NO_THROW(texts(broken));
}

TEST(MscclLimits, what_would_take_gigabytes_is_refused) {
  Algorithm algorithm = test::msccl_alltoall(2);
  algorithm.gpus[1].scratch_chunks = 1 << 28;
  EXPECT_THROW(check(algorithm), InvalidInput);
}

}  // namespace
}  // namespace weft::format::msccl
