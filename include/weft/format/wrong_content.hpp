// The error for a file that is well-formed and cannot be used: an offset outside of its buffer, two
// GPUs with one number, a step type that does not exist.
//
// Commands exit with 1, and with 2 for text that is not well-formed. A check of the file reports
// the error as its finding.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::format {

/// A position in a file for GPUs. -1 or 0: unknown.
struct ContentPlace {
  std::int32_t line = 0, rank = -1, block = -1, step = -1;
};

class WrongContent : public InvalidInput {
 public:
  /// `message` has the file and the place, `text` the problem alone.
  WrongContent(const std::string& message, std::string text, ContentPlace place = {})
      : InvalidInput(message), text_(std::move(text)), place_(place) {}

  const std::string& text() const { return text_; }
  const ContentPlace& place() const { return place_; }

 private:
  std::string text_;
  ContentPlace place_;
};

}  // namespace weft::format
