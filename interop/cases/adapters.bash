# Java in the guest on rxe0: the example of README, sudden ends, tools, the conformance suite. Sourced by adapters.
# shellcheck shell=bash disable=SC2154  # adapters sets the variables

# The guest is slow: its processors are emulated. The better compiler would take more time than it saves.
readonly guest_java="/jdk/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto --enable-native-access=ALL-UNNAMED"

# Packages of the suite; a process each, so that a crash is one of these only.
readonly suite=(completion datagrams devices events lifetimes memory paths posting python queuepairs raw receiving
  sending transport vtools xrc)

# What --quick runs of the suite, in one process.
readonly suite_chosen='(sending.(SendTest|RdmaWriteTest|RdmaReadTest|AtomicTest|PostSendListTest)|memory.(MrKeyTest|MrRegistrationTest|MwType1Test|MwType2Test)|datagrams.UdTest|transport.UcTest|receiving.SrqTrafficTest|completion.(CqTest|CqExCursorTest|CqNotifyTest|CompletionChannelTest)|events.AsyncEventTest|lifetimes.OwnershipTest|queuepairs.(QpStateTest|QpDestroyTest)|posting.PostBatchContractTest|vtools.CompletionsTest)'

# Of the suite, on two devices: traffic of each type.
readonly suite_traffic='(sending.(SendTest|RdmaWriteTest|RdmaReadTest|AtomicTest)|datagrams.UdTest|transport.UcTest|receiving.SrqTrafficTest)'

# Builds what the guest runs: classes, the jars that they need, and a Java runtime for them.
prepare_guest() {
  local example=$root/examples/src/main/java/dev/verbena/examples/HelloRdma.java
  find_jdk25 &&
    (cd "$root" && run_mvn -q -B -ntp -pl tck,interop,rdmacore,tools -am -Dquick test-compile \
      dependency:copy-dependencies -DexcludeGroupIds=dev.verbena -DoutputDirectory="$logs/lib") </dev/null &&
    rm -rf "$runtime" "$logs/example" && mkdir -p "$logs/example" &&
    "$JDK25_HOME/bin/jlink" --add-modules java.base,java.logging,java.management,jdk.jfr,jdk.management,jdk.net \
      --no-header-files --no-man-pages --strip-debug --compress zip-0 --generate-cds-archive --output "$runtime" &&
    sed 's/"soft0"/"rxe0"/' "$example" >"$logs/example/HelloRdma.java" && # as it is, but for the device's name
    "$JDK25_HOME/bin/javac" -d "$logs/example" -cp "$root/verbs/target/classes" "$logs/example/HelloRdma.java"
}

# Class path in the guest: these modules, and the jars of others.
guest_class_path() {
  printf '/project/%s/target/classes:' "$@"
  echo "/project/target/interop/lib/*"
}

guest_tool="$guest_java -cp '$(guest_class_path tools verbs wire rdmacore soft)' dev.verbena.tools.Main"
readonly guest_tool

adapter_cases() {
  local role group surroundings='closed locked huge'
  local checked=(-c -e -n 100)
  example_case "$kernel/example"
  guest_case "$kernel/ends" "guest/sudden-ends 'killed closed removed'" \
    "$guest_java -cp '$(guest_class_path interop verbs rdmacore)' dev.verbena.interop.SuddenEnds"
  taken_case "$kernel/ends"
  ((quick)) || surroundings='anybody closed within_the_limit locked nothing_locked rootless root huge'
  guest_case "$kernel/surroundings" \
    "guest/surroundings '$surroundings' '/project/target/interop/example:$(guest_class_path interop verbs rdmacore)'" \
    "$guest_java"
  two_devices "$kernel/tools" "$kernel/two"
  if ((quick)); then
    guest_case "$kernel/tools" "guest/tools 'devinfo asyncwatch rc-pingpong' rxe1 rxe2" "$guest_tool"
    pair client rc-pingpong "${checked[@]}" -s 5000
    native_peer "$kernel/peer"
    suite_case "$kernel/suite/chosen" "$suite_chosen" rxe0
    return 0
  fi
  drop_in_case "$kernel/drop-in"
  guest_case "$kernel/tools" \
    "guest/tools 'devices devinfo asyncwatch rc-pingpong uc-pingpong ud-pingpong srq-pingpong demo' rxe1 rxe2" "$guest_tool"
  native_peer "$kernel/peer"
  suite_case "$kernel/two" "$suite_traffic" rxe1,rxe2
  for role in client server; do
    pair "$role" rc-pingpong "${checked[@]}" -s 5000
    pair "$role" uc-pingpong "${checked[@]}" -s 1025
    pair "$role" ud-pingpong "${checked[@]}" -s 1023
    pair "$role" srq-pingpong "${checked[@]}" -s 1025
    pair "$role" write-lat -n 100 -s 1025
    pair "$role" read-lat -n 100 -s 5000
    pair "$role" atomic-lat -n 100
  done
  for group in "${suite[@]}"; do
    suite_case "$kernel/suite/$group" "$group\\..*Test" rxe0 "$(is_absent "$group")"
  done
  absent_case "$kernel/suite/absent"
}

