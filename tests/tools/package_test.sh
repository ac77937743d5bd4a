#!/usr/bin/env bash
# Makes the Debian package, installs it into an empty folder with dpkg, uses it and removes it. dpkg gets a copy of
# this machine's database, so it checks the dependencies and the files of other packages; the machine itself is
# not changed. Neither root nor fakeroot is needed.
set -euo pipefail
: "${WEFT_SOURCE_DIR:?}" "${WEFT_BUILD_DIR:?}"
PATH=$PATH:/usr/sbin:/sbin # dpkg looks for ldconfig there
for tool in dpkg dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null || { echo "$tool is not installed; tools/setup.sh installs it on Debian" && exit 77; }
done
[ -s /var/lib/dpkg/status ] || { echo "this machine has no dpkg database" && exit 77; }
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
fail() { echo "package_test: $1" && exit 1; }
quietly() { "$@" >"$box/log" 2>&1 || { cat "$box/log" && fail "failed: $*"; }; }

# One build at a time: install_test.sh builds the same target in the same folder.
quietly flock "$WEFT_BUILD_DIR/CMakeCache.txt" cmake --build "$WEFT_BUILD_DIR" --target weft_installed
# Without compression, which takes longer than all the rest.
quietly cpack -G DEB --config "$WEFT_BUILD_DIR/CPackConfig.cmake" -B "$box/made" -D CPACK_DEBIAN_COMPRESSION_TYPE=none
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$WEFT_BUILD_DIR/CMakeCache.txt")
package=$box/made/weft_${version}_$(dpkg --print-architecture).deb
[ -s "$package" ] || fail "no $package, but: $(ls "$box/made")"

# The fields of the package.
field() { dpkg-deb --field "$package" "$1"; }
[ "$(field Package) $(field Version) $(field Section)" = "weft $version science" ] || fail "$(dpkg-deb --info "$package")"
for name in Maintainer Description Installed-Size; do [ -n "$(field $name)" ] || fail "no field $name"; done
for library in libc6 libstdc++6 libtbb12 libsqlite3-0; do
  [[ ", $(field Depends)" == *", $library"* ]] || fail "does not depend on $library: $(field Depends)"
done
[[ $(field Suggests) == *libfmt-dev* ]] || fail "does not suggest what find_package(weft) needs: $(field Suggests)"
# Every file belongs to root and is in a folder where a Debian package may put files.
dpkg-deb --contents "$package" >"$box/contents"
awk '$2 != "root/root" || $1 !~ /^[-dl]rw/' "$box/contents" >"$box/wrong"
[ ! -s "$box/wrong" ] || fail "owner or permissions: $(head -3 "$box/wrong")"
awk '$6 !~ /^\.\/(usr\/((bin|include|lib|share)\/.*)?)?$/' "$box/contents" >"$box/wrong"
[ ! -s "$box/wrong" ] || fail "unexpected places: $(head -3 "$box/wrong")"
# No test and no benchmark is in it.
! grep -E '/[a-z_]+_(test|bench)$' "$box/contents" || fail "has the tests above"

# The database without its triggers: those would run programs of other packages.
mkdir -p "$box/root" "$box/database/updates" "$box/database/info" "$box/database/triggers"
cp /var/lib/dpkg/status "$box/database/"
cp /var/lib/dpkg/info/*.list /var/lib/dpkg/info/format "$box/database/info/"
for list in arch diversions statoverride; do
  [ ! -e /var/lib/dpkg/$list ] || cp /var/lib/dpkg/$list "$box/database/"
done
# The machine may have a weft of its own.
sed -i '/^Package: weft$/,/^$/d' "$box/database/status"
rm -f "$box/database/info/weft.list"
# CPack adds a script that calls ldconfig after an installation. This one leaves the machine's cache alone.
mkdir "$box/bin"
printf '#!/bin/sh\n' >"$box/bin/ldconfig"
chmod +x "$box/bin/ldconfig"
as_dpkg() { # root folder, database, arguments
  PATH=$box/bin:$PATH dpkg --instdir="$1" --admindir="$2" --log="$box/dpkg.log" --no-triggers --force-not-root \
    --force-script-chrootless "${@:3}"
}

# If a library is missing, dpkg does not install the package.
cp -r "$box/database" "$box/other-database" && mkdir "$box/other-root"
sed -i '/^Package: libtbb12$/,/^$/d' "$box/other-database/status"
! as_dpkg "$box/other-root" "$box/other-database" --install "$package" >"$box/log" 2>&1 || fail "installs without libtbb12"
grep -q "weft depends on libtbb12" "$box/log" || fail "without libtbb12: $(cat "$box/log")"
rm -r "$box/other-root" "$box/other-database"

quietly as_dpkg "$box/root" "$box/database" --install "$package"
dpkg-query --admindir="$box/database" -W -f='${db:Status-Status}\n' weft | grep -qx installed || fail "not installed"

# It works from there: the program, its data, a manual page, a program that uses the libraries.
weft=$box/root/usr/bin/weft
"$weft" --version | grep -qF "$version" || fail "the version differs"
"$weft" compare allreduce -t torus:3x3 --sizes 1MiB >"$box/answer" 2>"$box/log" || fail "weft compare failed"
grep -q torus "$box/answer" || grep -q "1MiB" "$box/answer" || fail "weft compare printed: $(cat "$box/answer")"
for part in bin/weft-bench bin/weft-probe lib/weft/libweft_mpi.so; do
  [ ! -e "$WEFT_BUILD_DIR/bin/$(basename $part)" ] || [ -e "$box/root/usr/$part" ] || fail "$part is missing"
done
grep -q '^\.SH' "$box/root/usr/share/man/man1/weft-compare.1" || fail "no manual page of weft compare"
flags=$(sed -n 's/^CMAKE_CXX_FLAGS:STRING=//p' "$WEFT_BUILD_DIR/CMakeCache.txt")
quietly cmake -S "$box/root/usr/share/weft/examples/consumer" -B "$box/consumer" -G Ninja \
  -DCMAKE_PREFIX_PATH="$box/root/usr" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS="$flags"
quietly cmake --build "$box/consumer" --target consumer
"$box/consumer/consumer"

# No file is left. Folders of other packages, such as /usr/bin, may stay.
quietly as_dpkg "$box/root" "$box/database" --purge weft
find "$box/root" ! -type d >"$box/left"
find "$box/root" -type d -name 'weft*' >>"$box/left"
[ ! -s "$box/left" ] || fail "files are left: $(head -3 "$box/left")"
echo "package_test: passed ($(field Installed-Size) kB installed)"
