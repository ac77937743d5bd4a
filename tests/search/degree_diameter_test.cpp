// What the finder knows beside the largest known graphs of a degree and diameter.
#include <gtest/gtest.h>

#include "support/process/source_dir.hpp"
#include "weft/search/finder.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::search {
namespace {

struct LargestKnown {
  int nodes, degree, diameter;
  int above = 0;  // steps that ours takes more
};

// Orders of the largest known graphs up to 2,000 nodes: "Table of the orders of the largest known
// graphs for the undirected degree diameter problem", Combinatorics Wiki, The Degree Diameter
// Problem for General Graphs (June 2024); F. Comellas, Table of large graphs with given degree and
// diameter, arXiv:2406.18994.
constexpr LargestKnown kTable[] = {
    {10, 3, 2},      {20, 3, 3},      {38, 3, 4, 1},   {70, 3, 5},       {132, 3, 6, 1},
    {196, 3, 7, 1},  {360, 3, 8, 1},  {600, 3, 9, 1},  {1250, 3, 10, 1}, {15, 4, 2},
    {41, 4, 3, 1},   {98, 4, 4, 1},   {364, 4, 5, 1},  {740, 4, 6, 1},   {1320, 4, 7, 1},
    {24, 5, 2},      {72, 5, 3},      {212, 5, 4, 1},  {624, 5, 5, 1},   {32, 6, 2},
    {111, 6, 3, 1},  {390, 6, 4, 1},  {1404, 6, 5, 1}, {50, 7, 2},       {168, 7, 3, 1},
    {672, 7, 4, 1},  {57, 8, 2},      {253, 8, 3, 1},  {1100, 8, 4, 1},  {74, 9, 2, 1},
    {585, 9, 3, 1},  {1640, 9, 4, 1}, {91, 10, 2},     {650, 10, 3, 1},  {104, 11, 2, 1},
    {715, 11, 3, 1}, {133, 12, 2},    {786, 12, 3, 1}, {162, 13, 2},     {856, 13, 3, 1},
    {183, 14, 2},    {916, 14, 3, 1}, {187, 15, 2, 1}, {1215, 15, 3, 1}, {200, 16, 2, 1},
    {1600, 16, 3, 1}};

TEST(DegreeDiameter, comes_as_near_to_the_largest_known_graphs_as_the_documents_say) {
  const Catalogue catalogue = Catalogue::load(test::source_dir() + "/share/catalogue");
  for (const LargestKnown& known : kTable) {
    const auto found = find_topologies(catalogue, {.first_nodes = known.nodes,
                                                   .last_nodes = known.nodes,
                                                   .degree = known.degree,
                                                   .direction = Direction::bidirectional});
    ASSERT_EQ(found.size(), 1U);
    ASSERT_FALSE(found[0].front.empty()) << known.nodes;
    EXPECT_LE(found[0].front[0].facts.steps, known.diameter + known.above)
        << known.nodes << " nodes of degree " << known.degree;
  }
}

}  // namespace
}  // namespace weft::search
