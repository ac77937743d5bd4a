#include "weft/study/store/row_message.hpp"

#include "weft/base/error.hpp"

namespace weft::study {

namespace {

template <class Type>
Type value_of(const Values& message, std::string_view name) {
  const auto value = message.find(name);
  require(value != message.end() && std::holds_alternative<Type>(value->second),
          "a message between processes lacks {}; run the same weft everywhere", name);
  return std::get<Type>(value->second);
}

std::string text_of(const Values& message, std::string_view name) {
  return value_of<std::string>(message, name);
}

const RowKind* kind_in(const Values& message) {
  const RowKind* kind = rows::find_kind(text_of(message, "kind"));
  require(kind != nullptr,
          "a message between processes has unknown kind {}; run the same weft everywhere",
          text_of(message, "kind"));
  return kind;
}

}  // namespace

std::string to_message(const Row& row) {
  WEFT_ASSERT(row.kind != nullptr);
  return fields::to_json({{"kind", std::string(row.kind->name)},
                          {"key", row.key},
                          {"parameters", fields::to_json(row.parameters)},
                          {"variables", fields::to_json(row.variables)},
                          {"nodes", row.nodes}});
}

Row row_from(std::string_view message) {
  const Values values = fields::values_from_json(message);
  return {.kind = kind_in(values),
          .parameters = fields::values_from_json(text_of(values, "parameters")),
          .variables = fields::values_from_json(text_of(values, "variables")),
          .key = text_of(values, "key"),
          .nodes = value_of<std::int64_t>(values, "nodes")};
}

std::string to_message(const StoredRow& row) {
  WEFT_ASSERT(row.kind != nullptr);
  return fields::to_json({{"kind", std::string(row.kind->name)},
                          {"key", row.key},
                          {"parameters", fields::to_json(row.parameters)},
                          {"results", fields::to_json(row.results)},
                          {"error", row.error},
                          {"wall_s", row.wall_s}});
}

StoredRow stored_row_from(std::string_view message) {
  const Values values = fields::values_from_json(message);
  return {.key = text_of(values, "key"),
          .kind = kind_in(values),
          .parameters = fields::values_from_json(text_of(values, "parameters")),
          .results = fields::values_from_json(text_of(values, "results")),
          .error = text_of(values, "error"),
          .wall_s = value_of<double>(values, "wall_s")};
}

}  // namespace weft::study
