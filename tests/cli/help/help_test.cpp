// The help of all commands: what it says, in which order, and on how many lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"

namespace weft::cli {
namespace {

using test::run_weft;

class HelpTexts : public testing::Test {
 protected:
  ~HelpTexts() override { ::unsetenv("COLUMNS"); }

  static std::string shown(const std::vector<std::string>& words, const char* columns = "100000") {
    ::setenv("COLUMNS", columns, 1);
    return run_weft(words).out;
  }

  static std::vector<std::string> commands() {
    std::vector<std::string> found;
    const std::string help = shown({"--help"});
    const std::regex line("\n  ([a-z][a-z-]*)  ");
    for (std::sregex_iterator at(help.begin(), help.end(), line), end; at != end; ++at)
      found.push_back((*at)[1]);
    return found;
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// A line under a heading, before the notes and the examples.
struct Entry {
  std::string name, text;
};

std::vector<Entry> entries_of(const std::string& help) {
  std::vector<Entry> entries;
  for (const std::string& line : lines_of(help.substr(0, help.find("Examples:")))) {
    if (!line.starts_with("  ")) continue;
    const std::size_t text = line.find_first_not_of(' ', std::min(line.find("  ", 2), line.size()));
    if (line[2] != ' ') entries.push_back({line.substr(2, line.find("  ", 2) - 2), ""});
    if (text != std::string::npos) entries.back().text += line.substr(text);
  }
  return entries;
}

bool is_option(const Entry& entry) {
  return entry.name.starts_with('-');
}

TEST_F(HelpTexts, name_the_value_first) {
  std::size_t options = 0;
  const std::regex bad_opening("^(Of|What|Whether|By|So many|Which|How) .*");
  for (const std::string& command : commands())
    for (const Entry& entry : entries_of(shown({command, "--help-all"}))) {
      const std::string where = command + " " + entry.name + ": " + entry.text;
      options += is_option(entry) ? 1 : 0;
      EXPECT_GE(entry.text.size(), 8u) << where;
      EXPECT_LE(entry.text.size(), 260u) << where;
      EXPECT_FALSE(std::regex_match(entry.text, bad_opening)) << where;
      EXPECT_FALSE(entry.text.ends_with('.')) << where;
      EXPECT_EQ(entry.text.find("[]"), std::string::npos) << where;
      EXPECT_EQ(entry.text.find("] ["), std::string::npos) << where;
    }
  EXPECT_GT(options, 400u);
}

TEST_F(HelpTexts, of_every_command_fit_a_screen) {
  for (const std::string& command : commands()) {
    const std::vector<std::string> lines = lines_of(shown({command, "--help"}, "100"));
    EXPECT_LE(lines.size(), 45u) << command;
    for (const std::string& line : lines) {
      const bool is_command = line.starts_with("  weft ") || line.starts_with("    ");
      EXPECT_TRUE(is_command || line.size() <= 110) << line;  // bytes; some characters have three
    }
  }
}

TEST_F(HelpTexts, begin_with_the_most_used_options) {
  const std::string help = shown({"compare", "--help"});
  EXPECT_LT(help.find("\nMost used:\n"), help.find("\nOptions:\n"));
  for (const char* option : {"--sizes", "--link", "--machine", "--chart"}) {
    EXPECT_LT(help.find(option), help.find("\nOptions:\n")) << option;
  }
}

TEST_F(HelpTexts, show_rare_options_with_help_all_alone) {
  const std::string common = shown({"compare", "--help"}), all = shown({"compare", "--help-all"});
  for (const char* option :
       {"--radix", "--packet-size", "--rendezvous", "--sharing", "--threads"}) {
    EXPECT_EQ(common.find(option), std::string::npos) << option;
    EXPECT_NE(all.find(option), std::string::npos) << option;
  }
  std::size_t in_common = 0, in_all = 0;
  for (const Entry& entry : entries_of(common)) in_common += is_option(entry) ? 1 : 0;
  for (const Entry& entry : entries_of(all)) in_all += is_option(entry) ? 1 : 0;
  // --topology is an argument, too, and --help-all shows it twice.
  const std::string more = std::to_string(in_all - in_common - 1);
  EXPECT_NE(common.find("`weft compare --help-all` shows " + more + " more options."),
            std::string::npos)
      << common;
  EXPECT_EQ(all.find("`weft compare --help-all`"), std::string::npos);
}

TEST_F(HelpTexts, of_algorithms_name_no_long_lists) {
  const std::string all = shown({"schedule", "--help-all"});
  EXPECT_NE(all.find("Algorithm of the lanes of node-lanes; see weft list algorithms ["),
            std::string::npos);
}

TEST_F(HelpTexts, wrap_descriptions_to_the_screen) {
  const std::string narrow = shown({"compare", "--help"}, "60");
  for (const std::string& line : lines_of(narrow))
    EXPECT_TRUE(!line.starts_with(std::string(27, ' ')) || line.size() <= 60) << line;
  const auto words = [](std::string text) {
    text = std::regex_replace(text, std::regex("\\s+"), " ");
    return text.substr(0, text.find(" Signs:"));
  };
  EXPECT_EQ(words(narrow), words(shown({"compare", "--help"})));
}

TEST_F(HelpTexts, end_with_tasks_and_their_commands) {
  for (const std::string& command : commands()) {
    if (command == "help" || command == "version") continue;
    const std::string help = shown({command, "--help"});
    const std::size_t examples = help.find("Examples:\n");
    ASSERT_NE(examples, std::string::npos) << command;
    const std::vector<std::string> lines = lines_of(help.substr(examples));
    ASSERT_GE(lines.size(), 3u) << command;
    EXPECT_TRUE(lines[1].starts_with("  # ")) << command << ": " << lines[1];
    EXPECT_NE(help.find("weft " + command, examples), std::string::npos) << command;
  }
}

TEST_F(HelpTexts, list_the_commands_by_task_on_whole_lines) {
  const std::string help = shown({"--help"}, "100");
  for (const char* heading :
       {"\nPredict times on a network:\n", "\nChoose a network:\n", "\nMake and check schedules:\n",
        "\nWork with real machines:\n", "\nRun studies:\n", "\nLook things up:\n"})
    EXPECT_NE(help.find(heading), std::string::npos) << heading;
  EXPECT_EQ(commands().size(), 32u);
  for (const std::string& command : commands())
    EXPECT_NE(help.find("\n  " + command + "  "), std::string::npos) << command;
  for (const std::string& line : lines_of(help)) {
    EXPECT_FALSE(line.starts_with("    ")) << "goes on: " << line;
    EXPECT_FALSE(line.ends_with('.') && line.starts_with("  ")) << line;
  }
}

TEST_F(HelpTexts, are_the_same_for_help_and_help_all_of_the_program) {
  EXPECT_EQ(shown({"--help-all"}), shown({"--help"}));
}

TEST_F(HelpTexts, of_no_command_show_where_to_begin) {
  const test::Ran ran = run_weft({});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_LE(lines_of(ran.err).size(), 12u);
  for (const char* text : {"weft compare", "weft topology", "weft design", "weft train",
                           "`weft --help` lists all commands"})
    EXPECT_NE(ran.err.find(text), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace weft::cli
