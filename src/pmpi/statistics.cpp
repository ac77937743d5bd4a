#include "pmpi/statistics.hpp"

#include <mutex>

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

}  // namespace

void count_call(CallKey key, std::uint64_t bytes) {
  const std::scoped_lock lock(mutex);
  CallCount& count = counts()[std::move(key)];
  ++count.calls;
  count.bytes += bytes;
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

}  // namespace weft::pmpi
