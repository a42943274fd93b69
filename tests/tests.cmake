# SPDX-License-Identifier: MIT
#
# How a test is added, for every folder of tests/.
#
#   vidmm_test        answers in a second or two (label `fast`)
#   vidmm_slow_test   takes some seconds: begins before the fast ones, has no label
#   vidmm_long_test   covers everything (label `long`): .ci/run runs it, `./setup test` does not.
#                     Its name gets -long; a sample of the same name is among the others.
#   vidmm_unit_test   builds test_NAME.c and adds it as unit-NAME
#
# A test that lacks something on this machine says "skipped: REASON" and ends with 77.
find_package(cmocka QUIET)
if(NOT cmocka_FOUND)
  message(FATAL_ERROR "cmocka is missing: './setup packages' installs it, or says how. \
-DBUILD_TESTING=OFF builds without the tests.")
endif()

function(vidmm_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS fast)
endfunction()

function(vidmm_slow_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 COST 10)
endfunction()

function(vidmm_long_test name)
  add_test(NAME ${name}-long COMMAND ${ARGN})
  set_tests_properties(${name}-long PROPERTIES SKIP_RETURN_CODE 77 COST 10 LABELS long)
endfunction()

# The page in a browser: with node, chromium and packages of npm, or skipped.
function(vidmm_page_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 COST 10 LABELS page)
endfunction()

# One program for each file: vidmm_unit_test(range_tree vidmm_segments) builds test_range_tree.c.
# It links its module and the floors below, nothing above; a test that needs the whole manager
# links support_mock.
function(vidmm_unit_test name)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} PRIVATE ${ARGN} cmocka)
  vidmm_test(unit-${name} test_${name})
endfunction()

# The amount of work of a long test: in an ordinary build, and where every step is checked.
if(VIDMM_PARANOID OR VIDMM_SANITIZE)
  set(checked_build ON)
endif()
function(vidmm_choose variable ordinary checked)
  if(checked_build)
    set(ordinary ${checked})
  endif()
  set(${variable} ${ordinary} PARENT_SCOPE)
endfunction()
