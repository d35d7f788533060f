# SPDX-License-Identifier: MIT OR Apache-2.0
# For a copy in your project, as pico_sdk_import.cmake: finds weft at WEFT_PATH, a variable of CMake or else of the
# environment. include() it after pico_sdk_init(); then link with weft_pico.
if(NOT WEFT_PATH AND DEFINED ENV{WEFT_PATH})
  set(WEFT_PATH "$ENV{WEFT_PATH}")
endif()
get_filename_component(weft_path "${WEFT_PATH}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
if(NOT WEFT_PATH OR NOT EXISTS "${weft_path}/integrations/pico-sdk/CMakeLists.txt")
  message(FATAL_ERROR "weft: WEFT_PATH is \"${WEFT_PATH}\": set it to the folder of weft, with -DWEFT_PATH= or in the "
    "environment")
endif()
add_subdirectory("${weft_path}/integrations/pico-sdk" weft_pico)
