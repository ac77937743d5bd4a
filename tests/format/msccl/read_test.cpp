// The reader of MSCCL XML: what people's files have, and what is refused, with its line.
#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/format/msccl.hpp"

namespace {

using namespace weft;
using format::msccl::Algorithm;
using format::msccl::Buffer;
using format::msccl::Protocol;
using format::msccl::Step;
using format::msccl::StepType;

// Two ranks exchange their halves and reduce, in the layout of msccl-tools: both ends' places are
// on both sides of a message, whatever a side itself uses.
const std::string kAllreduce = R"(<?xml version="1.0" encoding="utf-8"?>
<!-- written by hand -->
<algo name="pair" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allreduce" inplace="1" redop="sum" nthreads="256">
  <gpu id="1" i_chunks="2" o_chunks="2" s_chunks="1">
    <copy i_off="0" o_off="0"/>
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="99" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrc" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="2" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="3" type="r" srcbuf="i" srcoff="99" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu o_chunks='2' i_chunks='2'
       s_chunks='0' id='0'>
    <tb id="1" send="-1" recv="-1" chan="0">
      <step s="0" type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0" depid="0" deps="1" hasdep="0"></step>
    </tb>
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrc" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
      <step s="2" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="3" type="r" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

std::string with(const std::string& before, const std::string& after) {
  std::string text = kAllreduce;
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

std::string message_of(const std::string& text) {
  try {
    (void)format::msccl::read(text, "ar.xml");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "taken";
}

std::string refusal(const std::string& before, const std::string& after) {
  return message_of(with(before, after));
}

TEST(MscclRead, takes_what_writers_write) {
  const Algorithm algorithm = format::msccl::read(kAllreduce, "ar.xml");
  EXPECT_EQ(algorithm.name, "pair");
  EXPECT_EQ(algorithm.collective, "allreduce");
  EXPECT_EQ(algorithm.protocol, Protocol::simple);
  EXPECT_EQ(algorithm.chunks, 2);
  EXPECT_TRUE(algorithm.in_place);
  EXPECT_FALSE(algorithm.works_out_of_place());
  EXPECT_FALSE(algorithm.min_bytes || algorithm.max_bytes);
  ASSERT_EQ(algorithm.ranks(), 2);
  EXPECT_EQ(algorithm.steps(), 9);
  EXPECT_EQ(algorithm.gpus[0].line, 13);
  EXPECT_EQ(algorithm.gpus[1].scratch_chunks, 1);
  const Step& step = algorithm.gpus[0].blocks[0].steps[1];
  EXPECT_EQ(step.type, StepType::receive_reduce_copy);
  EXPECT_EQ(step.target.buffer, Buffer::input);
  EXPECT_TRUE(step.has_dependent);
  EXPECT_EQ(step.line, 20);
  EXPECT_EQ(algorithm.gpus[0].blocks[1].steps[0].depends_on.step, 1);
}

TEST(MscclRead, names_line_and_remedy) {
  EXPECT_EQ(refusal(R"(type="rrc")", R"(type="ra")"),
            "ar.xml:8: only early versions of MSCCL read type=\"ra\" (res_add); write re");
  EXPECT_EQ(refusal(R"( coll="allreduce")", R"( coll="allredcue")"),
            "ar.xml:3: unknown coll 'allredcue' of MSCCL; did you mean allreduce?");
  EXPECT_EQ(refusal(R"( chan="0")", ""),
            "ar.xml:6: <tb> has no chan; add chan=\"N\", N from 0 to 1023");
  EXPECT_EQ(refusal(R"(s="1" type="rrc")", R"(s="3" type="rrc")"),
            "ar.xml:8: s=\"3\" in place of step 1; number steps from 0 in their order");
  EXPECT_EQ(refusal(R"(dstoff="1" cnt="1")", R"(dstoff="1" cnt="2")"),
            "ar.xml:8: srcoff=\"1\" with cnt=\"2\" ends at chunk 3 of buffer i, which has 2 "
            "(i_chunks)");
}

struct Refused {
  const char *before, *after, *says;
};
class MscclRefusals : public testing::TestWithParam<Refused> {};

TEST_P(MscclRefusals, are_in_one_line) {
  const std::string message = refusal(GetParam().before, GetParam().after);
  EXPECT_NE(message.find(GetParam().says), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with("ar.xml:")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    OfFiles, MscclRefusals,
    testing::Values(
        Refused{R"(ngpus="2")", R"(ngpus="2000000000")", "the file has 2 <gpu>"},
        Refused{R"(ngpus="2")", R"(ngpus="-1")", "is not an integer from 1 to"},
        Refused{R"(inplace="1")", R"(inplace="yes")", "is not an integer from 0 to 1"},
        Refused{R"(inplace="1")", R"(inplace="1" inplace="1")", "is repeated"},
        Refused{R"(inplace="1")", R"(inplace="1" minbytes="1")", "write minBytes"},
        Refused{R"(inplace="1")", R"(inplace="1" minBytes="9" maxBytes="3")", "above"},
        Refused{R"(inplace="1")", R"(inplace="0" outofplace="0")",
                "inplace=\"0\" and outofplace=\"0\" exclude every call; set one"},
        Refused{R"(proto="Simple")", R"(proto="simple")", "known: Simple, LL128, LL"},
        Refused{R"(nchannels="1")", R"(nchannels="99999999999999999999")",
                "is not an integer from"},
        Refused{R"(s_chunks='0' id='0')", R"(s_chunks='0' id='1')", "gpu 1 is also in line 4"},
        Refused{R"(<gpu id="1")", R"(<gpu id="2")", "is not an integer from 0 to 1"},
        Refused{R"(i_chunks="2")", R"(i_chunks="99999999999")", "is not an integer from"},
        Refused{R"(<tb id="1")", R"(<tb id="2")", "without gaps"},
        Refused{R"(<tb id="1")", R"(<tb id="0")", "is also in line"},
        Refused{R"(send="0")", R"(send="1")", "the gpu itself"},
        Refused{R"(send="0")", R"(send="-1")", "without a peer to send to"},
        Refused{R"(recv="0")", R"(recv="-1")", "without a peer to receive from"},
        Refused{R"(recv="0")", R"(recv="2")", "is not an integer from -1 to 1"},
        Refused{R"(type="s")", R"(type="x")", "known: s, r, rcs, rrs, rrc, rrcs, cpy, re, nop"},
        Refused{R"(srcbuf="i")", R"(srcbuf="x")", "unknown srcbuf 'x'; known: i, o, s"},
        Refused{R"(srcoff="0")", R"(srcoff="-1")", "-1\", but a step of type s uses it"},
        Refused{R"(srcoff="0")", R"(srcoff="-2")", "is not an integer from -1 to"},
        Refused{R"(cnt="1")", R"(cnt="0")", "at least 1"},
        Refused{R"(depid="-1")", R"(depid="0")", "-1 for both"},
        Refused{R"(depid="-1")", R"(depid="-2")", "is not an integer from -1 to"},
        Refused{R"(hasdep="0")", R"(hasdep="2")", "is not an integer from 0 to 1"},
        Refused{"<copy i_off=\"0\" o_off=\"0\"/>", "<op/>", "later format"},
        Refused{"<copy i_off=\"0\" o_off=\"0\"/>", "<algo/>", "one algorithm"},
        Refused{"<copy i_off=\"0\" o_off=\"0\"/>", "12", "text in <gpu>"},
        Refused{"<copy i_off=\"0\" o_off=\"0\"/>", "<nic/>",
                "<nic> in <gpu>, which can have only <tb>"},
        Refused{"</step>", "<a/></step>", ">, which cannot have elements"},
        Refused{"</algo>", "</algo><algo/>", "check that this is one file"},
        Refused{"</algo>", "", "not XML"}));

TEST(MscclRead, refuses_what_other_parsers_read_otherwise) {
  EXPECT_EQ(refusal("<!-- written", "<!DOCTYPE algo>\n<!-- written"),
            "ar.xml:2: <!DOCTYPE> is not part of this format; remove it");
  EXPECT_EQ(refusal("name=\"pair\"", "name=\"&foo;\""),
            "ar.xml:3: the file is not XML: the entity &foo; is not defined; write its text");
  EXPECT_EQ(refusal("name=\"pair\"", "name=\"a & b\""),
            "ar.xml:3: the file is not XML: & begins a reference; write &amp; for the character");
  EXPECT_EQ(refusal("name=\"pair\"", "name=\"a<b\""),
            "ar.xml:3: the file is not XML: < in a value; write &lt;");
  EXPECT_EQ(refusal("name=\"pair\"", "name=\"a &amp; b &#65;&#x41;\""), "taken");
  EXPECT_EQ(refusal("written by hand", "R&D <of> \"hands"), "taken");
  EXPECT_EQ(refusal("</algo>\n", "</algo>\njunk"),
            "ar.xml:26: text is outside of <algo>; check that this is one file");
  EXPECT_EQ(refusal("</algo>\n", "</algo>\n</algo>").substr(0, 30),
            "ar.xml:26: the file is not XML");
  std::string wide = "\xff\xfe";
  for (const char c : kAllreduce) (wide += c) += '\0';
  EXPECT_EQ(message_of(wide), "ar.xml:1: the file has a zero byte, as in UTF-16; save it as UTF-8");
}

TEST(MscclRead, keeps_dependencies_for_the_checker) {
  EXPECT_EQ(refusal(R"(depid="-1" deps="-1")", R"(depid="7" deps="9")"), "taken");
}

}  // namespace
