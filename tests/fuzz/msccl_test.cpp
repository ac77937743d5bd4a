// MSCCL XML, damaged: what is taken is within its own bounds.
#include <gtest/gtest.h>

#include "fuzz/feed.hpp"
#include "weft/format/format.hpp"
#include "weft/format/msccl_check.hpp"

namespace {

using namespace weft;
using test::feed;
using test::Mutator;

const std::string kAllgather =
    R"(<algo name="a" proto="LL" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="0" outofplace="1" minBytes="0" maxBytes="0">
  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="1">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="1">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

const Mutator kDamage({"\"",
                       "<",
                       "/>",
                       "<step ",
                       "</tb>",
                       "<gpu ",
                       "<!--",
                       "]]>",
                       "&a;",
                       "<?xml",
                       "-1",
                       "2147483648",
                       "99999999999999999999",
                       "type=\"nop\"",
                       "type=\"rrs\"",
                       "type=\"re\"",
                       "srcbuf=\"s\"",
                       "coll=\"allreduce\"",
                       "inplace=\"1\"",
                       "0",
                       "1",
                       "2",
                       "3"});

void expect_within(const format::msccl::Gpu& gpu, const format::msccl::Place& place,
                   std::int32_t count, const std::string& text) {
  EXPECT_TRUE(place.offset >= 0 && place.offset <= gpu.chunks(place.buffer) - count) << text;
}

void expect_sound(const format::msccl::Gpu& gpu, const format::msccl::ThreadBlock& block,
                  const std::string& text) {
  for (const format::msccl::Step& step : block.steps) {
    if (reads_source(step.type)) expect_within(gpu, step.source, step.count, text);
    if (writes_target(step.type)) expect_within(gpu, step.target, step.count, text);
    EXPECT_TRUE(!sends(step.type) || block.send_peer >= 0) << text;
  }
}

// The check says something about whatever is read, and what it repairs is right.
void expect_checked(const format::msccl::Algorithm& algorithm, const std::string& text) {
  const auto report = format::msccl::check(algorithm);
  EXPECT_EQ(report.right(), report.faults == 0) << text;
  for (const auto& finding : report.findings) EXPECT_FALSE(finding.text.empty()) << text;
  const auto repair = format::msccl::fix(algorithm);
  EXPECT_TRUE(!repair.algorithm || format::msccl::check(*repair.algorithm).right()) << text;
}

TEST(Msccl, damaged_files_are_checked) {
  const auto& profile = format::msccl::find_profile("rccl");
  feed(5'000, {kAllgather}, kDamage, [&](const std::string& text) {
    format::msccl::check_text(text, profile);
    const auto algorithm = format::msccl::read(text, "damaged");
    format::msccl::limits_of(algorithm, profile);
    expect_checked(algorithm, text);
  });
}

TEST(Msccl, damaged_files_stay_within_bounds) {
  const int taken = feed(10'000, {kAllgather}, kDamage, [](const std::string& text) {
    const auto algorithm = format::msccl::read(text, "damaged");
    for (const auto& gpu : algorithm.gpus)
      for (const auto& block : gpu.blocks) expect_sound(gpu, block, text);
  });
  EXPECT_GT(taken, 20);
}

// Whatever is read is a schedule, a program or wrong, in one line.
TEST(Msccl, damaged_files_are_proved_or_wrong) {
  int taken = 0;
  feed(5'000, {kAllgather}, kDamage, [&](const std::string& text) {
    const auto read = format::find_format("msccl").read_collective(
        {.path = "damaged", .size_B = 64, .read = [&](const std::string&) { return text; }});
    ++taken;
    const auto* const fault = std::get_if<program::ProgramFault>(&read.outcome);
    EXPECT_TRUE(fault == nullptr || fault->text.find('\n') == std::string::npos) << text;
  });
  EXPECT_GT(taken, 20);
}

}  // namespace
