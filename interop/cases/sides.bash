# A program of the guest and one of ours on the host, which meet by TCP, as the ping-pongs and perftest do.
# Sourced by run and adapters.
# shellcheck shell=bash disable=SC2154  # run and the cases set the variables

# In the guest: polling must not keep rxe from the CPU.
readonly nicely="python3 -c 'import os, sys; os.nice(19); os.execvp(sys.argv[1], sys.argv[1:])'"

port=18515                                  # counted up: no case can meet another's left-overs

# Plays a case, up to three times if the guest stands still, and reports it. Both commands lack only the port
# and, on the client, the address of the server. Function $judge says whether all is well: it gets the process
# of the server and of the client, and their logs.
#   $1 name  $2 our role: client|server  $3 program of the guest; variables guest and host are the commands
play() {
  local name=$1 role=$2 program=$3 log=$logs/${1//\//-} start result=FAIL attempt why
  for attempt in 1 2 3; do
    : >"$log.guest" >"$log.host"            # nobody shall read an earlier run's lines
    start=$(now)
    port=$((port + 1))
    if "play_as_$role"; then
      result=ok
      break
    fi
    ((attempt < 3)) || break
    if guest_stood_still "$log.host"; then
      why='the guest stood still'
    elif guest_found_no_clock "$log.guest"; then
      why="the guest's perftest could not measure its clock"
    else
      break
    fi
    echo "again $name: $why ($attempt)"
    cp "$log.host" "$log.host.$attempt"
    cp "$log.guest" "$log.guest.$attempt"
  done
  report $result "$name" "$(since "$start")"
  [[ $result == ok ]] || explain "$log.guest" "$log.host"
}

# True if our side's log $1 ends because nothing more came from the guest: rxe has stopped in the
# middle of a message, or got no CPU for half a second (README.md). That is worth another attempt;
# anything else is not, least of all wrong data.
guest_stood_still() {
  grep -qE 'nothing completed for|Failed status.*\(12\) for wr_id 2' "$1"
}

# True if the guest's log $1 says that perftest could not measure the speed of the guest's clock, because this computer
# is busy: then the times that it prints are infinite.
guest_found_no_clock() {
  grep -q '^Correlation coefficient r^2: .* < ' "$1"
}

# Both start the server, wait until it listens (a client gives up when it is refused) and start
# the client; they use play's variables. The peers meet at the IPv4 address even for IPv6
# GIDs, because the C programs listen on IPv4 only.
play_as_client() {
  "${in_guest[@]}" "timeout $case_seconds $nicely $program ${guest[*]} -p $port & pid=\$!
    $(declare -f listens)
    until listens $port || ! kill -0 \$pid 2>/dev/null; do sleep 0.02; done
    printf '\\nlistening\\n'               # the program's buffer may end within a line
    wait \$pid" >"$log.guest" 2>&1 &
  local server=$!
  await_line "$log.guest" $server '^listening' || { stop_sides $server; return 1; }
  "${on_host[@]}" "${host[@]}" -p "$port" $guest4 >"$log.host" 2>&1 &
  "$judge" $server $! "$log.guest" "$log.host"
}

play_as_server() {
  local deadline=$((SECONDS + case_seconds))
  "${on_host[@]}" "${host[@]}" -p "$port" >"$log.host" 2>&1 &
  local server=$!
  until "$lab/rxe-lab" host bash -c "$(declare -f listens); listens $port"; do
    kill -0 $server 2>/dev/null && ((SECONDS < deadline)) || { stop_sides $server; return 1; }
    sleep 0.05
  done
  "${in_guest[@]}" "timeout $case_seconds $nicely $program ${guest[*]} -p $port $host4" >"$log.guest" 2>&1 &
  "$judge" $server $! "$log.host" "$log.guest"
}

# Stops what is left of a case: processes $@ here, and the program in the guest.
stop_sides() {
  kill "$@" 2>/dev/null || true
  "${in_guest[@]}" "killall -q ${program%% *}" </dev/null >/dev/null 2>&1 || true
  wait "$@" 2>/dev/null || true
}
