# SPDX-License-Identifier: MIT
# Files by which other tools find hetgrid: shells (completion), CMake, environment modules.
cmakedir = $(libdir)/cmake/hetgrid
dist_cmake_DATA = scripts/packages/hetgridConfig.cmake
nodist_cmake_DATA = scripts/packages/hetgridConfigVersion.cmake
zshdir = $(datadir)/zsh/site-functions
dist_zsh_DATA = scripts/packages/_hetgrid
bashdir = $(datadir)/bash-completion/completions
# the pages with their pictures, in folders that keep their links valid
pages = README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs traces/README.md traces/pictures
moduledir = $(datadir)/modulefiles/hetgrid
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(bashdir)"
	{ cat $(top_srcdir)/scripts/packages/hetgrid.bash; \
	  echo "complete -o filenames -F _hetgrid $(bin_PROGRAMS)"; } > "$(DESTDIR)$(bashdir)/hetgrid"
	cd "$(DESTDIR)$(bashdir)" && for program in $(bin_PROGRAMS); do ln -sf hetgrid $$program; done
	$(MKDIR_P) "$(DESTDIR)$(moduledir)"
	$(SED) "s|%PREFIX%|$(prefix)|; s|%BINDIR%|$(bindir)|; s|%MANDIR%|$(mandir)|; s|%LIBDIR%|$(libdir)|; s|%DATADIR%|$(datadir)|; \
	  s|%VERSION%|$(VERSION)|" $(top_srcdir)/scripts/packages/modulefile.in > "$(DESTDIR)$(moduledir)/$(VERSION)"
	$(MKDIR_P) "$(DESTDIR)$(docdir)"
	cd $(srcdir) && tar cf - $(pages) | (cd "$(DESTDIR)$(docdir)" && tar xof -)
uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)"
	cd "$(DESTDIR)$(bashdir)" && rm -f hetgrid $(bin_PROGRAMS)
	rm -f "$(DESTDIR)$(moduledir)/$(VERSION)"
	rm -f $(simulated:%="$(DESTDIR)$(prefix)/libexec/hetgrid/hetgrid-%-sim")
dist_bin_SCRIPTS = scripts/hetgrid-compare
about_compare = two scheduling policies, each with its fastest tiles
manuals += apps/hetgrid-compare.1
hetgrid-compare: scripts/hetgrid-compare
	$(AM_V_GEN)$(INSTALL_SCRIPT) $< $@
CLEANFILES += hetgrid-compare
