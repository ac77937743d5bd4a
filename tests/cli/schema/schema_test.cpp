// weft schema: the schema of an answer accepts what the command prints, and nothing that it lacks.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"
#include "support/process/schema_faults.hpp"
#include "support/process/source_dir.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/schedule.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::schema_faults;
using weft::test::words_of;

// The lines of a file beside this one, without remarks.
std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines;
  std::ifstream file(weft::test::source_dir() + "/tests/cli/schema/" + name);
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
  EXPECT_FALSE(lines.empty());
  return lines;
}
// Command lines, after "weft".
std::vector<std::string> lines() {
  return lines_of("lines.txt");
}

void replace(std::string& line, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = line.find(part, at)) != std::string::npos; at += by.size())
    line.replace(at, part.size(), by);
}

// Runs the commands of a line, joined by &&, and returns what the last one prints. Each OUT is the
// folder.
weft::test::Ran run_line(std::string line, const std::string& folder) {
  for (const char* before : {" ", ":"}) replace(line, before + std::string("OUT"), before + folder);
  for (const char* tree : {"examples/", "reproduction/", "tests/"})
    for (const char* before : {" ", ":"})
      replace(line, before + std::string(tree), before + weft::test::source_dir() + "/" + tree);
  std::size_t first = 0;
  for (std::size_t end = 0; (end = line.find(" && ", first)) != std::string::npos; first = end + 4)
    run_weft(words_of(line.substr(first, end - first)));
  return run_weft(words_of(line.substr(first) + " --json"));
}

// The command whose answer the line prints.
std::string command_of(const std::string& line) {
  const std::size_t last = line.rfind(" && ");
  return words_of(last == std::string::npos ? line : line.substr(last + 4)).front();
}

// What the schema of the command does not accept.
std::vector<std::string> faults_in(const std::string& command, const std::string& answer) {
  return schema_faults(json::parse(run_weft({"schema", command}).out), json::parse(answer));
}

// Lines by the command whose answer they print.
std::map<std::string, std::vector<std::string>> lines_by_command() {
  std::map<std::string, std::vector<std::string>> by_command;
  for (const std::string& line : lines()) by_command[command_of(line)].push_back(line);
  return by_command;
}
std::vector<std::string> commands() {
  std::vector<std::string> commands;
  for (const auto& [command, lines] : lines_by_command()) commands.push_back(command);
  return commands;
}

// The keys of a command that unprinted.txt has.
std::set<std::string> unprinted(const std::string& command) {
  std::set<std::string> keys;
  for (const std::string& line : lines_of("unprinted.txt"))
    if (const auto words = words_of(line); words.at(0) == command) keys.insert(words.at(1));
  return keys;
}

bool is_inside(const std::string& key, const std::set<std::string>& others) {
  return std::ranges::any_of(others, [&](const std::string& other) {
    return key.starts_with(other + '.') || key.starts_with(other + '[');
  });
}

class SchemaOf : public testing::TestWithParam<std::string> {};

// Each answer fits, and together the answers have every key of the schema; unprinted.txt names the
// rest.
TEST_P(SchemaOf, describes_what_the_command_prints) {
  const json schema = json::parse(run_weft({"schema", GetParam()}).out);
  std::set<std::string> printed;
  const auto by_command = lines_by_command();
  for (const std::string& line : by_command.at(GetParam())) {
    const weft::test::ScratchFolder folder;
    const auto ran = run_line(line, folder.path());
    ASSERT_FALSE(ran.out.empty()) << line << '\n' << ran.err;
    const json answer = json::parse(ran.out);
    EXPECT_EQ(schema_faults(schema, answer), std::vector<std::string>()) << line;
    printed.merge(weft::test::keys_in(schema, answer));
  }
  std::set<std::string> missing, outermost;
  std::ranges::set_difference(weft::test::keys_of(schema), printed,
                              std::inserter(missing, missing.end()));
  for (const std::string& key : missing)
    if (!is_inside(key, missing)) outermost.insert(key);
  EXPECT_EQ(outermost, unprinted(GetParam()))
      << "a key that no line of lines.txt prints: add a line, take the key out of the table of "
         "parts, or name it in unprinted.txt with a reason";
}

INSTANTIATE_TEST_SUITE_P(Commands, SchemaOf, testing::ValuesIn(commands()));

// A command with a schema that lines.txt leaves out is `where`, whose answer depends on the build.
TEST(SchemaCommand, is_tested_for_every_command) {
  std::set<std::string> with_schema;
  const auto listed = run_weft({"schema", "schema"}).err;
  const std::string list = listed.substr(listed.find("one: ") + 5);
  for (std::string name : words_of(list)) {
    std::erase_if(name, [](char c) { return c == ',' || c == '\n'; });
    with_schema.insert(name);
  }
  const std::vector<std::string> tested = commands();
  for (const std::string& name : tested) with_schema.erase(name);
  EXPECT_EQ(with_schema, std::set<std::string>{"where"});
  if (const auto ran = run_weft({"where", "pmpi", "--json"}); ran.code == 0) {  // it was built
    EXPECT_EQ(faults_in("where", ran.out), std::vector<std::string>());
  }
}

// No rank gets the block of the other.
TEST(SchemaCommand, accepts_an_incorrect_schedule) {
  const weft::test::ScratchFolder folder;
  const std::string file = folder.path("a.weft");
  weft::schedule::save(weft::ScheduleBuilder(weft::schedule::allgather(2)).build(), file);
  const auto ran = run_weft({"verify", file, "--json"});
  ASSERT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["fault"]["message"], nullptr);
  EXPECT_EQ(faults_in("verify", ran.out), std::vector<std::string>());
}

TEST(SchemaCommand, refuses_other_answers) {
  const json schema = json::parse(run_weft({"schema", "economics"}).out);
  json answer = json::parse(run_weft({"economics", "--radix", "36", "--json"}).out);
  answer["rows"][0]["kind"] = 7;
  answer["rows"][1].erase("endpoints");
  answer["rows"][2]["bisection"] = "0.5";
  answer["more"] = 1;
  EXPECT_EQ(schema_faults(schema, answer),
            (std::vector<std::string>{" has more", ".rows[].kind is 7", ".rows[] lacks endpoints",
                                      ".rows[].bisection does not match"}));
}

TEST(SchemaCommand, names_units_and_meanings) {
  const json schema = json::parse(run_weft({"schema", "economics", "--json"}).out);
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["properties"]["optical_m"]["description"],
            "length of all optical cables, in metres");
  EXPECT_EQ(schema["properties"]["prices"]["properties"]["name"]["type"], "string");
}

TEST(SchemaCommand, says_which_commands_have_one) {
  const auto without = run_weft({"schema", "schema"});
  EXPECT_EQ(without.code, 2);
  EXPECT_EQ(without.out, "");
  EXPECT_TRUE(without.err.starts_with("weft: weft schema has no schema")) << without.err;
  EXPECT_NE(without.err.find("compare, "), std::string::npos) << without.err;
  const auto unknown = run_weft({"schema", "finds"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean find?"), std::string::npos) << unknown.err;
}

}  // namespace
