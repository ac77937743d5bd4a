// The findings of one check, up to a number of each severity, so that a file of which every step is
// wrong gives a short answer and no gigabytes of text.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "weft/format/msccl_check.hpp"

namespace weft::format::msccl {

class Findings {
 public:
  explicit Findings(std::size_t most) : most_(most) {}

  /// Adds what `make` returns. It is not called if there are enough findings of this severity.
  template <class Make>
  void add(Severity severity, Make make) {
    ++counts_[static_cast<std::size_t>(severity)];
    std::vector<Finding>& list = lists_[static_cast<std::size_t>(severity)];
    if (list.size() >= most_) return;
    Finding finding = make();
    finding.severity = severity;
    keep(list, std::move(finding));
  }

  /// From now on findings that are already there are dropped, and others get this suffix.
  void repeat_as(std::string suffix) { suffix_ = std::move(suffix); }

  std::int64_t count(Severity severity) const {
    return counts_[static_cast<std::size_t>(severity)];
  }
  /// Moves everything into the report.
  void move_to(Report& report);

 private:
  void keep(std::vector<Finding>& list, Finding finding);

  std::size_t most_;
  std::string suffix_;
  std::array<std::vector<Finding>, 3> lists_;
  std::array<std::int64_t, 3> counts_{};
};

}  // namespace weft::format::msccl
