# What the scripts of this folder have in common: names, results and times of cases. Sourced by them.
# shellcheck shell=bash

now() { echo "${EPOCHREALTIME/[.,]/}"; }    # microseconds

# Seconds since $1, a result of now.
since() {
  local tenths=$((($(now) - $1) / 100000))
  echo "$((tenths / 10)).$((tenths % 10))"
}

listing=0 patterns=()

# Reads a script's arguments; the script has a function usage.
read_arguments() {
  local argument
  for argument in "$@"; do
    case $argument in
      -h | --help) usage; exit 0 ;;
      --list) listing=1 ;;
      -*) echo "unknown option '$argument'" >&2; usage >&2; exit 2 ;;
      *) patterns+=("$argument") ;;
    esac
  done
}

passed=0 failed=0

# Prints the sum of the results, and is true if all is well.
totals() {
  ((passed + failed)) || echo "no case matches: ${patterns[*]}" >&2
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

# Prints the result of a case: $1 is ok or FAIL, $2 the name, $3 the seconds.
report() {
  printf '%s %s %s\n' "$1" "$2" "$3"
  if [[ $1 == ok ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# Reports what a program of cases printed, a line "ok|FAIL NAME SECONDS" for each, as cases of $1. Its
# output is in $2.out and $2.err, its exit status was $3, and it was started at $4, a result of now.
# False, and the output is shown, if not all is well.
report_cases() {
  local group=$1 log=$2 status=$3 start=$4 told=0 result name seconds
  while read -r result name seconds; do
    report "$result" "$group/$name" "$seconds"
    told=$((told + 1))
  done < <(grep -E '^(ok|FAIL) [^ ]+ [0-9.]+$' "$log.out")
  # Its own death, or silence, is a failure too; after FAIL lines status 1 is as it should be.
  if ((status > 1 || told == 0)) || { ((status == 1)) && ! grep -q '^FAIL ' "$log.out"; }; then
    report FAIL "$group/exit-status-$status" "$(since "$start")"
  fi
  ((status == 0 && told > 0)) || { explain "$log.out" "$log.err"; return 1; }
}

# Shows the end of the log files $@ of something that failed.
explain() {
  local file
  for file in "$@"; do
    [[ ! -s $file ]] || { echo "  $file:"; tail -n 8 "$file" | cut -c1-200 | sed 's/^/    /'; } >&2
  done
}

# True if the name $1 is to be run; with --list it is printed instead.
selected() {
  local pattern match=$((${#patterns[@]} == 0))
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053  # a pattern is meant
    [[ $1 != $pattern ]] || match=1
  done
  ((match)) || return 1
  ((listing)) || return 0
  echo "$1"
  return 1
}

# shellcheck disable=SC2154  # who waits has set case_seconds
# Waits until file $1, written by process $2, has a line that matches $3; case_seconds at most.
await_line() {
  local deadline=$((SECONDS + case_seconds))
  until grep -qs "$3" "$1"; do
    kill -0 "$2" 2>/dev/null && ((SECONDS < deadline)) || return 1
    sleep 0.05
  done
}

# True if somebody listens on TCP port $1.
listens() {
  grep -qE "$(printf ':%04X 0+:0000 0A' "$1")" /proc/net/tcp /proc/net/tcp6
}

# Sets drop_in_java: the command that starts classes of this tree on the libibverbs of this build instead of the
# installed one. It is built if it is missing.
# shellcheck disable=SC2154  # who asks has set root, and sourced bin/jdk25
find_drop_in() {
  find_jdk25 && "$root/bin/verbena" run true || return
  drop_in_java=("$JDK25_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCondCardMark --enable-native-access=ALL-UNNAMED
    "-Ddev.verbena.rdmacore.library=$root/dropin/target/native/libibverbs.so.1"
    -cp "$(printf "$root/%s/target/classes:" interop dropin rdmacore soft wire verbs)")
}
