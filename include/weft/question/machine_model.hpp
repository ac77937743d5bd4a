// MachineModel: what a machine is like, measured or known, as a file says it: --machine FILE.
//
//   [host]
//   startup = "1.2us"                  as --alpha; startup_receive, ports, copy_bandwidth and
//   reduce_bandwidth = "8GBps"         reduce_bandwidth as their options
//   [links.all]                        or [links.CLASS], of a class of links
//   bandwidth = "100Gbps"
//   latency = "500ns"
//   [[links.all.sizes]]                messages of so many bytes and more
//   from = "16KiB"
//   latency = 3.1                      factors, as --factors
//   bandwidth = 0.94
//   [measured]
//   where = "two nodes of ..., Open MPI 4.1.4"
//   files = ["latency.txt"]
//   from = "1B"                        smallest and largest message
//   to = "4MiB"
//   [intervals]                        what the measurements leave open
//   startup = ["0s", "1.9us"]
//   "links.all.latency" = ["0s", "1.9us"]
//
// All of it may be left out. It stands for options: each table is read into the values of the
// fields that the options set, beneath those that were said.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/question/value.hpp"
#include "weft/schedule/message_sizes.hpp"
#include "weft/topology/topology.hpp"

namespace weft::question {

/// The sizes of the messages that were measured, bytes.
struct MeasuredSizes {
  std::int64_t first_B = 0, last_B = 0;
};

struct MachineModel {
  std::string path;   // as it was named
  Values values;      // link, factors, alpha, ...: text as options have it
  std::string where;  // it was measured; may be empty
  std::optional<MeasuredSizes> measured = {};
  std::vector<std::string> classes = {};  // of links, "all" apart
};

/// Throws InvalidInput with the line of what is wrong, and the nearest entry for an unknown one.
MachineModel parse_machine_model(std::string_view text, const std::string& path);

/// Puts the machine's values beneath those that were said; links that were said by class stand
/// beside its own. Returns the names of fields of both, which stay as they were said.
std::vector<std::string> put_beneath(const MachineModel& machine, Values& said);

/// Throws InvalidInput where the machine has a class of links that the topology lacks.
void require_classes(const MachineModel& machine, const Topology& topology);

/// What schedules send where a call is given `size_B`.
struct SentAt {
  std::int64_t size_B = 0;
  schedule::MessageSizes messages;
};

/// "messages down to 8KiB (at sizes up to 64KiB) lie outside what machine.toml was measured at
/// (64KiB to 1MiB)", in brackets the largest size that has smaller messages, or the smallest that
/// has larger ones; empty where no message does, or the file does not say.
std::string outside_text(const MachineModel& machine, std::span<const SentAt> sent);

}  // namespace weft::question
