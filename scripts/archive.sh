# SPDX-License-Identifier: MIT
# The archive this machine's apt installs from; sourced.

# "ADDRESS CODENAME KEYRING NEWER-SUITES" of the distribution's main archive, by the machine's own configuration.
main_archive() {
  local ID='' VERSION_CODENAME='' newer keyring
  [ ! -f /etc/os-release ] || . /etc/os-release
  case $ID in
    ubuntu) newer=devel keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg ;;
    *) newer='trixie sid' keyring=/usr/share/keyrings/debian-archive-keyring.gpg ;;
  esac
  [ -f "$keyring" ] || return 0
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(SUITE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk -v own="${VERSION_CODENAME:-sid}" -v rest="$keyring $newer" '
      $NF == "main" && ($2 == own || $3 == own || $2 ~ /^((old)*stable|testing|unstable|sid|devel)$/) {
        print $1, own, rest; exit }'
}
