#include "yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "weft/base/error.hpp"

namespace weft::format {

namespace {

constexpr std::size_t kDeepest = 50;

std::int64_t line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

// Puts the tree together from what the parser meets.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  YamlNode take() && { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    require(!begun_, "{}:{}: a second document begins; leave one", file_, line_of(mark));
    begun_ = true;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    put(mark, anchor, YamlNode::Kind::nothing);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    reject("{}:{}: aliases (*name) are not read; write out what they stand for", file_,
           line_of(mark));
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
    require(anchor == 0, "{}:{}: anchors (&name) are not read; leave it out", file_, line_of(mark));
    YamlNode node{kind, text, {}, {}, line_of(mark)};
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    YamlNode& parent = open_.back();
    if (parent.kind == YamlNode::Kind::map && parent.keys.size() == parent.items.size()) {
      require(kind == YamlNode::Kind::text, "{}:{}: a key is no text", file_, node.line);
      require(keys_.back().insert(text).second, "{}:{}: key {} stands there twice", file_,
              node.line, text);
      parent.keys.push_back(text);
      return;
    }
    parent.items.push_back(std::move(node));
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode::Kind kind) {
    require(anchor == 0, "{}:{}: anchors (&name) are not read; leave it out", file_, line_of(mark));
    const bool is_key = !open_.empty() && open_.back().kind == YamlNode::Kind::map &&
                        open_.back().keys.size() == open_.back().items.size();
    require(!is_key, "{}:{}: a key is no text", file_, line_of(mark));
    require(open_.size() < kDeepest, "{}:{}: this is nested deeper than {}", file_, line_of(mark),
            kDeepest);
    open_.push_back({kind, {}, {}, {}, line_of(mark)});
    keys_.emplace_back();
  }

  void close() {
    YamlNode done = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    (open_.empty() ? root_ : open_.back().items.emplace_back()) = std::move(done);
  }

  const std::string& file_;
  bool begun_ = false;
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
  TreeBuilder builder(file);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    reject("{}:{}: this is not YAML ({})", file, line_of(error.mark), error.msg);
  }
  return std::move(builder).take();
}

}  // namespace weft::format
