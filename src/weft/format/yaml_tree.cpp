#include "yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::format {

namespace {

constexpr std::size_t kDeepest = 50;
// Aliases may stand for as many nodes, or for one for as many bytes of the file.
constexpr std::size_t kMostCopied = 10'000, kBytesOfCopy = 16;

std::int64_t line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

// Puts the tree together from what the parser meets.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, std::size_t file_B)
      : file_(file), most_copied_(std::max(kMostCopied, file_B / kBytesOfCopy)) {}

  YamlNode take() && { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    require(!begun_, "{}:{}: the file has a second document; remove one", file_, line_of(mark));
    begun_ = true;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    put(mark, anchor, YamlNode::Kind::nothing);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    require(known != anchors_.end(), "{}:{}: this alias is inside of its own anchor", file_,
            line_of(mark));
    YamlNode copy = copy_of(known->second, mark);
    copy.line = line_of(mark);
    add(std::move(copy));
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    put(mark, anchor, YamlNode::Kind::text, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, YamlNode::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  void put(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind,
           const std::string& text = {}) {
    YamlNode node{kind, text, {}, {}, line_of(mark)};
    if (anchor != 0) anchors_[anchor] = copy_of(node, mark);
    add(std::move(node));
  }

  // As a key, where one is due.
  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    YamlNode& parent = open_.back();
    if (parent.kind == YamlNode::Kind::map && parent.keys.size() == parent.items.size()) {
      require(node.kind == YamlNode::Kind::text, "{}:{}: a key is not a text", file_, node.line);
      require(keys_.back().insert(node.text).second, "{}:{}: key {} is repeated", file_, node.line,
              node.text);
      parent.keys.push_back(std::move(node.text));
      return;
    }
    parent.items.push_back(std::move(node));
  }

  YamlNode copy_of(const YamlNode& node, const YAML::Mark& mark) {
    copied_ += size_of(node);
    require(copied_ <= most_copied_, "{}:{}: the aliases (*name) expand to too much text", file_,
            line_of(mark));
    return node;
  }
  static std::size_t size_of(const YamlNode& node) {
    std::size_t size = 1;
    for (const YamlNode& item : node.items) size += size_of(item);
    return size;
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind) {
    const bool is_key = !open_.empty() && open_.back().kind == YamlNode::Kind::map &&
                        open_.back().keys.size() == open_.back().items.size();
    require(!is_key, "{}:{}: a key is not a text", file_, line_of(mark));
    require(open_.size() < kDeepest, "{}:{}: this is nested deeper than {}", file_, line_of(mark),
            kDeepest);
    open_.push_back({kind, {}, {}, {}, line_of(mark)});
    keys_.emplace_back();
    open_anchors_.push_back({anchor, mark});
  }

  void close() {
    YamlNode done = std::move(open_.back());
    merge(done, keys_.back());
    const auto [anchor, mark] = open_anchors_.back();
    open_.pop_back();
    keys_.pop_back();
    open_anchors_.pop_back();
    if (anchor != 0) anchors_[anchor] = copy_of(done, mark);
    (open_.empty() ? root_ : open_.back().items.emplace_back()) = std::move(done);
  }

  // "<<: *base" adds the entries of a map, or of several, that the map itself does not have.
  void merge(YamlNode& map, std::unordered_set<std::string>& keys) const {
    const auto merged = std::ranges::find(map.keys, "<<");
    if (map.kind != YamlNode::Kind::map || merged == map.keys.end()) return;
    const auto at = merged - map.keys.begin();
    YamlNode value = std::move(map.items[static_cast<std::size_t>(at)]);
    map.keys.erase(merged);
    map.items.erase(map.items.begin() + at);
    std::vector<YamlNode> bases;
    if (value.kind == YamlNode::Kind::list)
      bases = std::move(value.items);
    else
      bases.push_back(std::move(value));
    for (YamlNode& base : bases) {
      require(base.kind == YamlNode::Kind::map, "{}:{}: << does not name a map", file_, base.line);
      for (std::size_t i = 0; i < base.keys.size(); ++i) {
        if (!keys.insert(base.keys[i]).second) continue;
        map.keys.push_back(std::move(base.keys[i]));
        map.items.push_back(std::move(base.items[i]));
      }
    }
  }

  const std::string& file_;
  bool begun_ = false;
  std::size_t copied_ = 0, most_copied_;  // nodes, for aliases
  std::unordered_map<YAML::anchor_t, YamlNode> anchors_;
  std::vector<std::pair<YAML::anchor_t, YAML::Mark>> open_anchors_;  // of what is open
  YamlNode root_;
  std::vector<YamlNode> open_;
  std::vector<std::unordered_set<std::string>> keys_;  // of what is open
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

YamlNode read_yaml(std::string_view text, const std::string& file) {
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(file, text.size());
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    reject("{}:{}: the file is not YAML ({})", file, line_of(error.mark), error.msg);
  }
  return std::move(builder).take();
}

}  // namespace weft::format
