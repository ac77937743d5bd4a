// Text and pictures made fit to stand in an HTML page.
#include <array>

#include "weft/base/error.hpp"
#include "weft/report/page.hpp"

namespace weft::report {

namespace {

// Where ids are given and used in gnuplot's SVG; what follows is the id.
constexpr std::array<std::string_view, 7> kIdPlaces{
    " id='", " id=\"", "href='#", "href=\"#", "url(#", "aria-labelledby=\"", "aria-labelledby='"};

// The length of the place that begins at `at`, 0 when none does.
std::size_t id_place(std::string_view svg, std::size_t at) {
  WEFT_ASSERT(at <= svg.size());
  for (const std::string_view place : kIdPlaces)
    if (svg.substr(at).starts_with(place)) return place.size();
  return 0;
}

std::string_view svg_element(std::string_view svg) {
  const std::size_t first = svg.find("<svg"), last = svg.rfind("</svg>");
  require(first != std::string_view::npos && last != std::string_view::npos && first < last,
          "a picture is not an SVG (it has no <svg> element); draw it again");
  return svg.substr(first, last + 6 - first);
}

}  // namespace

std::string inline_svg(std::string_view svg, std::string_view prefix) {
  const std::string_view element = svg_element(svg);
  std::string html;
  html.reserve(element.size());
  for (std::size_t at = 0; at < element.size(); ++at) {
    const char c = element[at];
    const std::size_t length = c == ' ' || c == 'h' || c == 'u' ? id_place(element, at) : 0;
    if (length > 0) {
      html += element.substr(at, length);
      html += prefix;
      at += length - 1;
    } else {
      html += c;
    }
  }
  return html;
}

}  // namespace weft::report
