# perftest's C programs in the guest against our tools (send-lat and so on) on the host, in both roles.
# Sourced by run, and by adapters for its judge.
# shellcheck shell=bash disable=SC2154  # run sets the variables

# Every tool as client and as server, over IPv4 and IPv6.
perf_cases() {
  local family=perf role ip                 # the role is ours
  for role in client server; do
    for ip in ipv4 ipv6; do
      perf send_lat   RC default -n 200 -s 1025
      perf send_bw    RC default -n 100 -s 16385
      perf write_lat  RC default -n 200 -s 1025
      perf write_bw   RC default -n 100 -s 16385
      perf read_lat   RC default -n 200 -s 1025
      perf read_bw    RC default -n 100 -s 16385
      perf atomic_lat RC default -n 200
      perf atomic_bw  RC default -n 200
    done
  done
}

# Runs one case; variables family, role and ip say more.
#   $1 program without ib_  $2 service  $3 end of the name  rest: options of both ends
perf() {
  local tool=$1 service=$2 label=$3 name=$family/${1/_/-}/$role/$ip/$2-$3 device judge=judge_perf
  shift 3
  selected "$name" && in_time "$name" || return 0
  device=soft:${host_address[$ip]}
  local guest=(-F -d rxe0 -x "${guest_gid[$ip]}" -c "$service" "$@")
  local host=("$verbena" "${tool/_/-}" -d "$device" -x 0 -c "$service" --timeout 20 "$@")
  play "$name" "$role" "ib_$tool"
}

# True if both processes end well, and the client, whose log is $4, prints its result.
judge_perf() {
  local server=$1 client=$2 client_log=$4 status=0
  wait -n "$server" "$client" || status=$?
  ((status == 0)) || stop_sides "$server" "$client"
  wait "$server" || status=$?
  wait "$client" || status=$?
  ((status == 0)) && (($(grep -cE '^ +[0-9]+ +[0-9]+ +[0-9.]+ ' "$client_log") == 1))
}
