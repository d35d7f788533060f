# SPDX-License-Identifier: MIT OR Apache-2.0
# A stand-in for ESP-IDF's build system, of our own: the first time that it reads a component, in a script of its own, to
# learn what it requires. It knows build properties and CMAKE_BUILD_EARLY_EXPANSION, but no variable of the project.
#     cmake -DCOMPONENT=folder -DIDF_TARGET=esp32p4 -P this file
cmake_minimum_required(VERSION 3.16)
include("${CMAKE_CURRENT_LIST_DIR}/esp_idf.cmake")
macro(idf_component_register)
  message(STATUS "registered")
  return()
endmacro()
set(CMAKE_BUILD_EARLY_EXPANSION 1)
include("${COMPONENT}/CMakeLists.txt")
