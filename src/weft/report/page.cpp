#include "weft/report/page.hpp"

#include <fmt/format.h>

#include <iterator>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/xml.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/report/page/frame.hpp"

namespace weft::report {

namespace {

std::string mark_of(const Verdict& verdict) {
  return fmt::format("{} {}{}", sign_of(verdict.mark), words_of(verdict.mark),
                     verdict.fails ? ", fails" : "");
}

std::string cell(std::string_view text, const char* css_class) {
  return fmt::format("<td class=\"{}\">{}</td>", css_class, escape_xml(text));
}

// A cell that says on a phone, where there are no columns, what it holds.
std::string named_cell(std::string_view name, std::string_view text) {
  return fmt::format("<td class=\"long {0}\" data-name=\"{0}\">{1}</td>", name, escape_xml(text));
}

// With how far ours may lie from it.
std::string printed(const Claim& claim) {
  const bool number =
      claim.form != Claim::Form::below && fields::read_number(claim.wanted).has_value();
  if (number && claim.within && *claim.within > 0)
    return fmt::format("{} ±{:.3g}", study::show_printed(claim), *claim.within);
  const bool near = number && !claim.is_bound() && claim.tolerance > 0;
  return near ? fmt::format("{} ±{:.3g} %", study::show_printed(claim), 100 * claim.tolerance)
              : study::show_printed(claim);
}

std::string claims_table(const PageSection& section) {
  const std::vector<Claim>& claims = section.experiment->claims;
  WEFT_ASSERT(claims.size() == section.verdicts.size());
  if (claims.empty()) return {};
  std::string html =
      "<h3>Claims</h3>\n<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"Claims\">"
      "<table class=\"claims\">\n<thead><tr><th scope=\"col\">verdict</th><th "
      "scope=\"col\">claim</th><th scope=\"col\">ours</th><th scope=\"col\">printed</th><th "
      "scope=\"col\">source</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Verdict& verdict = section.verdicts[i];
    const std::string note =
        verdict.detail.empty()
            ? std::string()
            : fmt::format("<br><span class=\"soft\">{}</span>", escape_xml(verdict.detail));
    fmt::format_to(std::back_inserter(html),
                   "<tr><td class=\"verdict {}\">{}</td><td class=\"long\">{}{}</td>{}{}{}</tr>\n",
                   verdict.fails ? "fails" : name_of(verdict.mark), mark_of(verdict),
                   escape_xml(claims[i].text), note, named_cell("ours", verdict.ours),
                   named_cell("printed", printed(claims[i])),
                   named_cell("source", claims[i].source));
  }
  return html + "</tbody></table></div>\n";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string line;
  for (const std::string& text : texts) line += (line.empty() ? "" : ", ") + text;
  return line;
}

const std::vector<std::string>& values_of(const Axis& axis, const PageSection& section) {
  for (const Axis& other : section.experiment->replacements(section.grid))
    if (other.name == axis.name) return other.values;
  return axis.values;
}

std::string parameters_table(const PageSection& section) {
  std::string html = "<h3>Parameters</h3>\n<div class=\"box\"><table class=\"facts\">\n<tbody>\n";
  const auto line = [&](std::string_view name, std::string_view value) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>{}</tr>\n", escape_xml(name),
                        cell(value, "long"));
  };
  for (const Axis& axis : section.experiment->axes)
    line(axis.name, joined(values_of(axis, section)));
  std::size_t failed = 0, missing = 0;
  for (const ResultRow& row : section.results->rows) {
    failed += row.error.empty() ? 0 : 1;
    missing += row.missing ? 1 : 0;
  }
  std::string rows =
      fmt::format("{} ({} grid)", section.results->rows.size(), name_of(section.grid));
  if (failed > 0) rows += fmt::format(", {} failed", failed);
  if (missing > 0) rows += fmt::format(", {} not run", missing);
  line("rows", rows);
  line("file", section.experiment->path);
  return html + "</tbody></table></div>\n";
}

