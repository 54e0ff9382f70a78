# Sandbank for tests in a shell (POSIX sh, bash, zsh): each test has a world of its own, with its own records, clock, keys and log.
# Needs Node and curl.
#
#   . node_modules/sandbank/resources/shell/sandbank-test.sh
#   test_a_customer_is_created() { sandbank call POST customers email=ada@example.test; }
#   run_tests test_a_customer_is_created
#
# A test is a function; it fails at the first command that fails. In it, `sandbank` calls the world of the test, and these are set:
# SANDBANK_API (base URL), SANDBANK_PROGRAM_UID and SANDBANK_HMAC_KEY (to sign), SANDBANK_URL, SANDBANK_CONTROL_KEY.
#
# run_tests starts one sandbox for its tests, or takes the one of SANDBANK_URL and SANDBANK_CONTROL_KEY. A failed test prints its
# requests and what happened in its world, and keeps a bundle of it in the folder SANDBANK_FAILURES (sandbank-failures).

# The command. SANDBANK_COMMAND has another one.
sandbank() {
  if [ -n "${SANDBANK_COMMAND:-}" ]; then
    eval "$SANDBANK_COMMAND \"\$@\""
  elif [ -f node_modules/sandbank/out/main/cli.js ]; then
    node node_modules/sandbank/out/main/cli.js "$@"
  else
    npx --no-install sandbank "$@"
  fi
}

# Reads a value of the JSON document on stdin: field uid, field data.0.uid
field() {
  node -e 'const path = process.argv[1].split(".")
    const value = path.reduce((part, key) => part?.[key], JSON.parse(require("fs").readFileSync(0, "utf8")))
    if (value === undefined) { console.error(`there is no ${process.argv[1]}`); process.exit(1) }
    console.log(typeof value === "object" ? JSON.stringify(value) : value)' "$1"
}

# Fails unless both texts are the same.
expect_same() {
  [ "$1" = "$2" ] && return
  echo "expected: $1" >&2
  echo "found:    $2" >&2
  return 1
}

# Runs each function in a world of its own, and prints TAP. Returns 1 if one failed, 2 if the sandbox could not start.
run_tests() (
  sandbank_start || exit 2
  trap sandbank_end EXIT
  trap 'exit 130' INT TERM
  echo "1..$#"
  number=0
  failed=0
  for name in "$@"; do
    number=$((number + 1))
    created=$(sandbank_control worlds.create '{}') || exit 2
    eval "$(echo "$created" | sandbank_variables)"
    # No condition: in one, -e would be ignored.
    set +e
    output=$(set -e; "$name" 2>&1)
    code=$?
    if [ "$code" -eq 0 ]; then
      echo "ok $number - $name"
      sandbank_control worlds.drop "{\"name\":\"$SANDBANK_WORLD_OF_TEST\"}" >/dev/null
    else
      failed=$((failed + 1))
      echo "not ok $number - $name"
      { echo "$output"; sandbank_report "$name" "$SANDBANK_GUI"; } | sed 's/^/# /'
    fi
  done
  [ "$failed" -eq 0 ]
)

# Calls a method of the control API of the sandbox itself.
sandbank_control() {
  curl -sS --fail-with-body -X POST "$SANDBANK_ROOT/control/$1" -d "$2" \
    -H "x-control-key: $SANDBANK_CONTROL_KEY" -H 'content-type: application/json'
}

# Prints the addresses of a new world, and the key of its first Program, as lines that a shell reads.
sandbank_variables() {
  node -e 'const { name, api, gui, programs: [{ uid, hmac_key }] } = JSON.parse(require("fs").readFileSync(0, "utf8"))
    const url = api.replace(/\/api\/v1$/, "")
    const all = { WORLD_OF_TEST: name, API: api, URL: url, GUI: gui, PROGRAM_UID: uid, HMAC_KEY: hmac_key }
    const quote = (text) => "\u0027" + text.replaceAll("\u0027", "\u0027\\\u0027\u0027") + "\u0027"
    for (const [variable, text] of Object.entries(all)) console.log(`export SANDBANK_${variable}=${quote(text)}`)'
}

