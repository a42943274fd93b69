# SPDX-License-Identifier: MIT
# What `cmake --install` puts where: the program, the libraries, the public headers, and how other
# builds find them (find_package(vidmm) with CMake, vidmm.pc with pkg-config).
include(CMakePackageConfigHelpers)

# In the order in which a linker needs them; the mock stands before what it needs.
get_property(vidmm_installed_libraries GLOBAL PROPERTY vidmm_floors)
list(PREPEND vidmm_installed_libraries vidmm_mock)

foreach(library ${vidmm_installed_libraries} vidmm_ddi)
  string(REPLACE vidmm_ "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
set_target_properties(vidmm_manager PROPERTIES EXPORT_NAME vidmm)

install(TARGETS vidmm RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${vidmm_installed_libraries} vidmm_ddi EXPORT vidmm-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Public is what begins with vidmm, and the driver's interface.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/vidmm/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vidmm
        FILES_MATCHING PATTERN "vidmm*.h" PATTERN "vidmm*.def"
        PATTERN "rules" EXCLUDE PATTERN "ddi" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/vidmm/ddi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vidmm
        FILES_MATCHING PATTERN "*.h")

# What a person opens next.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios/lessons ${PROJECT_SOURCE_DIR}/scenarios/adapters
        DESTINATION ${CMAKE_INSTALL_DATADIR}/vidmm/scenarios
        FILES_MATCHING PATTERN "*.vms" PATTERN "README.md" PATTERN "answers.md")

# The manual, where man, shells and Vim look for it; the program prints it when it has been built.
set(vidmm_manual_dir ${PROJECT_BINARY_DIR}/manual)
set(vidmm_manual_files)
function(vidmm_manual kind name folder)
  set(file ${vidmm_manual_dir}/${name})
  add_custom_command(OUTPUT ${file} COMMAND vidmm manual ${kind} -o ${file} DEPENDS vidmm VERBATIM)
  install(FILES ${file} DESTINATION ${folder})
  set(vidmm_manual_files ${vidmm_manual_files} ${file} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${vidmm_manual_dir})
vidmm_manual(man vidmm.1 ${CMAKE_INSTALL_MANDIR}/man1)
vidmm_manual(scenario vidmm-scenario.5 ${CMAKE_INSTALL_MANDIR}/man5)
vidmm_manual(bash vidmm ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
vidmm_manual(zsh _vidmm ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
vidmm_manual(fish vidmm.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
vidmm_manual(vim vidmm.vim ${CMAKE_INSTALL_DATADIR}/vim/vimfiles/syntax)
vidmm_manual(textmate vidmm.tmLanguage.json ${CMAKE_INSTALL_DATADIR}/vidmm)
install(FILES ${PROJECT_SOURCE_DIR}/tools/manual/vidmm-ftdetect.vim
        DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles/ftdetect RENAME vidmm.vim)
add_custom_target(vidmm_manual ALL DEPENDS ${vidmm_manual_files})

set(vidmm_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vidmm)
install(EXPORT vidmm-targets NAMESPACE vidmm:: DESTINATION ${vidmm_cmake_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/vidmm-config.cmake.in
                              ${PROJECT_BINARY_DIR}/package/vidmm-config.cmake
                              INSTALL_DESTINATION ${vidmm_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/vidmm-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/vidmm-config.cmake
              ${PROJECT_BINARY_DIR}/package/vidmm-config-version.cmake
        DESTINATION ${vidmm_cmake_dir})

# The package may be moved: everything is found from where vidmm.pc lies.
file(RELATIVE_PATH vidmm_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
list(TRANSFORM vidmm_installed_libraries PREPEND "-l" OUTPUT_VARIABLE vidmm_pc_libraries)
list(JOIN vidmm_pc_libraries " " vidmm_pc_libraries)
configure_file(${CMAKE_CURRENT_LIST_DIR}/vidmm.pc.in ${PROJECT_BINARY_DIR}/package/vidmm.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/vidmm.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
