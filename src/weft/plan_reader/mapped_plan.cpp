#include "weft/plan_reader/mapped_plan.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <vector>

#include "weft/base/file.hpp"

namespace weft::plan {

using layout::kFirstLine;
using layout::kFirstLineLength;
using layout::kFrontLength;

namespace {

// A plan is said to be of at most so many ranks, and its counts to be below this, so that no sum
// of them overflows.
constexpr double kMostSeconds = 1e9;  // 31 years
constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
// Units of all segments of a schedule's line, and steps of all segments, are below these: offsets
// are computed of the first, and a process walks through the second.
constexpr std::int64_t kMostUnits = std::int64_t{1} << 62;
constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;

bool is_too_long(const layout::ScheduleEntry& schedule, std::int64_t blocks) {
  std::int64_t units = 0;
  return __builtin_mul_overflow(blocks, schedule.units_per_block, &units) ||
         __builtin_mul_overflow(units, schedule.segments, &units) || units > kMostUnits ||
         schedule.stored_steps + (schedule.segments - 1) * schedule.stride > kMostSteps;
}

// The number in columns [at, at + digits) of the second line; nothing where there is none.
bool read_number(std::string_view line, std::size_t at, std::size_t digits, int base,
                 std::uint64_t& value) {
  value = 0;
  for (const char c : line.substr(at, digits)) {
    int digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (base == 16 && c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (digit < 0) return false;
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit);
  }
  return true;
}

std::string_view map_file(const std::string& path) {
  const int fd =
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO is refused, not waited for
  struct stat status {};
  const bool is_open = fd >= 0 && ::fstat(fd, &status) == 0;
  const std::string reason = is_open ? "" : std::strerror(errno);
  const bool is_file = is_open && S_ISREG(status.st_mode);
  void* address = MAP_FAILED;
  if (is_file && status.st_size > 0)
    address =
        ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0) ::close(fd);
  if (!is_open) throw BadPlan("cannot read '" + path + "': " + reason);
  if (!is_file) throw BadPlan("'" + path + "' is not a regular file");
  if (status.st_size == 0) throw BadPlan("'" + path + "' is empty");
  if (address == MAP_FAILED) throw BadPlan("cannot map '" + path + "': " + std::strerror(errno));
  return {static_cast<const char*>(address), static_cast<std::size_t>(status.st_size)};
}

std::uint64_t fnv(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// A bijection of 64 bits in which each depends on all. Source: Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014 (its finalizer).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t next) {
  return mixed(hash + 0x9e3779b97f4a7c15u + mixed(next));
}

// Of a message's units, neighbours joined: a receiver may take them in smaller parts.
std::uint64_t hash_of(std::span<const layout::Units> units) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < units.size();) {
    const std::int64_t first = units[i].first;
    std::int64_t end = first;
    for (; i < units.size() && units[i].first == end; ++i) end += units[i].count;
    hash = mixed(mixed(hash, static_cast<std::uint64_t>(first)), static_cast<std::uint64_t>(end));
  }
  return hash;
}

}  // namespace

void MappedPlan::fail(const std::string& why) const {
  throw BadPlan("'" + path_ + "' " + why);
}

MappedPlan::MappedPlan(const std::string& path, MatrixChecks checks)
    : path_(path), bytes_(map_file(path)), checks_(checks) {
  try {
    check_front();
    check_directory();
  } catch (const BadPlan&) {
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    throw;
  }
  hash_ = fnv(bytes_.substr(0, directory_end_));
}