sandbank_start() {
  SANDBANK_PID=
  if [ -z "${SANDBANK_URL:-}" ]; then
    sandbank_folder=$(mktemp -d)
    mkfifo "$sandbank_folder/line"
    sandbank serve --json --port 0 --ephemeral >"$sandbank_folder/line" 2>"$sandbank_folder/errors" &
    SANDBANK_PID=$!
    line=
    read -r line <"$sandbank_folder/line"
    if [ -z "$line" ]; then
      echo "The sandbox for the tests did not start: $(cat "$sandbank_folder/errors")" >&2
      rm -r "$sandbank_folder"
      return 1
    fi
    SANDBANK_URL=$(echo "$line" | field control)
    SANDBANK_URL=${SANDBANK_URL%/control}
    SANDBANK_PID=$(echo "$line" | field pid)
    SANDBANK_CONTROL_KEY=$(echo "$line" | field control_key)
    rm -r "$sandbank_folder"
  elif [ -z "${SANDBANK_CONTROL_KEY:-}" ]; then
    echo 'SANDBANK_URL is set, SANDBANK_CONTROL_KEY is not: set it to the control key of that sandbox' >&2
    return 1
  fi
  SANDBANK_ROOT=$SANDBANK_URL
  export SANDBANK_CONTROL_KEY
}

sandbank_end() {
  [ -z "$SANDBANK_PID" ] || kill "$SANDBANK_PID"
}

# The requests and the timeline of a failed test, its bundle, and the address that opens its world.
sandbank_report() {
  node --input-type=module -e '
    import { mkdirSync, writeFileSync } from "node:fs"
    const [name, gui] = process.argv.slice(1)
    const { SANDBANK_URL: url, SANDBANK_CONTROL_KEY: key, SANDBANK_FAILURES: folder = "sandbank-failures" } = process.env
    async function control(method, input) {
      const headers = { "x-control-key": key, "content-type": "application/json" }
      const response = await fetch(`${url}/control/${method}`, { method: "POST", headers, body: JSON.stringify(input) })
      return response.json()
    }
    // A terminal would obey control characters of a text, such as those that clear the screen.
    const escape = (text) => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`)
    const print = (at, text) => console.log(`  ${at.replace("T", " ").replace(/\.000Z$/, "Z")}  ${escape(text)}`)
    const { data: requests, total_count } = await control("exchanges.list", { limit: 40 })
    console.log(`Requests (${total_count})`)
    for (const { at, method, path, status, did } of requests.reverse()) print(at, `${method} ${path} → ${status} ${did}`)
    const { commits } = await control("world.commits", { limit: 1000 })
    const since = commits.find(({ cause }) => cause.name === "world.create")?.seq ?? 0
    const { data: customers } = await control("records.list", { collection: "customers", limit: 50 })
    const timeline = new Map()
    for (const { uid } of customers)
      for (const entry of (await control("records.story", { uid, limit: 200 })).entries.reverse())
        if (entry.kind !== "request" && entry.seq > since) timeline.set(`${entry.seq} ${entry.uid} ${entry.text}`, entry)
    console.log(`Timeline (${timeline.size})`)
    for (const { at, text } of [...timeline.values()].sort((a, b) => a.seq - b.seq).slice(-40)) print(at, text)
    const { text } = await control("bundles.export", { note: `The world of the failed test ${name}` })
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/${name}.sandbank`, text)
    console.log(`While the sandbox runs: ${gui}`)
    console.log(`Later: npx sandbank import ${folder}/${name}.sandbank --data ${folder}/${name} && npx sandbank serve --data ${folder}/${name} --open`)
  ' "$1" "$2"
}
