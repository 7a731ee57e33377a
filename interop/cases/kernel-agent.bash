# Management datagrams to queue pair 1 of the guest's rxe: from our device on the host, and by
# libibumad from within the guest. Sourced by run.
# shellcheck shell=bash disable=SC2154  # run sets the variables

readonly agent_main=dev.verbena.interop.mads.KernelAgent
# From this, the address of the first guest's network card, rxe makes GID 0. Over IPv4 the kernel
# does not know answers: it compares GIDs with a header that only IPv6 has.
readonly guest_link_local=fe80::5054:ff:fe77:2

kernel_agent_cases() { on_agents mads; }

new_kernel_agent_cases() { on_agents mads-6.12; }

#   $1 prefix of the groups' names
on_agents() {
  kernel_agent "$1/qp1" "$root" "soft:$host4" "::ffff:$guest4" "$lab/rxe-lab" host \
    "$JDK25_HOME/bin/java"
  kernel_agent "$1/umad" /project rxe0 $guest_link_local "$lab/rxe-lab" run /jdk/bin/java
}

#   $1 group  $2 where Java finds the repository  $3 our device  $4 GID of the agent  $5... java
kernel_agent() {
  local group=$1 folder=$2 device=$3 gid=$4 log=$logs/${1//\//-} start status=0
  shift 4
  selected "$group" && in_time "$group" || return 0
  start=$(now)
  build_kernel_peer || { report FAIL "$group/build" "$(since "$start")"; return 0; }
  timeout --kill-after=5 $case_seconds "$@" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m \
    --enable-native-access=ALL-UNNAMED \
    -cp "$(printf "$folder/%s/target/classes:" interop mad verbs wire soft rdmacore)" \
    $agent_main "$device" "$gid" >"$log.out" 2>"$log.err" || status=$?
  report_cases "$group" "$log" "$status" "$start" || true
}
