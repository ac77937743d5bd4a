// Tables of parts: the members, columns, JSON and schema that come from one table.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "weft/answer/columns.hpp"
#include "weft/answer/json.hpp"
#include "weft/answer/part.hpp"
#include "weft/topology/topology.hpp"

namespace {

using namespace weft::answer;
using nlohmann::ordered_json;
using weft::LinkId;
using weft::Rational;

struct Cable {
  double metres = 0;
};

struct Answer {
  std::string name = "ring";
  int nodes = 8;
  bool exact = true;
  double time_s = 1.234e-5;
  Rational load{7, 8};
  std::optional<int> diameter = {};  // null
  std::optional<int> girth = {};     // left out
  std::optional<Cable> longest = {};
  std::vector<Cable> cables = {{1}, {2.5}};
  std::vector<std::string> notes = {"a"};
  std::vector<std::vector<int>> orders = {{0, 1}, {1, 0}};
  std::vector<std::optional<double>> gaps = {0.5, std::nullopt};
  std::vector<std::pair<std::string, std::int64_t>> bytes = {{"leaf-spine", 4}, {"nic", 2}};
  OneOrList<std::int64_t> rate{{100}};
  std::vector<std::pair<std::string, Cable>> by_class = {{"nic", {2}}};
  std::optional<std::vector<Cable>> spare = {};
  LinkId link{3};
};

Parts<Cable> cable_parts() {
  constexpr PartOf<Cable> part;
  return {part("metres", "m", Unit::metres, "length", &Cable::metres).decimals(1)};
}

Parts<Answer> answer_parts() {
  constexpr PartOf<Answer> part;
  return join({part("name", "name", Unit::none, "its name", &Answer::name),
               part("nodes", "nodes", Unit::none, "number of nodes", &Answer::nodes),
               part("exact", "", Unit::none, "whether it is exact", &Answer::exact),
               part("time", "time", Unit::seconds, "time of a call", &Answer::time_s),
               part("load", "T_B", Unit::none, "load", &Answer::load),
               part("diameter", "diameter", Unit::none, "diameter", &Answer::diameter),
               part("girth", "girth", Unit::none, "girth", &Answer::girth).left_out(),
               part.object("longest", "the longest cable", &Answer::longest, cable_parts()),
               part.list("cables", "all cables", &Answer::cables, cable_parts()),
               part("words", "", Unit::none, "notes", &Answer::notes),
               part.line("both", [](const Answer& a) { return a.name + "!"; })},
              part.within(&Answer::longest, cable_parts()));
}

Parts<Answer> nested_parts() {
  constexpr PartOf<Answer> part;
  return {part("orders", "", Unit::none, "orders of dimensions", &Answer::orders),
          part("gaps", "", Unit::none, "gaps, or null", &Answer::gaps),
          part("bytes", "", Unit::bytes, "bytes by class", &Answer::bytes),
          part("rate", "", Unit::none, "one rate, or several", &Answer::rate),
          part.map("by_class", "longest by class", &Answer::by_class, cable_parts()),
          part.list("spare", "spare cables, or null", &Answer::spare, cable_parts()),
          part("link", "", Unit::none, "index of a link", &Answer::link)};
}

TEST(Parts, are_json_in_the_order_of_their_table) {
  EXPECT_EQ(ordered_json::parse(to_json(Node{members_of(Answer{}, answer_parts())})).dump(),
            R"({"name":"ring","nodes":8,"exact":true,"time":1.234e-05,"load":"7/8",)"
            R"("diameter":null,"longest":null,"cables":[{"metres":1.0},{"metres":2.5}],)"
            R"("words":["a"]})");
  const Answer full{.diameter = 4, .girth = 8, .longest = Cable{2.5}};
  const auto json = ordered_json::parse(to_json(Node{members_of(full, answer_parts())}));
  EXPECT_EQ(json["diameter"], 4);
  EXPECT_EQ(json["girth"], 8);
  EXPECT_EQ(json["longest"]["metres"], 2.5);
  EXPECT_EQ(json["metres"], 2.5);  // the part within
}

TEST(Parts, may_be_nested) {
  EXPECT_EQ(
      ordered_json::parse(to_json(Node{members_of(Answer{}, nested_parts())})).dump(),
      R"({"orders":[[0,1],[1,0]],"gaps":[0.5,null],"bytes":{"leaf-spine":4,"nic":2},"rate":100,)"
      R"("by_class":{"nic":{"metres":2.0}},"spare":null,"link":3})");
  const Answer more{.rate = {{100, 400}}, .spare = std::vector<Cable>{{1}}};
  const auto json = ordered_json::parse(to_json(Node{members_of(more, nested_parts())}));
  EXPECT_EQ(json["rate"].dump(), "[100,400]");
  EXPECT_EQ(json["spare"].dump(), R"([{"metres":1.0}])");
}

TEST(Parts, are_columns_for_people_and_for_programs) {
  const std::vector<Answer> answers{{}, {.name = "line", .diameter = 7, .longest = Cable{3}}};
  const std::array<Column, 7> columns{
      {{"time"}, {"load"}, {"name", "network"}, {"diameter"}, {"girth"}, {"metres"}, {"nodes"}}};
  const Cells people = cells_of<Answer>(answers, answer_parts(), columns, Reader::person);
  using Row = std::vector<std::string>;
  EXPECT_EQ(people.heading, (Row{"time", "T_B", "network", "diameter", "girth", "m", "nodes"}));
  EXPECT_EQ(people.rows[0], (Row{"12.34us", "7/8 = 0.875", "ring", "", "", "", "8"}));
  EXPECT_EQ(people.rows[1], (Row{"12.34us", "7/8 = 0.875", "line", "7", "", "3.0", "8"}));
  const Cells programs =
      without_empty_columns(cells_of<Answer>(answers, answer_parts(), columns, Reader::program));
  EXPECT_EQ(programs.heading, (Row{"time", "load", "network", "diameter", "metres", "nodes"}));
  EXPECT_EQ(programs.rows[0], (Row{"1.234e-05", "7/8", "ring", "", "", "8"}));
}

TEST(Parts, are_lines_of_facts_where_they_have_a_label) {
  const auto facts = facts_of(Answer{}, answer_parts());
  ASSERT_EQ(facts.size(), 7);  // name, nodes, time, T_B, diameter, girth, both; no cable within
  EXPECT_EQ(facts[2], (std::pair<std::string, std::string>{"time", "12.34us"}));
  EXPECT_EQ(facts.back().second, "ring!");
}

TEST(Schema, has_types_absences_and_units_of_the_table) {
  const std::array shapes{Shape{.parts = texts_of(answer_parts())}};
  const auto schema = ordered_json::parse(schema_of("ask", shapes));
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const auto& properties = schema["properties"];
  EXPECT_EQ(properties["nodes"]["type"], "integer");
  EXPECT_EQ(properties["exact"]["type"], "boolean");
  EXPECT_EQ(properties["time"]["description"], "time of a call, in s");
  EXPECT_EQ(properties["load"]["type"], "string");
  EXPECT_EQ(properties["diameter"]["type"], (ordered_json{"integer", "null"}));
  EXPECT_EQ(properties["girth"]["type"], "integer");
  EXPECT_EQ(properties["cables"]["items"]["properties"]["metres"]["type"], "number");
  EXPECT_EQ(properties["words"]["items"]["type"], "string");
  EXPECT_EQ(schema["required"],
            (ordered_json{"command", "version", "seed", "name", "nodes", "exact", "time", "load",
                          "diameter", "longest", "cables", "words", "notes"}));
  EXPECT_EQ(schema["additionalProperties"], false);
}

TEST(Schema, has_items_maps_and_alternatives) {
  const std::array shapes{Shape{"many", texts_of(nested_parts())},
                          Shape{"one", texts_of(cable_parts())}};
  const auto schema = ordered_json::parse(schema_of("ask", shapes));
  EXPECT_EQ(schema["anyOf"][1]["title"], "one");
  EXPECT_TRUE(schema["anyOf"][1]["properties"].contains("metres"));
  const auto& properties = schema["anyOf"][0]["properties"];
  EXPECT_EQ(properties["orders"]["items"]["items"]["type"], "integer");
  EXPECT_EQ(properties["gaps"]["items"]["type"], (ordered_json{"number", "null"}));
  EXPECT_EQ(properties["bytes"]["additionalProperties"]["type"], "integer");
  EXPECT_EQ(properties["rate"]["anyOf"][0]["type"], "integer");
  EXPECT_EQ(properties["rate"]["anyOf"][1]["items"]["type"], "integer");
  EXPECT_EQ(properties["by_class"]["additionalProperties"]["required"], ordered_json{"metres"});
  EXPECT_EQ(properties["spare"]["type"], (ordered_json{"array", "null"}));
}

TEST(Schema, has_the_unit_before_exceptions) {
  EXPECT_EQ(description_of({.key = "time",
                            .label = {},
                            .unit = Unit::seconds,
                            .meaning = "time of a call; null if it has none"}),
            "time of a call, in s; null if it has none");
  EXPECT_EQ(description_of({.key = "time",
                            .label = {},
                            .unit = Unit::seconds,
                            .meaning = "time of a call, or null"}),
            "time of a call, in s, or null");
}

TEST(Json, has_the_frame_around_the_members) {
  const Frame frame{.command = "ask", .seed = 18446744073709551615U, .notes = {"bad \xff byte"}};
  const auto json = ordered_json::parse(to_json(frame, {{"member", {Value(true)}}}));
  EXPECT_EQ(json["command"], "ask");
  EXPECT_EQ(json["seed"], 18446744073709551615U);
  EXPECT_EQ(json["member"], true);
  EXPECT_EQ(json["notes"][0], "bad \xef\xbf\xbd byte");
}

TEST(Json, has_no_seed_where_there_is_none) {
  const auto json = ordered_json::parse(to_json({.command = "ask", .seed = std::nullopt}, {}));
  EXPECT_FALSE(json.contains("seed"));
  const std::array shapes{Shape{.parts = {}, .has_seed = false}};
  const auto schema = ordered_json::parse(schema_of("ask", shapes));
  EXPECT_EQ(schema["required"], (ordered_json{"command", "version", "notes"}));
}

// Columns that the user names may hold anything.
TEST(Json, has_values_of_any_type) {
  struct Row {
    std::vector<std::pair<std::string, Value>> cells;
  };
  constexpr PartOf<Row> part;
  const Parts<Row> parts{part("cells", "", Unit::none, "cells by column", &Row::cells)};
  const Row row{{{"size", std::int64_t{8}}, {"time", 0.5}, {"algorithm", "ring"}, {"ours", {}}}};
  EXPECT_EQ(ordered_json::parse(to_json(Node{members_of(row, parts)})).dump(),
            R"({"cells":{"size":8,"time":0.5,"algorithm":"ring","ours":null}})");
  EXPECT_EQ(parts[0].text.items.front().type, Type::any);
}

TEST(Show, uses_the_unit) {
  EXPECT_EQ(show(Value(std::int64_t{65536}), Unit::bytes), "64KiB");
  EXPECT_EQ(show(Value(1.234e9), Unit::bytes_per_second), "1.234GB/s");
  EXPECT_EQ(show(Value(2.0 / 3)), "0.666667");
  EXPECT_EQ(show(Value(Rational(3))), "3");
  EXPECT_EQ(show_decimals(Value(2.0 / 3), 2), "0.67");
  EXPECT_EQ(show(Value()), "");
}

}  // namespace
