// Where the data that come with weft are: in the source tree, or installed beside the program; and
// where it keeps what it would have to compute anew.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The folder named by the environment variable, else the first that exists of `source` under the
/// current folder, `installed` beside the program (PREFIX/bin/weft: PREFIX/share/weft/...), and
/// `source` in the tree that the program was built in (TREE/build/PRESET/bin/weft); empty where
/// there is none. Throws InvalidInput when the variable names no folder.
std::string shipped_folder(const char* variable, const std::string& source,
                           const std::string& installed);

/// A file of a shipped folder, or one's own: "dgx-h100" is .../networks/dgx-h100.toml.
struct NamedFile {
  std::string name, path;
};

/// The TOML files of one kind that come with weft, each called by its name.
struct ShippedFiles {
  const char* variable;     // that names another folder: "WEFT_NETWORKS"
  std::string_view folder;  // share/FOLDER in the source tree, share/weft/FOLDER installed
  std::string_view kind;    // what messages call one: "network"

  /// By name; none where the folder is not found.
  std::vector<NamedFile> all() const;
  /// The file of that name, in any case where no other has exactly that. Throws InvalidInput for
  /// an unknown one, with the nearest, and where there are no files.
  NamedFile find(std::string_view name) const;
  /// The same, or the user's own file: what has a '/' or ends in .toml, "-" (standard input), or
  /// is the name of a file here and of none that is shipped.
  NamedFile find_or_path(const std::string& name_or_path) const;
};

/// The file of this name in weft's folder of $XDG_CACHE_HOME or ~/.cache; empty where neither is
/// known.
std::string cache_file(const std::string& name);

}  // namespace weft
