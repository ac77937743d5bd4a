// Verdict: how a claim of an experiment fared against our rows.
//
// Four marks say how the print and our rows stand to each other, and none of them is final: a claim
// that is not met says what we get in its place, and fails as soon as the rows give a third thing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/study/results.hpp"

namespace weft::report {

/// met: the rows give what is printed.
/// loosely: they do, but one side of the print was held alone, or the tolerance would pass the
/// rival reading as well.
/// explained: they do not; the stated cause, put into the model, does (rows of the experiment show
/// it), or a proof shows that the print is wrong.
/// open: they do not, and nobody has shown why.
/// missing: rows that the claim speaks of were not computed.
enum class ClaimMark : std::uint8_t { met, loosely, explained, open, missing };

struct Verdict {
  ClaimMark mark = ClaimMark::missing;
  bool fails = false;                // neither what is printed nor what the claim says of ours
  std::string ours{};                // our value, or where an order does not hold
  std::string detail{};              // why, or what is missing
  std::vector<std::string> found{};  // our values as the rows have them; of an order, broken pairs
};

/// Holds the claim against the rows. A value is met within its tolerance (exactly, when that is 0
/// and both are fractions), an order in every pair of rows that fit, where numbers that differ by
/// less than evaluate::kTie are a tie and no order; counts and fractions are exact. Several rows
/// may match; all must hold. `grid` chooses what the claim says of ours. A failed row always fails.
Verdict judge(const Claim& claim, const Results& results, Grid grid = Grid::standard);

/// The mark of a claim whose rows give what it says, which is all that `weft reproduce` lets pass:
/// as printed, or where it says what we get in place of that. No row is needed.
ClaimMark mark_of(const Claim& claim);

/// Whether any row, or pair of rows for an order, is there to judge, computed or not.
bool speaks_of_rows(const Claim& claim, const Results& results);
/// Refuses claims that speak of no rows of the full grid: throws InvalidInput with their place.
void check_claims_have_rows(const Experiment& experiment, const Results& full_grid);
/// The same, where the grid isn't joined yet; also refuses what join_results does.
void check_claims_have_rows(const Experiment& experiment, std::vector<Row> full_grid);

/// "met", "loosely", "explained", "open", "missing".
std::string_view name_of(ClaimMark mark);
/// "✓", "≈", "≠", "✗", "–".
std::string_view sign_of(ClaimMark mark);
/// What people read beside the sign: "met", "met loosely", ...
std::string_view words_of(ClaimMark mark);
inline constexpr std::array kClaimMarks{ClaimMark::met, ClaimMark::loosely, ClaimMark::explained,
                                        ClaimMark::open, ClaimMark::missing};

/// How many claims bear each mark; those of our own are counted apart.
class Tally {
 public:
  /// Counts one more.
  void add(const Claim& claim, const Verdict& verdict);
  std::size_t printed(ClaimMark mark) const { return printed_[static_cast<std::size_t>(mark)]; }
  std::size_t own(ClaimMark mark) const { return own_[static_cast<std::size_t>(mark)]; }
  std::size_t printed() const;
  std::size_t own() const;
  std::size_t failing() const { return failing_; }

 private:
  std::array<std::size_t, kClaimMarks.size()> printed_{}, own_{};
  std::size_t failing_ = 0;
};

/// "14 claims: 12 ✓ met, 1 ≈ met loosely, 1 ≠ explained, 0 ✗ open; 2 of our own: 2 ✓ hold".
std::string text_of(const Tally& tally);

}  // namespace weft::report