MappedPlan::~MappedPlan() {
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void MappedPlan::check_front() {
  constexpr std::string_view kBegin = "weft plan ";
  if (!bytes_.starts_with(kBegin)) fail("is not a plan file; weft plan ... -o FILE writes one");
  if (!bytes_.starts_with(kFirstLine) && !bytes_.starts_with(layout::kFirstLineOfCounts))
    fail("has another version (this weft reads versions up to " + std::to_string(layout::kVersion) +
         "); make the plan again");
  if (bytes_.size() < kFrontLength) fail("is truncated");
  const std::string_view line = bytes_.substr(kFirstLineLength, layout::kSecondLineLength);
  std::uint64_t text = 0, directory = 0, file = 0, checksum = 0;
  if (!line.starts_with("text ") || line.substr(15, 11) != " directory " ||
      line.substr(36, 6) != " file " || line.substr(62, 10) != " checksum " ||
      !line.ends_with('\n') || !read_number(line, 5, 10, 10, text) ||
      !read_number(line, 26, 10, 10, directory) || !read_number(line, 42, 20, 10, file) ||
      !read_number(line, 72, 8, 16, checksum))
    fail("was edited or damaged in its second line");
  if (file != bytes_.size())
    fail("has " + std::to_string(bytes_.size()) + " bytes instead of " + std::to_string(file) +
         "; it is truncated or damaged");
  directory_offset_ = kFrontLength + text;
  directory_end_ = directory_offset_ + directory;
  if (directory_end_ > bytes_.size() || directory_offset_ % layout::kAlignment != 0 ||
      directory % layout::kAlignment != 0)
    fail("was edited or damaged in its second line");
  const std::string_view checked = bytes_.substr(kFrontLength, directory_end_ - kFrontLength);
  if (weft::checksum(checked) != checksum) fail("was edited or damaged (its checksum differs)");
  text_ = bytes_.substr(kFrontLength, text);
  while (text_.ends_with('\n')) text_.remove_suffix(1);
}

void MappedPlan::check_directory() {
  std::uint64_t at = directory_offset_;
  const auto take = [&]<class T>(std::uint64_t count, const T*& first) {
    if (count > kMost || count * sizeof(T) > directory_end_ - at)
      fail("is damaged: its directory is shorter than its header states");
    first = reinterpret_cast<const T*>(bytes_.data() + at);
    at += count * sizeof(T);
  };
  take(1, directory_);
  const layout::Directory& directory = *directory_;
  if (directory.ranks == 0 || directory.ranks >= kMost) fail("is damaged: it has no ranks");
  if (directory.hosts != 0 && directory.hosts != directory.ranks)
    fail("is damaged: its numbers of hosts and ranks differ");
  if (directory.counts != 0 && bytes_.starts_with(kFirstLine))
    fail("is damaged: version 1 has no counts");
  const layout::ScheduleEntry* schedules = nullptr;
  const layout::RangeEntry* ranges = nullptr;
  const layout::Part* parts = nullptr;
  const layout::Counts* counts = nullptr;
  const layout::Text* hosts = nullptr;
  const char* names = nullptr;
  take(directory.schedules, schedules);
  take(directory.ranges, ranges);
  take(std::uint64_t{directory.schedules} * directory.ranks, parts);
  take(directory.counts, counts);
  take(directory.hosts, hosts);
  take(directory.names_length, names);
  schedules_ = {schedules, directory.schedules};
  ranges_ = {ranges, directory.ranges};
  parts_ = {parts, std::size_t{directory.schedules} * directory.ranks};
  counts_ = {counts, directory.counts};
  hosts_ = {hosts, directory.hosts};
  names_ = {names, directory.names_length};
  const auto is_name = [&](layout::Text text) {
    return std::uint64_t{text.offset} + text.length <= names_.size();
  };
  for (const layout::ScheduleEntry& each : schedules_)
    if (each.kind >= kKinds || each.root < 0 || each.root >= ranks() || each.storage != 0 ||
        each.units_per_block < 1 || each.units_per_block > (1 << 20) || each.segments < 1 ||
        each.segments > (1 << 20) || each.stride < 0 || each.stride > (1 << 20) ||
        each.stored_steps < 0 || each.stored_steps > kMostSteps ||
        is_too_long(each, blocks(each)) || !is_name(each.name))
      fail("is damaged: a schedule is out of range");
  are_checked_ = std::make_unique<std::atomic<bool>[]>(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const layout::Counts& each = counts_[i];
    if (!is_name(each.name)) fail("is damaged: its counts have no name");
    check_counts(each);
    const bool is_matrix = each.kind == static_cast<std::uint32_t>(Kind::alltoall);
    if (is_matrix && checks_ == MatrixChecks::when_used) continue;
    check_starts(each);
    are_checked_[i] = true;
  }
  for (const layout::RangeEntry& each : ranges_) check_range(each);
  if (std::ranges::count_if(ranges_, [](const layout::RangeEntry& each) {
        return each.counts != 0 && each.kind == static_cast<std::uint32_t>(Kind::alltoall);
      }) > static_cast<std::ptrdiff_t>(kMostMatrices))
    fail("has more counts of alltoallv than the " + std::to_string(kMostMatrices) +
         " that ranks can agree on");
  for (const layout::Part& each : parts_)
    if (each.offset % layout::kAlignment != 0 || each.offset < directory_end_ ||
        each.offset > bytes_.size() || each.length > bytes_.size() - each.offset)
      fail("is damaged: a program lies outside the file");
  if (!std::ranges::all_of(hosts_, is_name)) fail("is damaged: a host has no name");
}

void MappedPlan::check_range(const layout::RangeEntry& range) const {
  if (range.kind >= kKinds || range.root < -1 || range.root >= ranks() || range.schedule < -1 ||
      range.schedule >= static_cast<std::int64_t>(schedules_.size()) ||
      (range.root >= 0) != is_rooted(static_cast<Kind>(range.kind)) || range.first_B < 0 ||
      range.last_B < range.first_B || range.timed_B < 0 ||
      !(range.time_s >= 0 && range.time_s <= kMostSeconds) ||  // no number fails, too
      (range.schedule >= 0 && schedules_[range.schedule].kind != range.kind) ||
      (range.schedule >= 0 && range.root >= 0 && schedules_[range.schedule].root != range.root))
    fail(
        "is damaged: a size range, its timed size or its time is out of range; make the plan "
        "again");
  if (range.counts > counts_.size() ||
      (range.counts > 0 && counts_[range.counts - 1].kind != range.kind))
    fail("is damaged: a size range has counts of another collective, or none");
}

void MappedPlan::check_counts(const layout::Counts& counts) const {
  const std::uint64_t room = bytes_.size() / sizeof(std::int64_t);
  const auto kind = static_cast<Kind>(counts.kind);
  if (counts.kind >= kKinds || !takes_counts(kind)) fail("is damaged: its counts are of no call");
  if (std::uint64_t{directory_->ranks} * directory_->ranks > room && kind == Kind::alltoall)
    fail("is damaged: its counts lie outside the file");
  const auto needed = static_cast<std::uint64_t>(blocks(kind)) + 1;
  if (counts.offset % layout::kAlignment != 0 || counts.offset < directory_end_ ||
      counts.offset > bytes_.size() ||
      needed > (bytes_.size() - counts.offset) / sizeof(std::int64_t))
    fail("is damaged: its counts lie outside the file");
}

// Blocks begin in their order, and some have bytes.
void MappedPlan::check_starts(const layout::Counts& counts) const {
  const std::span<const std::int64_t> all = starts(counts);
  if (weft::checksum(bytes_.substr(counts.offset, all.size_bytes())) != counts.checksum)
    fail("was edited or damaged (the checksum of its counts differs)");
  if (all.front() != 0 || all.back() < 1 || all.back() > kMostUnits || !std::ranges::is_sorted(all))
    fail("is damaged: its counts are out of range");
}

void MappedPlan::check_blocks(const layout::RangeEntry& range) const {
  std::atomic<bool>& is_checked = are_checked_[range.counts - 1];
  if (is_checked.load(std::memory_order_relaxed)) return;
  check_starts(counts_[range.counts - 1]);
  is_checked.store(true, std::memory_order_relaxed);
}

bool MappedPlan::has_counts(Kind kind) const {
  return std::ranges::any_of(counts_, [&](const layout::Counts& each) {
    return each.kind == static_cast<std::uint32_t>(kind);
  });
}

std::span<const std::int64_t> MappedPlan::starts(const layout::Counts& counts) const {
  return {reinterpret_cast<const std::int64_t*>(bytes_.data() + counts.offset),
          static_cast<std::size_t>(blocks(static_cast<Kind>(counts.kind))) + 1};
}

const layout::RangeEntry* MappedPlan::range(Kind kind, std::int32_t root,
                                            std::int64_t size_B) const {
  for (const layout::RangeEntry& each : ranges_)
    if (each.kind == static_cast<std::uint32_t>(kind) && each.counts == 0 &&
        (each.root < 0 || each.root == root) && size_B >= each.first_B && size_B <= each.last_B)
      return &each;
  return nullptr;
}

std::int64_t MappedPlan::blocks(Kind kind) const {
  const auto count = static_cast<std::int64_t>(ranks());
  return traits_of(kind).by_pair ? count * count : count;
}

ProgramView MappedPlan::program(std::int32_t schedule, std::int32_t rank) const {
  const layout::Part& part = parts_[static_cast<std::size_t>(schedule) * directory_->ranks +
                                    static_cast<std::size_t>(rank)];
  const std::string_view bytes = bytes_.substr(part.offset, part.length);
  if (weft::checksum(bytes) != part.checksum)
    fail("was edited or damaged (the checksum of a program differs)");
  if (bytes.size() < sizeof(layout::Program)) fail("is damaged: a program is too short");
  const auto& counts = *reinterpret_cast<const layout::Program*>(bytes.data());
  const std::uint64_t messages = std::uint64_t{counts.sends} + counts.receives;
  if (sizeof(layout::Program) + messages * sizeof(layout::Message) +
          std::uint64_t{counts.units} * sizeof(layout::Units) !=
      bytes.size())
    fail("is damaged: a program does not have the length that its header states");
  const auto* first =
      reinterpret_cast<const layout::Message*>(bytes.data() + sizeof(layout::Program));
  const auto* units = reinterpret_cast<const layout::Units*>(first + messages);
  const ProgramView view{
      {first, counts.sends}, {first + counts.sends, counts.receives}, {units, counts.units}};
  check(schedules_[static_cast<std::size_t>(schedule)], view);
  return view;
}

std::uint64_t MappedPlan::ends(std::int32_t schedule, std::int32_t rank) const {
  const ProgramView view = program(schedule, rank);
  std::uint64_t sum = 0;
  std::vector<layout::Message> messages;
  for (const bool sends : {true, false}) {
    const auto& all = sends ? view.sends : view.receives;
    messages.assign(all.begin(), all.end());
    // Those of two ranks and a step meet in their order, whatever is between.
    const auto place = [](const layout::Message& each) { return std::tuple(each.step, each.peer); };
    std::ranges::stable_sort(messages, {}, place);
    std::uint64_t turn = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const layout::Message& each = messages[i];
      turn = i > 0 && place(each) == place(messages[i - 1]) ? turn + 1 : 0;
      const auto from = static_cast<std::uint32_t>(sends ? rank : each.peer);
      const auto to = static_cast<std::uint32_t>(sends ? each.peer : rank);
      std::uint64_t hash = hash_of(view.units_of(each));
      for (const std::uint64_t part :
           {static_cast<std::uint64_t>(static_cast<std::uint32_t>(schedule)),
            std::uint64_t{each.step}, std::uint64_t{from}, std::uint64_t{to}, turn})
        hash = mixed(hash, part);
      sum += sends ? hash : -hash;
    }
  }
  return sum;
}

