#include "weft/topology/files/json_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"

namespace weft::topology {

namespace {

// The quote that ends the text whose first quote is at `begin`.
std::size_t end_of_text(std::string_view json, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at, json.size());
}

class Keys {
 public:
  Keys(std::string_view text, const std::string& file, const std::vector<std::string>& known)
      : text_(text), file_(file), known_(known) {}

  void check() && {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '{')
        open_.push_back({open_.empty() ? std::string() : open_.back().last + '/', {}, {}});
      else if (c == '}')
        open_.pop_back();
      else if (c == '\n')
        ++line_;
      else if (c == '"')
        at = read_text(at);
    }
  }

 private:
  struct Object {
    std::string path, last;  // before its keys; of the key whose value is read
    std::set<std::string_view> keys;
  };

  // A key, if a colon stands behind it.
  std::size_t read_text(std::size_t begin) {
    const std::size_t end = end_of_text(text_, begin);
    const std::size_t next = text_.find_first_not_of(" \t\r\n", end + 1);
    if (next != std::string_view::npos && text_[next] == ':')
      add(text_.substr(begin + 1, end - begin - 1));
    return end;
  }

  void add(std::string_view key) {
    Object& object = open_.back();
    object.last = object.path + std::string(key);
    if (std::ranges::find(known_, object.last) == known_.end())
      reject("{}:{}: {}", file_, line_, unknown_text({"key", key}, known_in(object.path)));
    require(object.keys.insert(key).second, "{}:{}: key '{}' is repeated; remove one", file_, line_,
            key);
  }

  // What an object of that path may hold.
  std::vector<std::string> known_in(std::string_view path) const {
    std::vector<std::string> names;
    for (const std::string_view each : known_)
      if (each.starts_with(path) && each.find('/', path.size()) == std::string_view::npos)
        names.emplace_back(each.substr(path.size()));
    return names;
  }

  std::string_view text_;
  const std::string& file_;
  const std::vector<std::string>& known_;
  std::int64_t line_ = 1;
  std::vector<Object> open_;
};

}  // namespace

void require_keys(std::string_view text, const std::string& file,
                  const std::vector<std::string>& known) {
  Keys(text, file, known).check();
}

}  // namespace weft::topology
