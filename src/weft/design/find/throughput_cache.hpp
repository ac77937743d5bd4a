// Throughputs that were computed before, kept in a file: values of large networks take minutes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "weft/design/find/find_question.hpp"

namespace weft::design {

class ThroughputCache {
 public:
  /// Of this file; without a name nothing is kept. What another version of weft wrote, or what
  /// cannot be read, is forgotten.
  explicit ThroughputCache(std::string path);

  /// The value of the expression's network, where it is known within the gap.
  std::optional<KnownThroughput> find(const std::string& expression, double gap) const;
  /// Keeps it, on file too; a file that cannot be written is done without.
  void add(const std::string& expression, const KnownThroughput& value);

 private:
  std::string path_;
  std::map<std::string, KnownThroughput> values_;
};

}  // namespace weft::design
