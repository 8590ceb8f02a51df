# SPDX-License-Identifier: MIT
# find_package(hetgrid) defines the target hetgrid::hetgrid by pkg-config, which knows the options of the build.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
get_filename_component(_hetgrid_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(_hetgrid_path "$ENV{PKG_CONFIG_PATH}")
set(ENV{PKG_CONFIG_PATH} "${_hetgrid_lib}/pkgconfig:${_hetgrid_path}")
# flags that an earlier run of CMake has kept may be those of another installation
unset(__pkg_config_checked_hetgrid CACHE)
unset(pkgcfg_lib_hetgrid_hetgrid CACHE)
pkg_check_modules(hetgrid REQUIRED IMPORTED_TARGET GLOBAL hetgrid)
set(ENV{PKG_CONFIG_PATH} "${_hetgrid_path}")
# CMake keeps only the first of equal options: another -Xlinker of the target would leave ours without its word
get_target_property(_hetgrid_options PkgConfig::hetgrid INTERFACE_LINK_OPTIONS)
string(REPLACE "-Xlinker;" "LINKER:" _hetgrid_options "${_hetgrid_options}")
set_property(TARGET PkgConfig::hetgrid PROPERTY INTERFACE_LINK_OPTIONS "${_hetgrid_options}")
if(NOT TARGET hetgrid::hetgrid)
  add_library(hetgrid::hetgrid ALIAS PkgConfig::hetgrid)
endif()
