#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/calibrate/profile/loggp.hpp"
#include "weft/calibrate/table_lines.hpp"

namespace weft::calibrate {

namespace {

constexpr std::string_view kLogGPColumns = "PRTT(1,0,s)";
constexpr double kMicrosecond = 1e-6;
// size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G); what a first size
// cannot determine is -nan.
enum LogGPColumn : std::uint8_t { kBytes, kSent, kOne, kStream, kPaused, kL, kSend, kReceive };
constexpr std::size_t kLogGPWidth = 11;

double loggp_seconds(const TableLine& line, const RowReader& reader, LogGPColumn column,
                     std::string_view name) {
  const double time_s = reader.value(line, column, name) * kMicrosecond;
  if (time_s > kMostSeconds)
    reader.fail(line, std::string(name) + " is too long; check that the unit is microseconds");
  return time_s;
}

LogGPRow loggp_row(const TableLine& line, const RowReader& reader) {
  reader.require_width(line, kLogGPWidth);
  LogGPRow row{.line = line.number, .size_B = reader.size(line, kBytes)};
  const double messages = reader.value(line, kSent, "the number of messages");
  if (messages < 2)
    reader.fail(line, "a stream of 1 message has no gap; measure with 2 messages or more");
  const double one_s = loggp_seconds(line, reader, kOne, kLogGPColumns);
  const double stream_s = loggp_seconds(line, reader, kStream, "PRTT(n,0,s)");
  if (stream_s <= one_s) reader.fail(line, "n messages took no longer than 1; measure again");
  row.one_way_s = one_s / 2;
  row.gap_s = (stream_s - one_s) / (messages - 1);
  row.send_s = loggp_seconds(line, reader, kSend, "o_s");
  row.receive_s = loggp_seconds(line, reader, kReceive, "o_r");
  return row;
}

}  // namespace

bool is_loggp_table(std::string_view text) {
  for (const std::string_view line : split(text, '\n'))
    if (line.find(kLogGPColumns) != std::string_view::npos ||
        (line.starts_with('#') && line.find("Netgauge v") != std::string_view::npos))
      return true;
  return false;
}

std::vector<LogGPRow> read_loggp_table(std::string_view text, const std::string& path) {
  require(text.find(kLogGPColumns) != std::string_view::npos,
          "{}: the file is the log of netgauge; give the file that netgauge -x loggp -o FILE "
          "writes",
          path);
  const RowReader reader(path);
  std::vector<LogGPRow> rows;
  for (const TableLine& line : table_lines(text, path)) {
    if (line.remark) continue;
    rows.push_back(loggp_row(line, reader));
    if (rows.size() > 1 && rows.back().size_B <= rows[rows.size() - 2].size_B)
      reader.fail(line, "sizes do not increase; give one measurement at a time");
  }
  require(!rows.empty(), "{}: the table of netgauge has no rows", path);
  return rows;
}

}  // namespace weft::calibrate
