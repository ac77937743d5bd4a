#include "pmpi/statistics.hpp"

#include <mutex>
#include <sstream>

#include "pmpi/settings.hpp"

namespace weft::pmpi {

namespace {

std::mutex mutex;

std::map<CallKey, CallCount>& counts() {
  static std::map<CallKey, CallCount> all;
  return all;
}

std::string size_text(int size_class) {
  if (size_class == 0) return "0B";
  const int power = size_class - 1;
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  return std::to_string(1 << (power % 10)) + units[power / 10];
}

// Between tabs, in one line.
std::string field(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  return text;
}

}  // namespace

void count_call(CallKey key, const CallCount& call) {
  const std::scoped_lock lock(mutex);
  CallCount& count = counts()[std::move(key)];
  count.calls += call.calls;
  count.bytes += call.bytes;
  count.time_s += call.time_s;
}

void print_statistics(bool dry_run) {
  const std::scoped_lock lock(mutex);
  say(dry_run ? "calls of rank 0, all run natively; with the plan they would have run:"
              : "calls of rank 0:");
  for (const auto& [key, count] : counts())
    say("  " + key.communicator + "  " + key.collective + "  from " + size_text(key.size_class) +
        "  " + std::to_string(count.calls) + " calls  " + std::to_string(count.bytes) + " bytes  " +
        key.schedule);
}

std::string profile_lines(int rank) {
  const std::scoped_lock lock(mutex);
  std::ostringstream lines;
  lines.precision(9);
  for (const auto& [key, count] : counts())
    lines << rank << '\t' << field(key.communicator) << '\t' << key.members << '\t'
          << key.collective << '\t'
          << (key.size_class == 0 ? 0 : std::uint64_t{1} << (key.size_class - 1)) << '\t'
          << count.calls << '\t' << count.bytes << '\t' << count.time_s << '\t'
          << field(key.schedule) << '\n';
  return lines.str();
}

}  // namespace weft::pmpi
