# SPDX-License-Identifier: MIT
# The archive from which this machine's apt installs; sourced.

# Prints "ADDRESS CODENAME KEYRING COMPONENTS NEWER-SUITES" of the distribution's main archive, from the machine's own
# configuration. Third-party archives may also have a "stable main" or a suite of this name; one called debian or ubuntu
# takes precedence.
main_archive() {
  local ID='' VERSION_CODENAME='' rest keyring
  [ ! -f /etc/os-release ] || . /etc/os-release
  case $ID in
    ubuntu) keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg rest='main,universe devel' ;;
    *) keyring=/usr/share/keyrings/debian-archive-keyring.gpg rest='main trixie sid' ;;
  esac
  [ -f "$keyring" ] || return 0
  # without release information, so that package lists are not needed
  apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v own="${VERSION_CODENAME:-sid}" -v rest="$keyring $rest" '
      $3 == "main" && ($2 == own || $2 ~ /^((old)*stable|testing|unstable|sid|devel)$/) {
        rank = 1 + ($2 == own) + 2 * ($1 ~ /\/(debian|ubuntu)\/?$/)
        if (rank > best) { best = rank; address = $1 }
      }
      END { if (best) print address, own, rest }'
}
