// Parameters of the LogGP model, as the pattern loggp of netgauge measures them, and the profile
// that follows from them.
//
// The program sends n messages of s bytes and gets one back, once without a pause (PRTT(n,0,s)) and
// once with a pause of PRTT(1,0,s) between messages. Its file (netgauge -x loggp -o FILE) has times
// in microseconds:
//
//   # size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
//   1 10 4.2 9.1 42.3 2.1 0.31 0.42 -nan -nan -nan
//
// (Hoefler, Lichei, Rehm, "Low-Overhead LogGP Parameter Assessment for Modern Interconnection
// Networks", IPDPS 2007.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/machine_model.hpp"

namespace weft::calibrate {

struct LogGPRow {
  std::int64_t line = 0, size_B = 0;
  double one_way_s = 0;              // half of PRTT(1,0,s)
  double send_s = 0, receive_s = 0;  // o_s and o_r
  double gap_s = 0;                  // from one message of a stream to its next
};

/// Whether the text is netgauge's: the file of the pattern loggp, or its log.
bool is_loggp_table(std::string_view text);

/// Throws InvalidInput with file and line; also for the log, whose numbers are those of the file.
std::vector<LogGPRow> read_loggp_table(std::string_view text, const std::string& path);

/// A value of the profile, and what determines it.
struct LogGPValue {
  std::string name;             // as in a profile: "host.startup"
  std::string text, base_text;  // "250ns"; "none" where the profile has none
  std::string from = {};        // "o_s of 1B, line 2"; or why it is not determined
  bool determined = true;
  bool at_limit = false;                       // a physical limit holds it
  std::vector<std::string> link_classes = {};  // if a payload: of these classes of the profile
};

struct LogGPFit {
  std::string base;  // name of the base profile
  std::vector<LogGPValue> values = {};
  /// By row: one message's time by the profile, through one switch.
  std::vector<double> predicted_s = {};
  std::string profile = {};  // the machine file
};

/// Sets the start-ups, the hosts' latency and the payload of the base profile. Small messages (up
/// to 1 KiB) determine the first, the slope of the gap over the largest sizes the last; a table
/// without such sizes leaves the value as it is. A rendezvous of the base profile takes what large
/// messages take beyond that. Rows are not empty. Throws InvalidInput where the base profile has no
/// line rates.
LogGPFit fit_loggp(const std::vector<LogGPRow>& rows, const MachineModel& base,
                   const std::string& path);

}  // namespace weft::calibrate
