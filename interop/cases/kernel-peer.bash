# Our Java peer on the host drives guest/verbs_peer.py: one-sided operations, atomics and errors
# from each side. Sourced by run.
# shellcheck shell=bash disable=SC2154  # run sets the variables

readonly peer_port=18600 peer_seconds=240
peer_pid= peer_built=
readonly peer_main=dev.verbena.interop.KernelPeer
readonly peer_class_path=${INTEROP_CLASS_PATH:-$(printf "$root/%s/target/classes:" interop verbs wire soft)}

kernel_peer_cases() {
  local ip
  for ip in ipv4 ipv6; do
    kernel_peer "peer/$ip" $ip '' connection,window,datagram
    kernel_peer "peer/$ip-loss" $ip "$loss" connection,window
  done
}

# What only the newer kernel has, and what may have changed in it.
new_kernel_peer_cases() {
  kernel_peer "peer-6.12/ipv4" ipv4 '' flush,window,datagram
  kernel_peer "peer-6.12/ipv6" ipv6 '' flush
  kernel_peer "peer-6.12/ipv4-loss" ipv4 "$loss" flush
}

# Compiles what is newer than its classes, once.
build_kernel_peer() {
  [[ -z $peer_built ]] || return 0
  (cd "$root" && run_mvn -q -B -pl interop -am -Dquick -Dmaven.test.skip=true compile) \
    </dev/null >"$logs/build.log" 2>&1 || { explain "$logs/build.log"; return 1; }
  peer_built=yes
}

# Runs one group; the Java program prints a line "ok|FAIL NAME SECONDS" for each of its cases.
#   $1 group  $2 ipv4|ipv6  $3 what follows the address in our device's name  $4 sets of cases
kernel_peer() {
  local group=$1 sets=$4 device=soft:${host_address[$2]}$3 gid=${guest_gid[$2]}
  local log start status=0
  selected "$group" && in_time "$group" || return 0
  log=$logs/${group//\//-}
  start=$(now)
  build_kernel_peer || { report FAIL "$group/build" "$(since "$start")"; return 0; }
  start_verbs_peer || { report FAIL "$group/verbs_peer.py" "$(since "$start")"; return 0; }
  timeout --kill-after=5 $peer_seconds "$lab/rxe-lab" host \
    "$JDK25_HOME/bin/java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$peer_class_path" $peer_main \
    --device "$device" --peer "$guest4:$peer_port" --peer-gid "$gid" --cases "$sets" \
    >"$log.out" 2>"$log.err" || status=$?
  report_cases "$group" "$log" "$status" "$start" || explain "$logs/verbs_peer.log"
}

# Copies verbs_peer.py into the guest and starts it there, once for each guest.
start_verbs_peer() {
  if [[ -z $peer_pid ]]; then
    : >"$logs/verbs_peer.log"               # nobody shall read an earlier run's line
    timeout "$RXE_LAB_LIFETIME" "$lab/rxe-lab" run "cat >/tmp/verbs_peer.py &&
      $route_groups &&
      exec python3 /tmp/verbs_peer.py --port $peer_port" <"$here/guest/verbs_peer.py" \
      >"$logs/verbs_peer.log" 2>&1 &
    peer_pid=$!
  fi
  await_line "$logs/verbs_peer.log" "$peer_pid" '^listening' ||
    { explain "$logs/verbs_peer.log"; return 1; }
}
