#include "weft/topology/families/trees/xgft.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

constexpr int kMostLevels = 32;

// Nodes of level l: m_{l+1} ... m_h w_1 ... w_l.
double level_size(const XgftView& tree, std::size_t level) {
  double size = 1;
  for (std::size_t i = 0; i < tree.children.size(); ++i)
    size *= i < level ? tree.parents[i] : tree.children[i];
  return size;
}

void require_fit(const XgftView& tree, const std::string& name) {
  double nodes = 0, links = 0;
  for (std::size_t level = 0; level <= tree.children.size(); ++level) {
    const double size = level_size(tree, level);
    nodes += size;
    if (level < tree.parents.size()) links += 2 * size * tree.parents[level];
  }
  require_size(name, nodes, links);
}

void number_levels(XgftView& tree) {
  tree.first_of_level = {0};
  for (std::size_t level = 0; level <= tree.children.size(); ++level)
    tree.first_of_level.push_back(tree.first_of_level.back() +
                                  static_cast<std::int64_t>(level_size(tree, level)));
}

// Links between the levels l and l + 1. Below digit l + 1 stand the w-digits 1..l, whose product is
// the stride of that digit on both levels.
void add_level(TopologyBuilder& builder, const XgftView& tree, std::size_t level,
               ClassId link_class) {
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < level; ++i) stride *= tree.parents[i];
  const std::int64_t m = tree.children[level], w = tree.parents[level];
  const std::int64_t first = tree.first_of_level[level], above = tree.first_of_level[level + 1];
  for (std::int64_t child = 0; child < above - first; ++child) {
    const std::int64_t low = child % stride, high = child / stride / m;
    for (std::int64_t digit = 0; digit < w; ++digit)
      builder.add_cable(NodeId(first + child), NodeId(above + low + stride * (digit + w * high)),
                        link_class);
  }
}

int switch_degree(const XgftView& tree) {
  int degree = 0;
  for (std::size_t level = 1; level <= tree.children.size(); ++level) {
    const int down = level > 1 ? tree.children[level - 1] : 0;
    const int up = level < tree.parents.size() ? tree.parents[level] : 0;
    degree = std::max(degree, down + up);
  }
  return degree;
}

Topology build_tree(XgftView tree, Expression expression, std::vector<Facet> facets = {}) {
  require_fit(tree, expression.to_string());
  number_levels(tree);
  TopologyBuilder builder(tree.first_of_level.back());
  for (std::int64_t node = tree.first_of_level[1]; node < tree.first_of_level.back(); ++node)
    builder.set_kind(NodeId(node), NodeKind::switch_node);
  for (std::size_t level = 0; level < tree.children.size(); ++level) {
    const std::string name = level == 0 ? "terminal" : fmt::format("level{}", level);
    add_level(builder, tree, level, builder.link_class(name));
  }
  builder.set_nominal_degree(switch_degree(tree));
  facets.emplace_back(std::move(tree));
  builder.set_facets({std::move(facets), {}});
  return std::move(builder).build(std::move(expression));
}

XgftView k_ary_n_tree(int arity, int levels) {
  XgftView tree;
  tree.children.assign(levels, arity);
  tree.parents.assign(levels, arity);
  tree.parents.front() = 1;
  return tree;
}

XgftView read_tree(const Parameters& parameters) {
  const auto parts = split(parameters.text(), ';');
  if (parts.size() != 3)
    parameters.fail(fmt::format("'{}' has {} parts", parameters.text(), parts.size()));
  const int height = parameters.integer(parts[0]);
  XgftView tree;
  for (std::string_view part : split(parts[1], ','))
    tree.children.push_back(parameters.integer(part));
  for (std::string_view part : split(parts[2], ','))
    tree.parents.push_back(parameters.integer(part));
  if (height != static_cast<int>(tree.children.size()) ||
      tree.children.size() != tree.parents.size())
    parameters.fail(fmt::format("height {} does not match {} and {} numbers", height,
                                tree.children.size(), tree.parents.size()));
  return tree;
}

}  // namespace

Topology xgft(const std::vector<int>& children, const std::vector<int>& parents) {
  require(!children.empty() && children.size() == parents.size() && children.size() <= kMostLevels,
          "xgft with {} and {} numbers is not valid (needs 1 to {} levels, with one number "
          "each)",
          children.size(), parents.size(), kMostLevels);
  for (std::size_t i = 0; i < children.size(); ++i)
    require(children[i] >= 1 && parents[i] >= 1,
            "xgft level {} has {} children and {} parents (each needs 1 or more)", i + 1,
            children[i], parents[i]);
  Expression name{"xgft",
                  fmt::format("{};{};{}", children.size(), join(children, ","), join(parents, ",")),
                  {}};
  return build_tree({children, parents, {}}, std::move(name));
}

Topology xgft_of_racks(const std::vector<int>& children, const std::vector<int>& parents,
                       Expression name) {
  return build_tree({children, parents, {}}, std::move(name), {Groups{children.front()}});
}

Topology fat_tree(int arity, int levels) {
  require(arity >= 2, "arity {} is too small for fat-tree (needs 2 or more)", arity);
  require(levels >= 1 && levels <= kMostLevels, "{} levels are out of range for fat-tree (1 to {})",
          levels, kMostLevels);
  return build_tree(k_ary_n_tree(arity, levels),
                    {"fat-tree", fmt::format("{},{}", arity, levels), {}});
}

Family xgft_family() {
  return make_family("xgft", "h;m1,..,mh;w1,..,wh",
                     "Extended generalized fat tree with m_i children and w_i parents at level i",
                     "xgft:3;8,4,2;1,8,2", [](const Parameters& parameters) {
                       const XgftView tree = read_tree(parameters);
                       return xgft(tree.children, tree.parents);
                     });
}

Family fat_tree_family() {
  return make_family("fat-tree", "k,n",
                     "k-ary n-tree: k^n hosts under n levels of k^(n-1) switches", "fat-tree:4,2",
                     [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return fat_tree(values[0], values[1]);
                     });
}

}  // namespace weft::topology
