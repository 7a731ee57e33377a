# What the scripts of this folder that start guests have in common: the lab with a kernel, and how long it may take.
# Sourced by them, with root and logs set.
# shellcheck shell=bash disable=SC2154  # they set the variables

lab=${RXE_LAB:-$root/../shared/rxe-lab}

# A lab of our own, so that runs side by side do not meet, and never left behind for long.
export RXE_LAB_NAME=verbena-$$ RXE_LAB_MTU=4200 RXE_LAB_CPUS=2 RXE_LAB_GUESTS=1
export RXE_LAB_PROJECT=$root               # the guest sees the repository as /project

# The lab's addresses, and the guest's GID index for each kind.
readonly guest4=10.77.0.2 host4=10.77.0.1 host6=fd77::1
declare -rA guest_gid=([ipv4]=1 [ipv6]=2) host_address=([ipv4]=$host4 [ipv6]=$host6)

# Prefixes of a command for the guest or the lab's host. A case normally takes 1 to 5 s.
readonly case_seconds=60
readonly in_guest=(timeout --kill-after=5 $((case_seconds + 5)) "$lab/rxe-lab" run)
readonly on_host=(timeout --kill-after=5 $case_seconds "$lab/rxe-lab" host)
# In the guest: rxe asks the routing table where a group is.
readonly route_groups="ip route replace 224.0.0.0/4 dev eth0"

skipped=0

# True if there is time left for case $1; otherwise it has failed.
in_time() {
  ((SECONDS < ${INTEROP_SECONDS:-840})) || { report FAIL "$1" 0.0; return 1; }
}

# Prints how many seconds a case may take: $1, or what is left of the run.
seconds_left() {
  local left=$((${INTEROP_SECONDS:-840} - SECONDS))
  echo $(($1 < left ? $1 : left > 1 ? left : 1))
}

cannot_start() {
  {
    echo "interop: ************************************************************"
    echo "interop: the rxe lab of $RXE_LAB_SUITE cannot start: $*"
    echo "interop: nothing was tested against that Linux kernel."
    echo "interop: ************************************************************"
  } >&2
  [[ ${CI:-} != true ]] || exit 1
  echo "SKIPPED kernel interop of $RXE_LAB_SUITE: $*"
  skipped=$((skipped + 1))
  return 1
}

# Starts the lab with the kernel of RXE_LAB_SUITE.
start_lab() {
  local start up=0
  start=$(now)
  [[ $(id -u) == 0 ]] || { cannot_start "it needs root"; return 1; }
  [[ -x $lab/rxe-lab && -x $lab/setup.sh ]] ||
    { cannot_start "no rxe-lab in $lab (RXE_LAB)"; return 1; }
  timeout 600 "$lab/setup.sh" >"$logs/setup-$RXE_LAB_SUITE.log" 2>&1 ||
    { explain "$logs/setup-$RXE_LAB_SUITE.log"; cannot_start "setup.sh failed"; return 1; }
  trap stop_lab EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  boot_lab || up=$?
  # Emulated CPUs now and then trip over code of the booting kernel that another one is patching.
  if ((up)) && grep -q 'Kernel panic' "$logs/up-$RXE_LAB_SUITE.log"; then
    echo "the guest's kernel has panicked while it booted; once more" >&2
    "$lab/rxe-lab" down || true
    up=0
    boot_lab || up=$?
  fi
  ((up == 0)) || { explain "$logs/up-$RXE_LAB_SUITE.log"; cannot_start "rxe-lab up failed"; return 1; }
  echo "lab up after $(since "$start") s: $("$lab/rxe-lab" status)"
}

# Before others: where its emulated CPUs get none for half a second, connections break.
boot_lab() {
  nice -n -5 env -u JAVA_HOME timeout 180 "$lab/rxe-lab" up >"$logs/up-$RXE_LAB_SUITE.log" 2>&1
}

stop_lab() {
  local pid
  for pid in $(jobs -p); do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  "$lab/rxe-lab" down
  peer_pid=
}

# Runs the cases of functions $2... with the kernel of suite $1, or lists them.
on_kernel() {
  local function
  export RXE_LAB_SUITE=$1
  shift
  if ((listing)); then
    for function in "$@"; do "$function"; done
    return 0
  fi
  # A kernel of which no case is wanted is not started.
  [[ -n $(listing=1; for function in "$@"; do "$function"; done) ]] || return 0
  start_lab || return 0
  for function in "$@"; do "$function"; done
  stop_lab
}

# The last lines of a script: the sum of the cases, unless no lab could start.
sum_up() {
  if ((!listing && skipped == 0 || passed + failed > 0)); then
    totals
  fi
}