# Whether all tests of package $1 may be skipped: of these rxe has next to nothing.
is_absent() {
  [[ $1 == raw || $1 == xrc ]] && echo true || echo false
}

# README's first example.
example_case() {
  local log=$logs/${1//\//-} start
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  if "${in_guest[@]}" "$guest_java -cp /project/target/interop/example:$(guest_class_path verbs rdmacore)" \
    dev.verbena.examples.HelloRdma >"$log.out" 2>"$log.err" && [[ $(<"$log.out") == "SUCCESS: hello" ]]; then
    report ok "$1" "$(since "$start")"
  else
    report FAIL "$1" "$(since "$start")"
    explain "$log.out" "$log.err"
  fi
}

# Makes rxe1 and rxe2 in the guest, if one of the cases $@ is wanted.
two_devices() {
  local name log=$logs/two-devices.log
  ((!listing)) && [[ -n $(listing=1; for name in "$@"; do selected "$name"; done) ]] || return 0
  "${in_guest[@]}" /project/interop/guest/two-devices >"$log" 2>&1 || explain "$log"
}

# Cases that script $2 of this folder plays in the guest, with the command $3. All tools take four minutes there, and
# more if something else runs here.
guest_case() {
  local log=$logs/${1//\//-} start status=0
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  timeout --kill-after=5 "$(seconds_left 600)" "$lab/rxe-lab" run "/project/interop/$2" "$3" >"$log.out" 2>"$log.err" || status=$?
  report_cases "$1" "$log" "$status" "$start" || true
}

# A device that is taken away at once, as drivers of adapters do, and rxe does not: a software device, by the libibverbs
# of this build.
taken_case() {
  local log=$logs/${1//\//-}-taken start status=0
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  find_drop_in >"$log.out" 2>"$log.err" &&
    VERBENA_DEVICE=soft:10.99.0.1?link=udp unshare -n "$here/guest/sudden-ends" taken \
      "${drop_in_java[@]}" dev.verbena.interop.SuddenEnds >"$log.out" 2>"$log.err" || status=$?
  report_cases "$1" "$log" "$status" "$start" || true
}

# All ping-pongs between two processes here, by the libibverbs of this build: XRC as well, which rxe does not have.
# Each process gets an address of its own for soft0.
drop_in_case() {
  local log=$logs/${1//\//-} start status=0
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  find_drop_in >"$log.out" 2>"$log.err" &&
    VERBENA_DEVICE=soft0 unshare -n bash -c 'ip link set lo up && exec "$@"' - "$here/guest/tools" \
      'rc-pingpong uc-pingpong ud-pingpong srq-pingpong xsrq-pingpong' rdmacore:soft0 rdmacore:soft0 \
      "${drop_in_java[@]}:$root/tools/target/classes:$logs/lib/*" dev.verbena.tools.Main \
      >"$log.out" 2>"$log.err" || status=$?
  report_cases "$1" "$log" "$status" "$start" || true
}

# A tool on rxe0 in the guest against the same tool on the software device here, by sides.bash.
#   $1 our role  $2 tool  rest: options of both ends
pair() {
  local role=$1 tool=$2 name=$kernel/pair/$2/$1 judge=judge_perf lossy=no gid=-x
  shift 2
  selected "$name" && in_time "$name" || return 0
  [[ $tool != *-pingpong ]] || { gid=-g judge=judge_pingpong; }
  # shellcheck disable=SC2034  # play and the judges read them
  local guest=(-d rxe0 $gid "${guest_gid[ipv4]}" "$@") host=("$verbena" "$tool" -d "soft:$host4" $gid 0 "$@")
  play "$name" "$role" "$guest_tool $tool"
}

# Each operation in both directions: rxe0 as a device of libibverbs in the guest, and our software device here, which
# guest/verbs_peer.py drives on the drop-in. The Java program in the guest prints a line a case.
native_peer() {
  local name=$1 sets=connection,window,datagram log=$logs/${1//\//-} start status=0 peer
  [[ $kernel == 6.1 ]] || sets+=,flush      # since Linux 6.4
  selected "$name" && in_time "$name" || return 0
  start=$(now)
  port=$((port + 1))
  : >"$log.peer"                            # nobody shall read an earlier run's line
  VERBENA_DEVICE=soft:$host4 timeout 600 "$lab/rxe-lab" host "$verbena" run -- /usr/bin/python3 \
    "$here/guest/verbs_peer.py" --device "soft_${host4//./_}" --interface rxebr --address $host4 \
    --port $port >"$log.peer" 2>&1 &
  peer=$!
  if await_line "$log.peer" $peer '^listening'; then
    timeout --kill-after=5 "$(seconds_left 560)" "$lab/rxe-lab" run "$route_groups; $guest_java" \
      -cp "'$(guest_class_path interop verbs wire rdmacore)'" dev.verbena.interop.KernelPeer --device rxe0 \
      --gid "${guest_gid[ipv4]}" --peer "$host4:$port" --peer-gid 0 --cases "$sets" \
      >"$log.out" 2>"$log.err" || status=$?
    report_cases "$name" "$log" "$status" "$start" || explain "$log.peer"
  else
    report FAIL "$name/verbs_peer.py" "$(since "$start")"
    explain "$log.peer"
  fi
  kill $peer 2>/dev/null || true
  wait $peer 2>/dev/null || true
}

# Tests of the conformance suite. What rxe does otherwise must fail, and is excused by name, words and reason.
#   $1 name  $2 regular expression of classes  $3 devices
suite_case() {
  local log=$logs/${1//\//-} start status=0
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  timeout --kill-after=5 "$(seconds_left 1500)" "$lab/rxe-lab" run "$route_groups; ulimit -n 8192; cd /tmp; $guest_java -Xmx1g" \
    -Dverbena.tck.links=NATIVE -Dverbena.tck.devices="$3" -Dverbena.tck.excused.run=true \
    -Dverbena.tck.excused=native,rxe -Dverbena.tck.mayBeSkipped="${4:-false}" \
    -Djunit.jupiter.execution.parallel.config.fixed.parallelism=3 \
    -Djava.util.logging.config.file=/project/.mvn/test-logging.properties \
    -cp "'/project/tck/target/test-classes:$(guest_class_path tck proofs verbs wire rdmacore soft)'" \
    dev.verbena.tck.suite.Suite "'$2'" "; status=\$?; cat hs_err* 2>/dev/null; exit \$status" \
    >"$log.out" 2>"$log.err" || status=$?
  report_cases "$1" "$log" "$status" "$start" || grep -E '^(failed|needless)|^  the list says ' "$log.err" >&2 || true
  suite_logs+=("$log.out")
}

suite_logs=()

# Whether the suite has met all that a list says to be absent, if each of its packages has run now.
absent_case() {
  local lists=$root/tck/src/test/resources/dev/verbena/tck/kit/links logs_of_all=() group entry start needless=()
  selected "$1" || return 0
  start=$(now)
  for group in "${suite[@]}"; do
    logs_of_all+=("$logs/$kernel-suite-$group.out")
    if [[ " ${suite_logs[*]} " != *" ${logs_of_all[-1]} "* ]]; then
      report FAIL "$1" 0
      echo "  package $group has not run now: play '$kernel/suite/*'" >&2
      return 0
    fi
  done
  while read -r entry; do
    grep -qxF "absent $entry" "${logs_of_all[@]}" || needless+=("$entry")
  done < <(cat "$lists"/{native,rxe}-absent.txt | grep -v '^#')
  if ((${#needless[@]})); then
    report FAIL "$1" "$(since "$start")"
    printf '  listed as absent without need: %s\n' "${needless[@]}" >&2
  else
    report ok "$1" "$(since "$start")"
  fi
}

# The counts of all that ran of the suite.
tell_suite() {
  ((${#suite_logs[@]})) || return 0
  awk '/^[0-9]+ passed, / { p += $1; e += $3; s += $8; f += $10; n += $12 }
    END { print "suite: " p " passed, " e " failed and are excused, " s " skipped, " f " failed; " n " excused without need" }' \
    "${suite_logs[@]}"
}
