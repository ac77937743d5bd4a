// is_default_but_for: whether a struct of options differs from its default in known members only.
//
// Code that covers some options only, such as a shortcut of a simulator, lists those that it
// covers. A member that is added later is not in the list, so such code is not used where that
// member is set, until somebody adds it to the list. A list of excluded members would let it pass
// unseen.
#pragma once

namespace weft {

/// Whether all members of `options` but `known` equal those of a default T.
template <auto... known, class T>
bool is_default_but_for(const T& options) {
  const T standard{};
  T others = options;
  ((others.*known = standard.*known), ...);
  return others == standard;
}

}  // namespace weft
