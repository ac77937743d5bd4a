// docs/reference/network-files.md names every key of a network in a file.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;

std::string reference_page(const std::string& name) {
  return read_text(weft::test::source_dir() + "/docs/reference/" + name + ".md");
}

TEST(NetworkFilesDocument, names_every_key_of_a_network) {
  const ScratchFolder folder;
  const std::string document = reference_page("network-files");
  ASSERT_EQ(run_weft({"topology", "hosts(1, ring:3)", "-o", folder.path("a.json")}).code, 0);
  const json network = json::parse(read_text(folder.path("a.json")));
  for (const auto& [key, value] : network.items())
    EXPECT_NE(document.find("`" + key + "`"), std::string::npos) << key;
}

}  // namespace
