# SPDX-License-Identifier: MIT
# The libraries of the system that the program needs.
include(CheckFunctionExists)

# A run of a small scenario spent 0.3 of 1.75 ms on loading libraries that it never calls. An
# archive becomes a part of the program, and its licence wants its notice to come along: so one is
# used only where its notice is found, which is installed then.
option(VIDMM_ARCHIVES "In a new folder: zlib, zstd and libedit as archives, to begin sooner" ON)

# Sets `variable` to archives, given as NAME:PACKAGE with the package of Debian that has the notice,
# if all of them are here and the last ones have what the first one needs to link `function`.
function(find_archives variable function)
  set(archives)
  set(notices)
  foreach(archive ${ARGN})
    string(REPLACE ":" ";" archive ${archive})
    list(GET archive 0 name)
    list(GET archive 1 package)
    find_file(notice doc/${package}/copyright PATHS /usr/share NO_CACHE)
    if(NOT notice)
      return()
    endif()
    file(REAL_PATH ${notice} notice)
    list(APPEND archives -l:lib${name}.a)
    list(APPEND notices ${name} ${notice})
    unset(notice)
  endforeach()
  set(CMAKE_REQUIRED_LIBRARIES ${archives})
  check_function_exists(${function} VIDMM_ARCHIVE_${function})
  if(NOT VIDMM_ARCHIVE_${function})
    return()
  endif()
  set(${variable} ${archives} PARENT_SCOPE)
  while(notices)
    list(POP_FRONT notices name notice)
    install(FILES ${notice} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.lib${name})
  endwhile()
endfunction()

# Finds a library as PREFIX_INCLUDE_DIR and PREFIX_LIBRARY, unless these are given
# (-DPREFIX_LIBRARY=...). The rest, if any, are the arguments of find_archives().
function(need prefix header name)
  find_path(${prefix}_INCLUDE_DIR ${header})
  if(NOT ${prefix}_LIBRARY AND VIDMM_ARCHIVES AND ARGN)
    find_archives(${prefix}_LIBRARY ${ARGN})
  endif()
  find_library(${prefix}_LIBRARY ${name})
  if(NOT ${prefix}_INCLUDE_DIR OR NOT ${prefix}_LIBRARY)
    message(FATAL_ERROR "lib${name} is missing: './setup packages' installs it, or says how.")
  endif()
  set(${prefix}_LIBRARY ${${prefix}_LIBRARY} PARENT_SCOPE)
endfunction()