// The panels beside or below each other, as the page has room, and then their key.
std::string pictures(const PageChart& chart, const std::string& prefix) {
  std::string html;
  for (std::size_t i = 0; i < chart.svgs.size(); ++i)
    html +=
        fmt::format("<div{}>{}</div>", i > 0 && i + 1 == chart.svgs.size() ? " class=\"key\"" : "",
                    inline_svg(chart.svgs[i], fmt::format("{}p{}-", prefix, i)));
  return html;
}

std::string figures(const PageSection& section, std::size_t number) {
  std::string html;
  for (std::size_t i = 0; i < section.charts.size(); ++i) {
    const PageChart& chart = section.charts[i];
    const std::string title = escape_xml(chart.title);
    const bool named = chart.title != section.experiment->title;  // else it stands above
    fmt::format_to(std::back_inserter(html),
                   "<figure>{}<div class=\"box chart{}\" tabindex=\"0\" role=\"region\" "
                   "aria-label=\"{}\">{}</div></figure>\n",
                   named ? "<figcaption>" + title + "</figcaption>" : "",
                   chart.svgs.size() == 1 ? " alone" : "", title,
                   pictures(chart, fmt::format("s{}c{}", number, i)));
  }
  return html;
}

std::string section_of(const PageSection& section, std::size_t number,
                       const std::string& page_title) {
  WEFT_ASSERT(section.experiment != nullptr && section.results != nullptr);
  const Experiment& experiment = *section.experiment;
  std::string html = fmt::format("<section id=\"s{}\">\n", number);
  if (experiment.title != page_title)
    html += fmt::format("<h2>{}</h2>\n", escape_xml(experiment.title));
  if (!experiment.source.empty())
    html += fmt::format("<p class=\"soft\">{}</p>\n", escape_xml(experiment.source));
  if (!experiment.description.empty())
    html += fmt::format("<p class=\"description\">{}</p>\n", escape_xml(experiment.description));
  if (!section.source.empty())
    html += fmt::format("<p class=\"soft\">{}</p>\n", escape_xml(section.source));
  return html + claims_table(section) + figures(section, number) + parameters_table(section) +
         "</section>\n";
}

Tally tally_of(std::span<const PageSection> sections) {
  Tally tally;
  for (const PageSection& section : sections)
    for (std::size_t i = 0; i < section.verdicts.size(); ++i) {
      WEFT_ASSERT(i < section.experiment->claims.size());
      tally.add(section.experiment->claims[i], section.verdicts[i]);
    }
  return tally;
}

// "14 claims: 12 ✓ met, ...".
std::string totals(const std::vector<PageSection>& sections) {
  const Tally tally = tally_of(sections);
  return tally.printed() + tally.own() == 0 ? "No claims." : text_of(tally) + ".";
}

// "12 ✓, 2 ✗, 1 fails": all claims of one experiment, in a list of many.
std::string signs(const PageSection& section) {
  const Tally tally = tally_of({&section, 1});
  std::string text;
  for (const ClaimMark mark : kClaimMarks)
    if (const std::size_t count = tally.printed(mark) + tally.own(mark); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, sign_of(mark));
  if (tally.failing() > 0)
    text += fmt::format(", {} {}", tally.failing(), tally.failing() == 1 ? "fails" : "fail");
  return text;
}

std::string contents(const std::vector<PageSection>& sections) {
  if (sections.size() < 2) return {};
  std::string html = "<nav aria-label=\"Experiments\"><ul>\n";
  for (std::size_t i = 0; i < sections.size(); ++i)
    html += fmt::format("<li><a href=\"#s{}\">{}</a> <span class=\"soft\">{}</span></li>\n", i,
                        escape_xml(sections[i].experiment->title), signs(sections[i]));
  return html + "</ul></nav>\n";
}

}  // namespace

std::string page_of(const std::string& title, const std::vector<PageSection>& sections) {
  std::string body = contents(sections);
  for (std::size_t i = 0; i < sections.size(); ++i) body += section_of(sections[i], i, title);
  return framed(title, totals(sections), body);
}

}  // namespace weft::report
