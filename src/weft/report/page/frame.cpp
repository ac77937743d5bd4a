#include "weft/report/page/frame.hpp"

#include <fmt/format.h>

#include "weft/base/version.hpp"
#include "weft/base/xml.hpp"
#include "weft/report/page/page_style.hpp"
#include "weft/rows/row.hpp"

namespace weft::report {

std::string framed(std::string_view title, std::string_view in_short, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n"
      "<body>\n<main>\n<h1>{0}</h1>\n<p class=\"totals\">{2}</p>\n"
      "<p class=\"soft\">weft {3}, models of version {4}</p>\n{5}</main>\n</body>\n</html>\n",
      escape_xml(title), kPageStyle, escape_xml(in_short), version(), rows::kModelVersion, body);
}

}  // namespace weft::report
