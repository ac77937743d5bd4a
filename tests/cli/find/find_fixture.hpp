// weft find with a catalogue of the test's choice and an empty cache folder.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {

class FindFixture : public testing::Test {
 protected:
  void SetUp() override {
    setenv("WEFT_CATALOGUE", catalogue().c_str(), 1);
    setenv("XDG_CACHE_HOME", cache_.path("").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("WEFT_CATALOGUE");
    unsetenv("XDG_CACHE_HOME");
  }
  /// The folder of the catalogue: the shipped one.
  virtual std::string catalogue() const { return source_dir() + "/share/catalogue"; }

  const ScratchFolder cache_;
};

}  // namespace weft::test
