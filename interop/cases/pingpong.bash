# The unmodified ping-pongs of libibverbs in the guest against ours on the host: the Java tools, and the
# same C programs on our libibverbs.so.1. Sourced by run, and by adapters for its judge.
# shellcheck shell=bash disable=SC2154  # run sets the variables

# IPv6 has other headers, not another transport: one case of each kind is enough there.
pingpong_cases() {
  local role ip family=pingpong
  for role in client server; do             # ours; the kernel has the other one
    every_pingpong "$role" ipv4
    ip=ipv6
    pingpong "rc/$role/$ip/size-1025" no '' -n 1000 -s 1025
    pingpong "rc/$role/$ip/mtu-256" no '' -n 1000 -s 8193 -m 256
    pingpong "uc/$role/$ip/size-1025" no '' -n 500 -s 1025
    pingpong "ud/$role/$ip/size-1023" no '' -n 500 -s 1023
    pingpong "srq/$role/$ip/events" no '' -n 500 -e
    pingpong "rc/$role/$ip/loss-1024" yes '' -n 200 -e -s 1024
  done
}

# The C programs on both sides.
c_pingpong_cases() {
  local role family=c-pingpong
  for role in client server; do
    pingpong "rc/$role/ipv4/size-1025" no '' -n 300 -s 1025
    pingpong "rc/$role/ipv4/events" no '' -n 500 -e
    pingpong "rc/$role/ipv4/wr-api" no -N -n 300
    pingpong "rc/$role/ipv4/loss-1024" yes '' -n 200 -e -s 1024
    pingpong "uc/$role/ipv4/size-1025" no '' -n 500 -s 1025
    pingpong "ud/$role/ipv4/size-1023" no '' -n 500 -s 1023
    pingpong "srq/$role/ipv4/size-1025" no '' -n 300 -s 1025
  done
}

every_pingpong() {
  local role=$1 ip=$2 size mtu kind
  for size in 1 1024 1025 4096 65536; do
    pingpong "rc/$role/$ip/size-$size" no '' -n 1000 -s $size
  done
  for mtu in 256 512 1024 2048 4096; do
    pingpong "rc/$role/$ip/mtu-$mtu" no '' -n 1000 -s 8193 -m $mtu
  done
  for size in 1 1025 65536; do
    pingpong "uc/$role/$ip/size-$size" no '' -n 500 -s $size
  done
  for mtu in 256 4096; do
    pingpong "uc/$role/$ip/mtu-$mtu" no '' -n 500 -s 8193 -m $mtu
  done
  for size in 1 1023 4096; do
    pingpong "ud/$role/$ip/size-$size" no '' -n 500 -s $size
  done
  for size in 1 1025 16384; do
    pingpong "srq/$role/$ip/size-$size" no '' -n 1000 -s $size
  done
  for kind in rc uc ud srq; do
    pingpong "$kind/$role/$ip/events" no '' -n 500 -e
  done
  pingpong "srq/$role/$ip/qps-1" no '' -n 500 -q 1 -r 1
  pingpong "srq/$role/$ip/qps-64" no '' -n 500 -q 64
  pingpong "rc/$role/$ip/wr-api" no -N -n 1000
  for size in 1024 65536; do
    pingpong "rc/$role/$ip/loss-$size" yes '' -n 200 -e -s $size
  done
  # One queue pair: with several, either end may leave while the other still lacks an answer.
  pingpong "srq/$role/$ip/loss" yes '' -n 100 -e -q 1 -s 2000
}

# Runs one case, by the Java tool on our side or, if family is c-pingpong, by the C program.
#   $1 name: KIND/OUR_ROLE/ipv4|ipv6/...  $2 lossy: yes|no  $3 options for our side  rest: for both
pingpong() {
  local name=$family/$1 lossy=$2 ours=$3 kind role ip device tool judge=judge_pingpong
  IFS=/ read -r kind role ip _ <<<"$1"
  shift 3
  selected "$name" && in_time "$name" || return 0
  device=soft:${host_address[$ip]}
  [[ $lossy == no ]] || device+=$loss
  tool=("$verbena" "$kind-pingpong" -d "$device")
  [[ $family == pingpong ]] || tool=("$verbena" run -d "$device" -- "ibv_${kind}_pingpong")
  local guest=(-c -d rxe0 -g "${guest_gid[$ip]}" "$@")
  # shellcheck disable=SC2206  # $ours is a list of words
  local host=("${tool[@]}" -c -g 0 $ours "$@")
  play "$name" "$role" "ibv_${kind}_pingpong"
}

# True if processes $1 (server) and $2 (client) end well, and server log $3 tells of right data
# (only the server checks them). When one fails, the other is stopped.
judge_pingpong() {
  local server=$1 client=$2 server_log=$3 client_log=$4 first status=0
  wait -n -p first "$server" "$client" || status=$?
  if ((status == 0)) && [[ $first == "$client" ]]; then
    wait "$server" || return 1
  elif ((status == 0)) && [[ $lossy == no ]]; then
    wait "$client" || return 1
  elif ((status == 0)); then
    ends_soon "$client" || { stop_sides "$client"; missed_last_ack "$client_log" || return 1; }
  elif [[ $lossy == yes && $first == "$client" ]] && missed_last_ack "$client_log"; then
    wait "$server" || return 1
  else
    stop_sides "$server" "$client"
    return 1
  fi
  grep -q ' iters in ' "$server_log" && ! grep -q 'invalid data' "$server_log"
}

# After the server of a lossy run has ended well, the client may lack the acknowledgement of its
# last SEND (wr_id 2), and nobody is left to repeat it. Then, and only then, it may fail with
# status 12, retries exceeded, or go on for ever.
missed_last_ack() {
  ! grep -q 'Failed' "$1" || grep -q 'Failed status.*(12) for wr_id 2' "$1"
}

# True if process $1 ends well within a few seconds.
ends_soon() {
  local deadline=$((SECONDS + 5))
  while kill -0 "$1" 2>/dev/null; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
  wait "$1"
}
