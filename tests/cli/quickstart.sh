#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The sources from which quickstart gets StarPU, and its messages if it cannot. apt, curl, pkg-config and the build are
# emulated: no network is used and nothing is installed.
. "${srcdir:-.}/tests/tap.sh"
checkout=$(cd "${srcdir:-.}" && pwd)
case=$work/case
unset HETGRID_MAXCPUS HETGRID_STARPU HETGRID_DISTFILES PKG_CONFIG_PATH

says() { # says PATTERN NAME: a line of the last call's messages matches
  if grep -Eq -- "$1" "$work/err"; then ok 0 "$2"; else ok 1 "$2: no '$1' in: $(tr '\n' ' ' < "$work/err")"; fi
}
is() { # is WANTED GOT NAME
  if [ "$1" = "$2" ]; then ok 0 "$3 ($2)"; else ok 1 "$3: '$2' instead of '$1'"; fi
}
archive() { # archive VERSION FILE: makes an archive that holds its version
  rm -rf "$work/starpu" && mkdir -p "$work/starpu" "$(dirname "$2")"
  echo "$1" > "$work/starpu/version"
  echo raw > "$work/starpu/state"
  tar -C "$work" -czf "$2" starpu
}

# Emulated tools. `listed` holds the versions that the distribution lists, `absent` those it lacks, `asked` the sources
# that were asked.
tools=$work/tools
mkdir -p "$tools"
cat > "$tools/apt-get" <<'STUB'
#!/usr/bin/env bash
echo "apt-get $*" >> "$CASE/apt"
case " $* " in
*" indextargets "*) cat "$CASE/targets";;
*" update "*) [ ! -e "$CASE/offline" ] || { echo "E: Failed to fetch the lists" >&2; exit 100; };;
*" source "*)
  version=$*
  version=${version##*starpu=}
  echo "$version" >> "$CASE/asked"
  ! grep -qxF "$version" "$CASE/absent" || { printf 'E: %s\n' "$version.dsc 404" "Some failed" >&2; exit 100; }
  cp "$CASE/archives/starpu_${version%-*}.orig.tar.gz" .;;
esac
STUB
cat > "$tools/apt-cache" <<'STUB'
#!/usr/bin/env bash
[ -e "$CASE/offline" ] || sed 's/^/Version: /' "$CASE/listed"
STUB
cat > "$tools/curl" <<'STUB'
#!/usr/bin/env bash
echo upstream >> "$CASE/asked"
[ -e "$CASE/upstream.tar.gz" ] || { echo "curl: (22) 404" >&2; exit 22; }
while [ "$1" != -o ]; do shift; done
cp "$CASE/upstream.tar.gz" "$2"
STUB
chmod +x "$tools"/*

new_case() { # a checkout without _deps; the distribution lists five versions, two of them usable
  rm -rf "$case" && mkdir -p "$case/scripts/patches" "$case/archives"
  cp "$checkout"/scripts/{archive,starpu-source,progress}.sh "$case/scripts/"
  printf '%s\n' '--- a/state' '+++ b/state' '@@ -1 +1 @@' -raw +patched > "$case/scripts/patches/starpu-state.patch"
  printf '%s\n' 1.4.5-1 1.5.0+dfsg-1 1.4.7+dfsg-5 1.4.10+dfsg-1 1.3.10-2 > "$case/listed"
  : > "$case/absent"; : > "$case/asked"
  archive 1.4.7 "$case/archives/starpu_1.4.7+dfsg.orig.tar.gz"
  archive 1.4.10 "$case/archives/starpu_1.4.10+dfsg.orig.tar.gz"
  sums="$(sha256sum < "$case/archives/starpu_1.4.10+dfsg.orig.tar.gz" | cut -d' ' -f1)  starpu_1.4.10+dfsg.orig.tar.gz"
}
try_fetch() { # try_fetch [VARIABLE=VALUE...]: fetches; $got is the version received, or "none"
  : > "$case/asked"
  rm -rf "$case/work" && mkdir "$case/work"
  env -u HETGRID_DISTFILES CASE="$case" PATH="$tools:$PATH" KNOWN="$sums" "$@" bash -euo pipefail -c '
    here=$CASE/scripts work=$CASE/work
    . "$here/starpu-source.sh"
    main_archive() { echo "http://archive.example/debian bookworm /keyring.gpg main trixie sid"; }
    [ -z "$KNOWN" ] || known_sums=$KNOWN
    fetch' > "$work/out" 2> "$work/err"
  status=$?
  got=$(cat "$case/work/src/version" 2> /dev/null || echo none)
  asked=$(tr '\n' ' ' < "$case/asked")
}

# Version and source
new_case
try_fetch
is 1.4.10 "$got" "the_newest_usable_version_is_taken"
is "1.4.10+dfsg-1 " "$asked" "no_other_version_is_asked_for"
is patched "$(cat "$case/work/src/state")" "the_source_is_patched"
is "deb-src [signed-by=/keyring.gpg] http://archive.example/debian bookworm main" "$(head -n 1 "$case/work/apt/list")" \
  "the_private_list_begins_with_the_own_suite"
is "bookworm trixie sid" "$(awk '{ print $4 }' "$case/work/apt/list" | xargs)" "newer_suites_follow"
is 0 "$(grep -vc 'sourceparts=/nonexistent.*Dir::State::lists=.*Dir::Cache=' "$case/apt")" "every_apt_call_is_private"

new_case
echo 1.4.10+dfsg-1 > "$case/absent"
try_fetch
is 1.4.7 "$got" "a_version_that_is_listed_and_absent_is_passed_over"
is "1.4.10+dfsg-1 1.4.7+dfsg-5 " "$asked" "newest_first_and_none_too_old_or_too_new"

new_case
sums=''
try_fetch
is 1.4.7 "$got" "an_archive_without_the_known_sum_is_passed_over"

new_case
printf '%s\n' 1.4.10+dfsg-1 1.4.7+dfsg-5 > "$case/absent"
archive 1.4.10 "$case/upstream.tar.gz"
try_fetch
is "1.4.10+dfsg-1 1.4.7+dfsg-5 upstream " "$asked" "upstream_comes_last"
is 1.4.10 "$got" "and_helps"

# Kept for the next build
new_case
try_fetch
try_fetch
is "1.4.10 " "$got $asked" "a_second_build_asks_no_source"
archive 1.4.9 "$work/other.tar.gz"
cp "$work/other.tar.gz" "$case"/_deps/source/starpu_*.tar.gz
sums=''
try_fetch
says "_deps/source/starpu_1.4.10.*SHA-256" "a_kept_archive_that_changed_is_told"
is "1.4.7 1.4.10+dfsg-1 1.4.7+dfsg-5 " "$got $asked" "and_fetched_again"
is 2 "$(ls "$case/_deps/source" | wc -l)" "one_archive_and_its_sum_are_kept"

# HETGRID_DISTFILES
new_case
for version in 1.3.9 1.4.7 1.4.8 1.4.11 1.5.1; do archive $version "$case/files/starpu-$version.tar.gz"; done
try_fetch HETGRID_DISTFILES="$case/files"
is "1.4.11 " "$got $asked" "the_newest_usable_of_HETGRID_DISTFILES_comes_first"
ln -s files "$case/link"
rm -r "$case/_deps"
try_fetch HETGRID_DISTFILES="$case/link"
is "1.4.11 " "$got $asked" "which_may_be_a_link_to_a_folder"
rm "$case"/files/starpu-1.4.*
try_fetch HETGRID_DISTFILES="$case/files"
says "HETGRID_DISTFILES does not help: .*/files holds no starpu.*1.4.7" "files_of_other_versions_are_told"
is 1.4.11 "$got" "the_kept_archive_then_serves"
rm -r "$case/_deps"
try_fetch HETGRID_DISTFILES="$case/nowhere"
says "HETGRID_DISTFILES does not help: .*/nowhere holds no" "a_HETGRID_DISTFILES_that_does_not_exist_is_told"
is 1.4.10 "$got" "the_distribution_then_serves"
rm -r "$case/_deps"
archive 1.4.8 "$case/files/starpu-1.4.8.tar.gz"
echo "$(printf '%064d' 0)  starpu-1.4.8.tar.gz" > "$case/files/SHA256SUMS"
try_fetch HETGRID_DISTFILES="$case/files"
says "does not help: .*starpu-1.4.8.tar.gz: its SHA-256 is not that of .*SHA256SUMS" "a_wrong_sum_there_is_told"
is 1.4.10 "$got" "and_its_archive_is_not_used"
rm -r "$case/_deps" "$case/files/SHA256SUMS"
head -c 100 "$case/archives/starpu_1.4.10+dfsg.orig.tar.gz" > "$case/files/starpu-1.4.10.tar.gz"
try_fetch HETGRID_DISTFILES="$case/files"
says "does not help: .*starpu-1.4.10.tar.gz is not an archive, or not all of it" "half_an_archive_is_told"

# No source works
new_case
printf '%s\n' 1.4.10+dfsg-1 1.4.7+dfsg-5 > "$case/absent"
try_fetch
is "1 none" "$status $got" "without_any_source_the_exit_status_is_1"
is 4 "$(grep -c '^starpu:   - ' "$work/err")" "every_attempt_has_its_line"
says "- source package starpu 1.4.7\+dfsg-5: E: .*404" "with_what_apt_said"
says "- https://.*cannot be downloaded" "and_the_address_of_upstream"
says "HETGRID_DISTFILES.*PKG_CONFIG_PATH" "two_variables_that_help_are_named"
is no "$([ -e "$case/_deps" ] && echo yes || echo no)" "nothing_is_left"
touch "$case/offline"
try_fetch
says "- http://archive.example/debian lists no StarPU.*E: Failed to fetch the lists" "an_archive_out_of_reach_is_told"

# The archive's address, from apt's configuration
distribution=$(bash -c '. /etc/os-release; echo "$ID"' 2> /dev/null)
[ "$distribution" = ubuntu ] || distribution=debian
keyring=/usr/share/keyrings/$distribution-archive-keyring.gpg
if [ -f "$keyring" ]; then
  printf 'http://%s\n' 'browser.example/deb/ stable main' 'security.example/ oldstable-security main' \
    "mirror.example/$distribution/ oldstable contrib" "mirror.example/$distribution/ oldstable main" \
    'tools.example/ stable main' > "$case/targets"
  found=$(CASE=$case PATH=$tools:$PATH bash -c '. "$1/scripts/archive.sh"; main_archive' - "$checkout" | cut -d' ' -f1)
  is "http://mirror.example/$distribution/" "$found" "the_main_archive_is_found_among_others"
else
  skip "no $keyring here"
fi

# quickstart itself, without apt. PATH has the tools of any system; the build's tools are emulated.
plain=$work/plain
mkdir -p "$plain"
for tool in bash env sh dirname nproc id grep mkdir chmod ln true touch rm cat cp ls tail sed awk make; do
  ln -s "$(type -P $tool)" "$plain/$tool"
done
new_case
cp "$checkout/quickstart" "$case/"
touch "$case/configure.ac"; mkdir "$case/m4"; touch "$case/m4/hetgrid.m4"
fails 1 "not found in PATH: autoreconf .*pkg-config.*mpicc" "without_apt_missing_tools_are_named" \
  env PATH="$plain" "$case/quickstart"
cat "$work/out" >> "$work/err"
says "libopenmpi-dev.*libhwloc-dev" "and_the_packages"
says "PKG_CONFIG_PATH.*HETGRID_DISTFILES" "and_the_variables"
mkdir "$work/my folder"; cp -r "$case"/* "$work/my folder/"
fails 1 "my folder' has a blank in its path" "a_folder_where_libtool_cannot_install_is_refused" env PATH="$plain" "$work/my folder/quickstart"

for tool in libtoolize gcc g++ patch mpicc; do ln -s "$(type -P true)" "$plain/$tool"; done
cat > "$plain/autoreconf" <<'STUB'
#!/usr/bin/env bash
cat > configure <<'CONFIGURE'
#!/usr/bin/env bash
to=${1#*=}
echo configured >> "$CASE/configures"
printf 'prefix = %s\ninstall:\n\tmkdir -p %s/bin\n\tln -sf %s %s/bin/hetgrid-heat\n' "$to" "$to" "$(type -P true)" "$to" > Makefile
[ ! -e "$CASE/unfinished" ] || { kill -KILL $PPID; exit; }
touch libtool
CONFIGURE
chmod +x configure
touch Makefile.in
STUB
cat > "$plain/pkg-config" <<'STUB'
#!/usr/bin/env bash
own() { [[ ${PKG_CONFIG_PATH:-} == "$CASE/_deps/starpu"* ]] && [ -e "$CASE/_deps/starpu/full" ]; }
case $* in
--exists*) [ -e "$CASE/installed" ] || own;;
--variable=prefix*) own && cat "$CASE/_deps/starpu/prefix";;
--variable*) own && echo "$CASE/_deps/starpu" || echo "$CASE";;
--cflags*) own && echo "-I$CASE/_deps/starpu" || echo "-I$CASE";;
*) echo 1.4.7;;
esac
STUB
cat > "$case/scripts/build-starpu" <<'STUB'
#!/usr/bin/env bash
echo built >> "$CASE/builds"
mkdir -p "$1/starpu/1.4"
printf '#define STARPU_%s\n' 'USE_FXT 1' 'USE_CUDA 1' "MAXCPUS ${HETGRID_MAXCPUS:-2}" > "$1/starpu/1.4/starpu_config.h"
touch "$1/full"
echo "$1" > "$1/prefix"
[ ! -e "$CASE/interrupted" ] || kill -KILL $PPID
STUB
chmod +x "$plain/autoreconf" "$plain/pkg-config" "$case/scripts/build-starpu"
quickstart() { # in a shell of its own, which prints nothing when it is killed
  (env -u PKG_CONFIG_PATH CASE="$case" PATH="$plain" "$case/quickstart" > "$work/out" 2>&1; exit $?) 2> /dev/null
}

touch "$case/interrupted" "$case/installed"
quickstart
[ $? -ne 0 ] && [ ! -e "$case/_deps/starpu/.complete" ]
ok $? "an_interrupted_build_of_StarPU_is_not_taken_for_a_whole_one"
cp "$work/out" "$work/err"
says "the installed StarPU 1.4.7 lacks FxT" "what_an_installed_StarPU_lacks_is_told"
rm "$case/interrupted"; touch "$case/unfinished"
quickstart
[ $? -ne 0 ] && [ -e "$case/_build/Makefile" ]; ok $? "configure_is_interrupted_too"
is 2 "$(wc -l < "$case/builds")" "the_next_run_builds_StarPU_again"
rm "$case/unfinished"
quickstart
is "0 2 2" "$? $(wc -l < "$case/builds") $(wc -l < "$case/configures")" "a_run_after_that_does_not_but_configures_again"
quickstart
is "0 2" "$? $(wc -l < "$case/configures")" "once"

HETGRID_STARPU=system quickstart
is "0 2" "$? $(wc -l < "$case/builds")" "the_system's_StarPU_is_taken_where_it_is_asked_for"
cp "$work/out" "$work/err"
says "using the installed StarPU 1.4.7, which lacks FxT" "and_what_it_lacks_is_told"
says "StarPU or CUDA is another one now: building anew" "and_that_nothing_fits_it"
is 3 "$(wc -l < "$case/configures")" "hetgrid_is_configured_for_it"
rm "$case/installed"
env CASE="$case" PATH="$plain" PKG_CONFIG_PATH=/nowhere "$case/quickstart" > "$work/err" 2>&1
says "PKG_CONFIG_PATH leads to no StarPU 1.4.7 or newer.* our own" "a_PKG_CONFIG_PATH_that_does_not_help_is_told"
HETGRID_STARPU=mine quickstart
[ $? = 1 ] && grep -q 'HETGRID_STARPU is mine, must be own or system' "$work/out"; ok $? "another_word_is_refused"
printf '#!/bin/sh\n[ "$LC_ALL" = C ] && echo "  Candidate: 1.4.8+dfsg-1" || echo "  Installationskandidat: 1.4.8+dfsg-1"\n' > "$plain/apt-cache"
chmod +x "$plain/apt-cache"
rm -rf "$case/_deps"
LC_ALL=de_DE.UTF-8 quickstart 2> /dev/null
is "0 3" "$? $(wc -l < "$case/builds")" "a_StarPU_is_built_unless_the_distribution's_is_asked_for"
cp "$work/out" "$work/err"
says "HETGRID_STARPU=system ./quickstart takes the distribution's 1.4.8, which has no FxT" "which_is_offered"
rm "$plain/apt-cache"; echo built > "$case/builds"; echo built >> "$case/builds"

HETGRID_MAXCPUS=64 quickstart
is "0 3" "$? $(wc -l < "$case/builds")" "StarPU_is_built_again_with_room_for_more_cores"
cp "$work/out" "$work/err"
says "lacks room for 64 cores" "which_is_told"
quickstart
is "0 3" "$? $(wc -l < "$case/builds")" "and_kept_for_fewer"
HETGRID_MAXCPUS=many quickstart
[ $? = 1 ] && grep -q 'HETGRID_MAXCPUS is many, must be a number' "$work/out"; ok $? "a_word_for_a_number_of_cores_is_refused"
echo built > "$case/builds"; echo built >> "$case/builds"

mv "$case" "$case.moved"
case=$case.moved
quickstart
is "0 3" "$? $(wc -l < "$case/builds")" "StarPU_is_built_again_where_the_folder_has_been_moved"
cp "$work/out" "$work/err"
says "has been moved" "which_is_told"
[ -e "$case/_install/bin/hetgrid-heat" ] && [ ! -e "${case%.moved}" ]
ok $? "and_all_is_installed_in_the_new_place"
quickstart
is "0 3" "$? $(wc -l < "$case/builds")" "once"

# a build folder of the user's own
sed -i 's|^prefix = .*|prefix = /elsewhere|' "$case/_build/Makefile"
quickstart
is 1 "$?" "a_build_for_another_prefix_is_left_alone"
cp "$work/out" "$work/err"
says "_build/ is configured for --prefix=/elsewhere, not for _install/" "which_is_told"

# sudo that refuses
printf '#!/bin/sh\nexit 1\n' > "$plain/dpkg-query"; cp "$plain/dpkg-query" "$plain/sudo"; cp "$tools/apt-get" "$plain/"
printf '#!/bin/sh\necho 1000\n' > "$work/id"; chmod +x "$plain/dpkg-query" "$plain/sudo" "$work/id"; ln -sf "$work/id" "$plain/id"
: > "$case/apt"
quickstart
is "1 0" "$? $(wc -l < "$case/apt")" "where_sudo_refuses_apt_is_not_asked"
cp "$work/out" "$work/err"
says "sudo refuses; ask for these packages.*: autoconf" "which_is_told_with_the_packages"
is 0 "$(grep -c 'going on' "$work/out")" "and_nothing_else"

# make simulation
mkdir -p "$work/tree/scripts" "$work/tree/_deps"
cp "$checkout/scripts/build-simulation" "$work/tree/scripts/"
printf '#!/bin/sh\nflock -n "%s" true || touch "%s"\nexit 1\n' "$work/tree/_deps/simulation.lock" "$work/held" > "$work/tree/scripts/build-starpu-simgrid"
chmod +x "$work/tree/scripts/build-starpu-simgrid"
bash "$work/tree/scripts/build-simulation" "$work" /nowhere heat
[ -e "$work/held" ]; ok $? "a_second_build_of_the_simulation_at_the_same_time_would_wait"

# progress of the build
progress() { # progress LINES COMMAND...: progress of a command whose log usually has so many lines
  : > "$work/log"
  (. "$checkout/scripts/progress.sh"; with_progress building "$work/log" "$@") > "$work/out" 2> "$work/err"
}
SECONDS=0
progress 10 bash -c 'for i in 1 2 3; do echo "step $i"; done; echo wrong >&2; exit 7'
is "7 4" "$? $(wc -l < "$work/log")" "a_command_with_progress_gives_its_own_status_and_log"
is 0 "$(wc -c < "$work/err")" "and_a_short_one_is_not_told_of"
if script --version 2> /dev/null | grep -q util-linux; then
  script -qec "bash -c '. \"$checkout/scripts/progress.sh\"; : > $work/log; with_progress building $work/log 8 bash -c \"for i in 1 2 3 4; do echo \\\"  CC  \\\$i.c\\\"; done; sleep 3\"'" /dev/null < /dev/null > "$work/seen" 2>&1
  tr '\r' '\n' < "$work/seen" > "$work/err"
  says "building: 50 %, [123] s:   CC  4.c" "a_terminal_shows_the_share_the_time_and_the_last_line"
else skip "script (util-linux) is not installed"; fi

# scripts/try-on-bare-debian refuses wrong use before it does anything
bare=$checkout/scripts/try-on-bare-debian
succeeds "try_on_bare_debian_has_a_help" "$bare" --help
fails 2 "Usage" "it_wants_a_suite" "$bare"
fails 2 "unknown option --nonsense" "it_names_an_unknown_option" "$bare" --nonsense bookworm
done_testing
