# Java in the guest on rxe0: the example of README, sudden ends, the conformance suite. Sourced by adapters.
# shellcheck shell=bash disable=SC2154  # adapters sets the variables

# The guest is slow: its processors are emulated. The better compiler would take more time than it saves.
readonly guest_java="/jdk/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto --enable-native-access=ALL-UNNAMED"

# Packages of the suite; a process each, so that a crash is one of these only.
readonly suite=(completion datagrams devices events lifetimes memory paths posting python queuepairs raw receiving
  sending transport vtools xrc)

# What --quick runs of the suite, in one process.
readonly suite_chosen='(sending.(SendTest|RdmaWriteTest|RdmaReadTest|AtomicTest|PostSendListTest)|memory.(MrKeyTest|MrRegistrationTest|MwType1Test|MwType2Test)|datagrams.UdTest|transport.UcTest|receiving.SrqTrafficTest|completion.(CqTest|CqExCursorTest|CqNotifyTest|CompletionChannelTest)|events.AsyncEventTest|lifetimes.OwnershipTest|queuepairs.(QpStateTest|QpDestroyTest)|posting.PostBatchContractTest|vtools.CompletionsTest)'

# Builds what the guest runs: classes, the jars that they need, and a Java runtime for them.
prepare_guest() {
  local example=$root/examples/src/main/java/dev/verbena/examples/HelloRdma.java
  find_jdk25 &&
    (cd "$root" && run_mvn -q -B -ntp -pl tck,interop,rdmacore -am -Dquick test-compile \
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

adapter_cases() {
  local group
  example_case 6.12/example
  ends_case 6.12/ends
  if ((quick)); then
    suite_case 6.12/suite/chosen "$suite_chosen" rxe0
    return 0
  fi
  for group in "${suite[@]}"; do
    suite_case "6.12/suite/$group" "$group\\..*Test" rxe0
  done
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

# What happens to a program with everything open: guest/sudden-ends.
ends_case() {
  local log=$logs/${1//\//-} start status=0
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  timeout --kill-after=5 240 "$lab/rxe-lab" run /project/interop/guest/sudden-ends "$guest_java" \
    -cp "'$(guest_class_path interop verbs rdmacore)'" dev.verbena.interop.SuddenEnds \
    >"$log.out" 2>"$log.err" || status=$?
  report_cases "$1" "$log" "$status" "$start" || true
}

# Tests of the conformance suite. What rxe does otherwise must fail, and is excused by name and reason.
#   $1 name  $2 regular expression of classes  $3 devices
suite_case() {
  local log=$logs/${1//\//-} start status=0
  selected "$1" && in_time "$1" || return 0
  start=$(now)
  timeout --kill-after=5 1500 "$lab/rxe-lab" run "ulimit -n 8192; cd /tmp; $guest_java -Xmx1g" \
    -Dverbena.tck.links=NATIVE -Dverbena.tck.devices="$3" -Dverbena.tck.excused.run=true \
    -Dverbena.tck.excused=native,rxe \
    -Djunit.jupiter.execution.parallel.config.fixed.parallelism=3 \
    -Djava.util.logging.config.file=/project/.mvn/test-logging.properties \
    -cp "'/project/tck/target/test-classes:$(guest_class_path tck proofs verbs wire rdmacore soft)'" \
    dev.verbena.tck.suite.Suite "'$2'" "; status=\$?; cat hs_err* 2>/dev/null; exit \$status" \
    >"$log.out" 2>"$log.err" || status=$?
  report_cases "$1" "$log" "$status" "$start" || true
  suite_logs+=("$log.out")
}

suite_logs=()

# The counts of all that ran of the suite.
tell_suite() {
  ((${#suite_logs[@]})) || return 0
  awk '/^[0-9]+ passed, / { p += $1; e += $3; s += $7; f += $9; n += $11 }
    END { print "suite: " p " passed, " e " failed and are excused, " s " skipped, " f " failed; " n " excused without need" }' \
    "${suite_logs[@]}"
}
