# SPDX-License-Identifier: MIT
#
# The house, from the lowest floor to the highest: a floor is a library, and is linked to all that
# stand below it. Nothing links upwards, so a call that goes up does not link. The library is static
# unless BUILD_SHARED_LIBS is on, as tests/mutate/lines.sh has it.
function(vidmm_floor name)
  get_property(below GLOBAL PROPERTY vidmm_floors)
  add_library(vidmm_${name} ${ARGN})
  target_link_libraries(vidmm_${name} PUBLIC ${below})
  set_property(GLOBAL PROPERTY vidmm_floors vidmm_${name} ${below})
endfunction()
