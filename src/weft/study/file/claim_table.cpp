#include "weft/study/file/claim_table.hpp"

#include <algorithm>
#include <string_view>

#include "weft/base/error.hpp"

namespace weft::study {

namespace {

constexpr std::string_view kOnlyForText = "text.";

bool is_left_out(const TomlNode& cell) {
  return cell.kind == TomlNode::Kind::list && cell.items.empty();
}

TomlNode* find_member(TomlNode& table, std::string_view name) {
  const auto found = std::ranges::find(table.members, name, &TomlMember::name);
  return found == table.members.end() ? nullptr : &found->value;
}

class ClaimTable {
 public:
  ClaimTable(const TomlNode& node, const std::string& path) : table_(node, "[[claims]]", path) {
    read_columns();
    for (const TomlMember& member : node.members)
      if (member.name != "columns" && member.name != "rows") common_.members.push_back(member);
    for (const std::string& column : columns_) check_column(column);
  }

  std::vector<TomlNode> claims() {
    std::vector<TomlNode> claims;
    for (const TomlNode& row : table_.list("rows")) claims.push_back(claim_of(row));
    if (claims.empty())
      table_.fail(table_.line_of("rows"), "rows of [[claims]] is empty; write one for each claim");
    return claims;
  }

 private:
  void read_columns() {
    columns_ = table_.texts("columns");
    if (columns_.empty())
      table_.fail(table_.line(),
                  "[[claims]] has no columns; add columns = [\"where.size\", \"printed\"]");
  }

  void check_column(const std::string& column) const {
    const int line = table_.line_of("columns");
    if (std::ranges::count(columns_, column) > 1)
      table_.fail(line, "columns of [[claims]] names {} twice; write it once", column);
    if (column.starts_with(kOnlyForText) && !is_used(column))
      table_.fail(line, "the column {} is used nowhere; write {{{}}} in text or source", column,
                  column);
    if (is_common(column))
      table_.fail(line, "{} of [[claims]] is both above the rows and a column; keep one", column);
  }

  bool is_used(const std::string& column) const {
    return std::ranges::any_of(common_.members, [&](const TomlMember& member) {
      return takes_cells(member.name) &&
             member.value.text.find("{" + column + "}") != std::string::npos;
    });
  }

  bool is_common(std::string_view column) const {
    const TomlNode* table = &common_;
    const std::size_t dot = column.find('.');
    const auto has = [](const TomlNode& node, std::string_view name) {
      return std::ranges::find(node.members, name, &TomlMember::name) != node.members.end();
    };
    if (dot == std::string_view::npos) return has(*table, column);
    const auto found = std::ranges::find(table->members, column.substr(0, dot), &TomlMember::name);
    return found != table->members.end() && has(found->value, column.substr(dot + 1));
  }

  static bool takes_cells(std::string_view name) { return name == "text" || name == "source"; }

  TomlNode claim_of(const TomlNode& row) const {
    if (row.kind != TomlNode::Kind::list)
      table_.fail(row.line, "a row of [[claims]] is {}; write a list of its cells",
                  row.kind_name());
    if (row.items.size() > columns_.size())
      table_.fail(row.line, "a row of [[claims]] has {} cells for {} columns; leave {} out",
                  row.items.size(), columns_.size(), row.items.size() - columns_.size());
    WEFT_ASSERT(row.items.size() <= columns_.size());
    TomlNode claim = common_;
    claim.line = row.line;
    fill_texts(claim, row);
    for (std::size_t i = 0; i < row.items.size(); ++i)
      if (!is_left_out(row.items[i]) && !columns_[i].starts_with(kOnlyForText))
        set(claim, columns_[i], row.items[i]);
    return claim;
  }

  void fill_texts(TomlNode& claim, const TomlNode& row) const {
    for (TomlMember& member : claim.members)
      if (takes_cells(member.name) && member.value.kind == TomlNode::Kind::text)
        member.value.text = filled(member.value.text, row);
  }

  // Braces around anything but a column stay.
  std::string filled(std::string_view text, const TomlNode& row) const {
    std::string result;
    while (!text.empty()) {
      const std::size_t end = text.front() == '{' ? text.find('}') : std::string_view::npos;
      const auto column = end == std::string_view::npos
                              ? columns_.end()
                              : std::ranges::find(columns_, text.substr(1, end - 1));
      if (column == columns_.end()) {
        result += text.front();
        text.remove_prefix(1);
        continue;
      }
      const auto at = static_cast<std::size_t>(column - columns_.begin());
      if (at < row.items.size()) result += row.items[at].text;
      text.remove_prefix(end + 1);
    }
    return result;
  }

  void set(TomlNode& claim, const std::string& column, const TomlNode& cell) const {
    const std::size_t dot = column.find('.');
    const std::string name = column.substr(0, dot);
    TomlNode* entry = find_member(claim, name);
    if (dot == std::string::npos) {
      claim.members.push_back({name, cell});
      return;
    }
    if (entry == nullptr) {
      TomlNode table;
      table.line = cell.line;
      claim.members.push_back({name, table});
      entry = &claim.members.back().value;
    }
    if (entry->kind != TomlNode::Kind::table)
      table_.fail(entry->line, "{} of [[claims]] is {}, and the column {} needs a table", name,
                  entry->kind_name(), column);
    entry->members.push_back({column.substr(dot + 1), cell});
  }

  TomlTable table_;
  TomlNode common_;
  std::vector<std::string> columns_;
};

}  // namespace

std::vector<TomlNode> claim_nodes(TomlTable& file) {
  std::vector<TomlNode> claims;
  const auto single = file.tables("claim");
  claims.assign(single.begin(), single.end());
  for (const TomlNode& node : file.tables("claims"))
    for (TomlNode& claim : ClaimTable(node, file.path()).claims())
      claims.push_back(std::move(claim));
  std::ranges::stable_sort(claims, {}, &TomlNode::line);
  return claims;
}

}  // namespace weft::study
