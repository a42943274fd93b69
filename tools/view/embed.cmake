# SPDX-License-Identifier: MIT
# embed.cmake: the files of page/ become one page, and the page becomes C:
#     cmake -DFILES="page.html;...css;...js" -DTO=page_template.c -P embed.cmake
#
# Styles and scripts stand in the order of that list. The policy of the page allows this script and
# this style by their hashes, and no other.
cmake_minimum_required(VERSION 3.25)

# The bytes of a hash as base64, which CMake lacks: four letters for each three bytes.
function(base64_of_hash text result)
  string(SHA256 hex "${text}")
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(coded "")
  string(APPEND hex "00") # 32 bytes and one: eleven groups, the last letter stands for nothing
  foreach(group RANGE 10)
    math(EXPR at "${group} * 6")
    string(SUBSTRING "${hex}" ${at} 6 bytes)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${bytes} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${index} 1 letter)
      string(APPEND coded "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${coded}" 0 43 coded)
  set(${result} "${coded}=" PARENT_SCOPE)
endfunction()

# The texts are only read, hashed and written, never taken apart: semicolons and brackets in them
# would be CMake's own.
foreach(name IN LISTS FILES)
  file(READ ${name} text)
  if(name MATCHES "\\.html$")
    set(page "${text}")
  elseif(name MATCHES "\\.css$")
    string(APPEND style "${text}")
  else()
    string(APPEND body "${text}")
  endif()
endforeach()
set(script "'use strict';\n(() => {\n${body}})();\n")
set(style "\n${style}")
base64_of_hash("${script}" SCRIPT_HASH)
base64_of_hash("${style}" STYLE_HASH)
foreach(name STYLE_HASH SCRIPT_HASH)
  string(REPLACE "@${name}@" "${${name}}" page "${page}")
endforeach()
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")

file(WRITE ${TO}.html "${page}")
file(READ ${TO}.html hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
file(WRITE ${TO} "/* Made by tools/view/embed.cmake of tools/view/page/. */
#include \"tools/view/page.h\"

const unsigned char page_template[] = {
${hex}
};
const size_t page_template_bytes = sizeof page_template;
")
