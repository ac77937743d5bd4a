// What the tests of graphs from files have in common.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/fabrics.hpp"

namespace weft::format {

using test::cables_of;
using test::GBps;
using test::import;
using test::refusal_of;
using Cables = std::multiset<std::string>;

/// A line a note.
inline std::string notes_of(const ImportedFabric& fabric) {
  std::string text;
  for (const topology::ImportNote& note : fabric.remarks) text += note.text + "\n";
  return text;
}

}  // namespace weft::format
