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
  for (const Member& member : members) object[member.key] = json_of(member.node);
  return object;
}

Json json_of(const std::vector<Node>& nodes) {
  Json list = Json::array();
  for (const Node& node : nodes) list.push_back(json_of(node));
  return list;
}

Json json_of(const Node& node) {
  return std::visit([](const auto& content) { return json_of(content); }, node.content);
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
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
    case Type::one_or_list:
      return "array";
    case Type::object:
    case Type::map:
    case Type::any:
      return "object";
  }
  return "";
}

// Without its description.
Json schema_of_type(const PartText& part) {
  const char* type = json_name_of(part.type);
  Json schema{{"type", part.nullable ? Json::array({type, "null"}) : Json(type)}};
  if (part.type == Type::any) return Json::object();
  if (part.type == Type::exact) schema["pattern"] = "^-?[0-9]+(/[0-9]+)?$";
  if (part.type == Type::object) add_members(schema, part.members);
  if (part.items.empty()) return schema;
  const Json item = schema_of_type(part.items.front());
  schema[part.type == Type::map ? "additionalProperties" : "items"] = item;
  if (part.type != Type::one_or_list) return schema;
  return {{"anyOf", Json::array({item, std::move(schema)})}};
}

Json schema_of(const PartText& part) {
  Json schema{{"description", description_of(part)}};
  schema.update(schema_of_type(part));
  return schema;
}

}  // namespace

Parts<Frame> first_parts(bool has_seed) {
  constexpr PartOf<Frame> part;
  Parts<Frame> parts{
      part("command", "", Unit::none, "name of the command", &Frame::command),
      part("version", "", Unit::none, "version of weft", [](const Frame&) { return version(); })};
  if (has_seed)
    parts.push_back(part("seed", "", Unit::none, "seed of all random choices",
                         [](const Frame& frame) { return *frame.seed; }));
  return parts;
}

std::string to_json(const Node& node) {
  return text_of(json_of(node));
}

std::string to_json(const Frame& frame, std::vector<Member> members) {
  std::vector<Member> all = members_of(frame, first_parts(frame.seed.has_value()));
  for (Member& member : members) all.push_back(std::move(member));
  for (Member& member : members_of(frame, last_parts())) all.push_back(std::move(member));
  return text_of(json_of(all));
}

std::string schema_of(const std::string& command, std::span<const Shape> shapes) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Answer of weft " + command + " --json"},
              {"type", "object"}};
  Json described = Json::array();
  for (const Shape& shape : shapes) {
    std::vector<PartText> all = texts_of(first_parts(shape.has_seed));
    all.insert(all.end(), shape.parts.begin(), shape.parts.end());
    if (shape.has_notes)
      for (PartText& part : texts_of(last_parts())) all.push_back(std::move(part));
    Json one = Json::object();
    if (!shape.of.empty()) one["title"] = shape.of;
    add_members(one, all);
    described.push_back(std::move(one));
  }
  if (shapes.size() == 1)
    schema.update(described.front());
  else
    schema["anyOf"] = std::move(described);
  return text_of(schema);
}

}  // namespace weft::answer
