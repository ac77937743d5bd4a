#include "weft/search/catalogue_folder.hpp"

#include "weft/base/shipped.hpp"

namespace weft::search {

std::string catalogue_folder() {
  return shipped_folder("WEFT_CATALOGUE", "share/catalogue", "catalogue");
}

}  // namespace weft::search
