#include "weft/answer/json.hpp"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "weft/base/version.hpp"

namespace weft::answer {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Node& node);

Json json_of(const Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        using T = std::remove_cvref_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<T, Rational>)
          return to_string(held);
        else
          return held;
      },
      value);
}

Json json_of(const std::vector<Member>& members) {
  Json object = Json::object();
  for (const Member& member : members) object[std::string(member.key)] = json_of(member.node);
  return object;
}

Json json_of(const std::vector<Node>& nodes) {
  Json list = Json::array();
  for (const Node& node : nodes) list.push_back(json_of(node));
  return list;
}

Json json_of(const WrittenJson& written) {
  return Json::parse(written.text);
}

Json json_of(const Node& node) {
  return std::visit([](const auto& content) { return json_of(content); }, node.content);
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Parts<Frame> first_parts() {
  constexpr PartOf<Frame> part;
  return {
      part("command", "", Unit::none, "name of the command", &Frame::command),
      part("version", "", Unit::none, "version of weft", [](const Frame&) { return version(); }),
      part("seed", "", Unit::none, "seed of all random choices", &Frame::seed)};
}

Parts<Frame> last_parts() {
  constexpr PartOf<Frame> part;
  return {part("notes", "", Unit::none, "notes on the answer", &Frame::notes)};
}

Json schema_of(const PartText& part);

// An object has these members and no other.
void add_members(Json& schema, std::span<const PartText> members) {
  Json properties = Json::object(), required = Json::array();
  for (const PartText& member : members) {
    if (member.key.empty()) continue;
    properties[std::string(member.key)] = schema_of(member);
    if (!member.optional) required.push_back(member.key);
  }
  schema.update({{"properties", std::move(properties)},
                 {"required", std::move(required)},
                 {"additionalProperties", false}});
}

const char* json_name_of(Type type) {
  switch (type) {
    case Type::text:
    case Type::exact:
      return "string";
    case Type::truth:
      return "boolean";
    case Type::count:
      return "integer";
    case Type::number:
      return "number";
    case Type::list:
      return "array";
    case Type::object:
    case Type::any:
      return "object";
  }
  return "";
}

Json schema_of(const PartText& part) {
  const char* type = json_name_of(part.type);
  Json schema{{"description", description_of(part)},
              {"type", part.nullable ? Json::array({type, "null"}) : Json(type)}};
  if (part.type == Type::exact) schema["pattern"] = "^-?[0-9]+(/[0-9]+)?$";
  if (part.type == Type::object) add_members(schema, part.members);
  if (part.type != Type::list) return schema;
  schema["items"] = {{"type", json_name_of(part.item)}};
  if (part.item == Type::object) add_members(schema["items"], part.members);
  return schema;
}

}  // namespace

std::string to_json(const Node& node) {
  return text_of(json_of(node));
}

std::string to_json(const Frame& frame, std::vector<Member> members) {
  std::vector<Member> all = members_of(frame, first_parts());
  for (Member& member : members) all.push_back(std::move(member));
  for (Member& member : members_of(frame, last_parts())) all.push_back(std::move(member));
  return text_of(json_of(all));
}

std::string schema_of(const std::string& command, std::span<const PartText> parts) {
  std::vector<PartText> all = texts_of(first_parts());
  all.insert(all.end(), parts.begin(), parts.end());
  for (PartText& part : texts_of(last_parts())) all.push_back(std::move(part));
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Answer of weft " + command + " --json"},
              {"type", "object"}};
  add_members(schema, all);
  return text_of(schema);
}

}  // namespace weft::answer
