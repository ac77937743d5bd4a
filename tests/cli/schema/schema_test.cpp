// weft schema: the schema of an answer accepts what the command prints, and nothing that it lacks.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::words_of;

bool is_of_type(const json& value, const std::string& type) {
  return type == "null"      ? value.is_null()
         : type == "string"  ? value.is_string()
         : type == "boolean" ? value.is_boolean()
         : type == "integer" ? value.is_number_integer()
         : type == "number"  ? value.is_number()
         : type == "array"   ? value.is_array()
                             : type == "object" && value.is_object();
}

// The keywords of JSON schema that weft schema writes. Adds the faults of a value.
void check(const json& schema, const json& value, const std::string& place,
           std::vector<std::string>& faults) {
  const json types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
  bool fits = false;
  for (const json& type : types) fits = fits || is_of_type(value, type);
  if (!fits) faults.push_back(place + " is " + value.dump().substr(0, 40));
  if (schema.contains("pattern") && value.is_string() &&
      !std::regex_match(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
    faults.push_back(place + " does not match");
  if (value.is_array() && schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i)
      check(schema["items"], value[i], place + "[]", faults);
  if (!value.is_object() || !schema.contains("properties")) return;
  for (const json& key : schema["required"])
    if (!value.contains(key)) faults.push_back(place + " lacks " + key.get<std::string>());
  for (const auto& [key, inner] : value.items())
    if (schema["properties"].contains(key))
      check(schema["properties"][key], inner, place + "." + key, faults);
    else
      faults.push_back(place + " has " + key);
}

std::vector<std::string> faults_of(const std::string& command, const std::string& line) {
  const auto schema = run_weft({"schema", command});
  EXPECT_EQ(schema.code, 0) << schema.err;
  const auto ran = run_weft(words_of(line + " --json"));
  EXPECT_EQ(ran.code, 0) << line << ran.err;
  std::vector<std::string> faults;
  check(json::parse(schema.out), json::parse(ran.out), "", faults);
  return faults;
}

TEST(SchemaCommand, accepts_what_economics_prints) {
  for (const char* line :
       {"economics --endpoints 100", "economics --routers 50", "economics --radix 36",
        "economics --radix 2", "economics hosts(2,2dfc:3x3)", "economics mesh:3"})
    EXPECT_EQ(faults_of("economics", line), std::vector<std::string>()) << line;
}

TEST(SchemaCommand, accepts_what_find_prints) {
  for (const char* line :
       {"find --nodes 16 --throughput --size 1MiB",
        "find --nodes 6 --degree 2 --one-way --steps 2..3", "find --nodes 15..17 --degree 3",
        "find --nodes 10 --degree 3 --for alltoall", "find --nodes 176 --degree 3"})
    EXPECT_EQ(faults_of("find", line), std::vector<std::string>()) << line;
}

TEST(SchemaCommand, refuses_other_answers) {
  const json schema = json::parse(run_weft({"schema", "economics"}).out);
  json answer = json::parse(run_weft({"economics", "--radix", "36", "--json"}).out);
  answer["rows"][0]["kind"] = 7;
  answer["rows"][1].erase("endpoints");
  answer["rows"][2]["bisection"] = "0.5";
  answer["more"] = 1;
  std::vector<std::string> faults;
  check(schema, answer, "", faults);
  EXPECT_EQ(faults,
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

TEST(SchemaCommand, says_which_commands_have_none) {
  const auto without = run_weft({"schema", "compare"});
  EXPECT_EQ(without.code, 2);
  EXPECT_EQ(without.out, "");
  EXPECT_EQ(without.err,
            "weft: weft compare has no schema yet (these commands have one: economics, find); see "
            "docs/reference/answers.md\n");
  const auto unknown = run_weft({"schema", "finds"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean find?"), std::string::npos) << unknown.err;
}

}  // namespace
