# SPDX-License-Identifier: MIT
# given.cmake: a library that the user names is the one that is linked, whatever the system has.
include(${CMAKE_CURRENT_LIST_DIR}/../../tools/package/needs.cmake)
set(ZSTD_INCLUDE_DIR /given)
set(ZSTD_LIBRARY /given/libzstd.so)
need(ZSTD zstd.h zstd ZSTD_decompressStream zstd:libzstd-dev)
if(NOT ZSTD_LIBRARY STREQUAL /given/libzstd.so)
  message(FATAL_ERROR "linked: ${ZSTD_LIBRARY}")
endif()
