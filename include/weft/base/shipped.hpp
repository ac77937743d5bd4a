// Where the data that come with weft are: in the source tree, or installed beside the program.
#pragma once

#include <string>

namespace weft {

/// The folder named by the environment variable, else the first that exists of `source` under the
/// current folder, `installed` beside the program (PREFIX/bin/weft: PREFIX/share/weft/...), and
/// `source` in the tree that the program was built in (TREE/build/PRESET/bin/weft); empty where
/// there is none. Throws InvalidInput when the variable names no folder.
std::string shipped_folder(const char* variable, const std::string& source,
                           const std::string& installed);

}  // namespace weft