void MappedPlan::check(const layout::ScheduleEntry& schedule, const ProgramView& program) const {
  const bool reduces = traits_of(static_cast<Kind>(schedule.kind)).reduces;
  const auto combines = [&](const layout::Message& message) {
    return std::ranges::any_of(program.units_of(message), [](const layout::Units& units) {
      return units.combine != layout::Combine::copy;
    });
  };
  const std::int64_t line = blocks(schedule) * schedule.units_per_block;
  for (const layout::Units& each : program.units)
    if (each.first < 0 || each.count < 1 || each.first > line || each.count > line - each.first ||
        each.combine > layout::Combine::arrives_right)
      fail("is damaged: a program moves units that do not exist");
  for (const auto& messages : {program.sends, program.receives}) {
    std::uint32_t step = 0;
    for (const layout::Message& each : messages) {
      if (each.peer < 0 || each.peer >= ranks() || each.step < step ||
          each.step >= schedule.stored_steps ||
          std::uint64_t{each.first} + each.count > program.units.size())
        fail("is damaged: a program has a message out of range");
      step = each.step;
    }
  }
  if (std::ranges::any_of(program.sends, combines) ||
      (!reduces && std::ranges::any_of(program.receives, combines)))
    fail("is damaged: a program has a reduction that is not allowed");
}

}  // namespace weft::plan
