// The lines of a schedule's text above its first step.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "notation.hpp"
#include "weft/schedule/schedule.hpp"
#include "words.hpp"

namespace weft::schedule {

/// Collects the head line by line.
class Head {
 public:
  explicit Head(std::string_view file) : file_(file) {}

  /// Reads one line. Throws InvalidInput for an unknown or a repeated name, or a bad value.
  void read(Words& words);
  /// Checks the whole head. Throws InvalidInput for what is missing, and for values that do not fit
  /// each other, with the line of one of them.
  void complete();
  /// Returns the builder of the schedule, with its routes. Precondition: complete().
  ScheduleBuilder builder() const;

  // The following need complete(), too.
  Notation notation() const { return {collective_, options_.units_per_block, agents()}; }
  void set_units_per_block(std::int64_t units) { options_.units_per_block = units; }
  std::string_view file() const { return file_; }
  const Collective& collective() const { return collective_; }
  std::int64_t agents() const { return collective_.ranks + options_.helpers; }
  std::int64_t units_per_block() const { return options_.units_per_block; }
  std::int64_t routes() const { return static_cast<std::int64_t>(routes_.size()); }

 private:
  void read_value(const std::string& name, Words& words);
  void read_segments(Words& words);
  void read_nodes(Words& words);
  void read_route(Words& words);
  bool has(std::string_view name) const { return lines_.contains(name); }
  void require_given(std::string_view name, std::string_view example) const;
  void check_ends() const;
  void check_end(std::string_view name, bool wanted, std::int64_t rank) const;
  void check_fits() const;
  [[noreturn]] void fail(std::string_view name, std::string_view text) const;

  std::string_view file_;
  std::map<std::string, std::int64_t, std::less<>> lines_;  // where each name is
  Collective collective_;
  ScheduleOptions options_;
  std::vector<std::vector<LinkId>> routes_;
};

}  // namespace weft::schedule
