# Renames the functions of Eigen in `archive`: Eigen::f becomes prehend_Eigen::f, where it is defined and where it is
# called. A linker keeps one body of each inline function, and a program compiled for other instructions has others.
execute_process(COMMAND "${nm}" --format=just-symbols "${archive}" OUTPUT_VARIABLE _symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "_Z[A-Z]*N[VK]*5Eigen[^\n]*" _symbols "${_symbols}")
list(REMOVE_DUPLICATES _symbols)
set(_map "")
foreach(_symbol ${_symbols})
  string(REGEX REPLACE "^(_Z[A-Z]*N[VK]*)5Eigen" "\\113prehend_Eigen" _own "${_symbol}")
  string(APPEND _map "${_symbol} ${_own}\n")
endforeach()
file(WRITE "${archive}.map" "${_map}")
execute_process(COMMAND "${objcopy}" "--redefine-syms=${archive}.map" "${archive}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${archive}.map")
