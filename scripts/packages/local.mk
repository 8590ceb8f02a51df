# SPDX-License-Identifier: MIT
# What other tools find hetgrid by: shells (completion), CMake.
cmakedir = $(libdir)/cmake/hetgrid
dist_cmake_DATA = scripts/packages/hetgridConfig.cmake
zshdir = $(datadir)/zsh/site-functions
dist_zsh_DATA = scripts/packages/_hetgrid
bashdir = $(datadir)/bash-completion/completions
install-data-local:
	$(MKDIR_P) $(DESTDIR)$(bashdir)
	{ cat $(top_srcdir)/scripts/packages/hetgrid.bash; \
	  echo "complete -o filenames -F _hetgrid $(bin_PROGRAMS)"; } > $(DESTDIR)$(bashdir)/hetgrid
	cd $(DESTDIR)$(bashdir) && for program in $(bin_PROGRAMS); do ln -sf hetgrid $$program; done
uninstall-local:
	cd $(DESTDIR)$(bashdir) && rm -f hetgrid $(bin_PROGRAMS)
