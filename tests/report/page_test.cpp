// The page: escapes, unique ids, verdicts.
#include "weft/report/page.hpp"

#include <gtest/gtest.h>

#include "support/results.hpp"
#include "weft/base/error.hpp"
#include "weft/base/xml.hpp"

namespace weft::report {

namespace {

TEST(EscapeXml, leaves_nothing_that_html_reads) {
  EXPECT_EQ(escape_xml("<a href='x'>\"&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;");
  EXPECT_EQ(escape_xml("2 µs"), "2 µs");
}

TEST(InlineSvg, drops_the_prologue_and_makes_ids_unique) {
  const std::string svg =
      "<?xml version='1.0'?>\n<svg viewBox=\"0 0 1 1\"><g id='a'/><use xlink:href='#a' id=\"b\"/>"
      "<path clip-path='url(#b)'/><text>grid='#a'</text></svg>\n";
  EXPECT_EQ(inline_svg(svg, "p-"),
            "<svg viewBox=\"0 0 1 1\"><g id='p-a'/><use xlink:href='#p-a' id=\"p-b\"/>"
            "<path clip-path='url(#p-b)'/><text>grid='#a'</text></svg>");
}

TEST(InlineSvg, refuses_what_is_no_svg) {
  EXPECT_THROW(inline_svg("<html></html>", "p"), InvalidInput);
  EXPECT_THROW(inline_svg("</svg><svg>", "p"), InvalidInput);
}

TEST(Page, says_what_was_claimed_and_found) {
  Experiment experiment;
  experiment.title = "A & B";
  experiment.path = "a<b>.toml";
  experiment.axes = {{.name = "algorithm", .values = {"ring", "<i>"}}};
  experiment.claims.resize(2);
  experiment.claims[0].text = "x < y";
  experiment.claims[0].wanted = "0.0027";
  const Results results = test::joined(experiment, {{{{"algorithm", std::string("ring")}}, {}}});
  const std::vector<Verdict> verdicts{
      {.mark = ClaimMark::explained, .ours = "1.5ms", .detail = "why <not>"},
      {.mark = ClaimMark::open, .fails = true, .ours = "2ms"}};
  const std::string page = page_of(
      "Title & more",
      {{.experiment = &experiment, .results = &results, .verdicts = verdicts, .charts = {}}});
  for (const char* part :
       {"<title>Title &amp; more</title>", "A &amp; B", "x &lt; y", "why &lt;not&gt;",
        "2.700ms ±1 %", "≠ explained", "✗ open, fails", "2 claims", "ring, &lt;i&gt;",
        "1 (standard grid), 1 not run", "a&lt;b&gt;.toml", "name=\"viewport\""})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  // Totals before anything else; ours has a name where a phone has no columns.
  EXPECT_LT(page.find("2 claims"), page.find("models of version"));
  EXPECT_NE(page.find("data-name=\"ours\">1.5ms"), std::string::npos);
}

TEST(Page, tells_the_marks_of_each_of_several_experiments) {
  Experiment first, second;
  first.title = "First";
  second.title = "Second";
  first.claims.resize(3);
  first.claims[2].kind = Claim::Kind::own;
  const Results results = test::joined(first, {});
  const std::vector<Verdict> verdicts{
      {.mark = ClaimMark::met}, {.mark = ClaimMark::open, .fails = true}, {.mark = ClaimMark::met}};
  const std::string page = page_of(
      "Both", {{.experiment = &first, .results = &results, .verdicts = verdicts, .charts = {}},
               {.experiment = &second, .results = &results, .verdicts = {}, .charts = {}}});
  EXPECT_NE(page.find(">First</a> <span class=\"soft\">2 ✓, 1 ✗, 1 fails</span>"),
            std::string::npos);
  EXPECT_NE(page.find(">Second</a> <span class=\"soft\"></span>"), std::string::npos);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

// An experiment alone on a page that bears its name, with a chart of that name: it is shown once.
TEST(Page, has_one_title) {
  Experiment experiment;
  experiment.title = "Rings";
  const Results results = test::joined(experiment, {});
  const PageSection section{.experiment = &experiment,
                            .results = &results,
                            .verdicts = {},
                            .charts = {{"Rings", {"<svg><title>Rings</title></svg>"}}}};
  const std::string alone = page_of("Rings", {section});
  EXPECT_EQ(count(alone, "<h1>Rings</h1>"), 1U);
  EXPECT_EQ(count(alone, "<h2>"), 0U);
  EXPECT_EQ(count(alone, "<figcaption>"), 0U);
  const std::string two = page_of("All", {section, section});
  EXPECT_EQ(count(two, "<h2>Rings</h2>"), 2U);
}

}  // namespace

}  // namespace weft::report
