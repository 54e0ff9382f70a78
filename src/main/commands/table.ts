import type { MethodName } from '../../api/contract/control/methods.ts'
import type { Action, Command, Option } from './command.ts'
import {
  hardModeSeed,
  instant,
  names,
  number,
  origins,
  program,
  receiver,
  retries,
  source,
  textOf,
  topics,
} from './option-values.ts'

/**
 * Every command with its arguments. Parsing, --help, completion and docs/command-line.md follow from this table; `runners.ts` has
 * the code of each.
 */

interface Row extends Omit<Command, 'options'> {
  /**
   * A line for each: `-f, --follow  go on`, `--clock running|frozen  the mode`, `--allow CIDR...  a network` (several), `--key KEY → hmac_key
   * the key` (a parameter of the control method), `--world NAME  its world [ITS_VARIABLE]`. `create: the seed` is an option of that action.
   */
  readonly options?: string
  /** What the lines of the options leave open. */
  readonly details?: Readonly<Record<string, Partial<Option>>>
}

const OPTION = /^ *(?:-(\w), )?--([\w-]+)(?: ([^\s→]+))?(?: → (\w+))? {2,}(.*?)(?: \[(\w+)\])?$/

/** How values are read, by their placeholder. */
const READERS: Readonly<Record<string, Option['read']>> = {
  'ISO-TIME': instant,
  'ORIGIN...': origins,
  'KEY-FILE': textOf,
  SECONDS: retries,
  SEED: hardModeSeed,
  'TOPIC...': topics,
  'UID:KEY': program,
  WORLD: source,
}

function command<const R extends Row>({ options: lines = '', details = {}, ...row }: R) {
  let options: Command['options'] | undefined
  return {
    ...row,
    ...describeActions(row.actions, row.words),
    /** Read on use: a start needs those of one command. */
    get options() {
      options ??= Object.fromEntries(lines.split('\n').flatMap((line) => readOption(line, row.actions ?? {}, details)))
      return options
    },
  }
}

function readOption(line: string, actions: object, details: Row['details'] = {}): [string, Option][] {
  const [, short, name, value, parameter, text = '', variable] = OPTION.exec(line) ?? []
  if (name === undefined) return []
  const named = /^([\w, ]+): /.exec(text)?.[1]?.split(', ')
  const option = {
    text,
    short,
    parameter,
    variable,
    value: value?.replace('...', ''),
    isList: value?.endsWith('...'),
    choices: value?.includes('|') ? value.split('|') : undefined,
    read: READERS[value ?? ''],
    of: named?.every((action) => Object.hasOwn(actions, action)) ? named : undefined,
    ...details[name],
  }
  return [[name, option]]
}

/** The words and the lines of help that follow from the actions of a command. */
function describeActions(actions: Command['actions'], [name = '', more]: readonly string[] = []) {
  if (!actions || Object.keys(actions).join() === '') return {}
  const usages = Object.entries(actions).map(([action, { words, text }]) => ({
    usage: ['sandbank', name, action, ...Object.values(words)].filter(Boolean).join(' '),
    text,
  }))
  const width = Math.max(...usages.map(({ usage }) => usage.length))
  const choices = Object.keys(actions).filter(Boolean).join('|')
  return {
    words: ['' in actions ? `[${choices}]` : choices, `[${more}...]`],
    about: usages.map(({ usage, text }) => `${usage.padEnd(width)}  ${text}`.trimEnd()).join('\n'),
  }
}

const action = <const M extends MethodName>(method: M, words: Action['words'], text = '', input: object = {}) => ({
  method,
  words,
  text,
  input,
})

const DRY_RUN = `--dry-run         say what it would do, and change nothing
    --advance AMOUNT  with --dry-run: and what would follow within this time, such as 2bd`
const JSON_OPTION = '--json  print one JSON document on stdout, and nothing else'

export const serve = command({
  summary: 'run the sandbox and serve its window to a browser',
  options: `
    --port 4010             the port to listen on; 0 takes a free one
    --host 127.0.0.1        the address to listen on; anything but loopback also needs --allow and --allow-host
    --data DIR              the data folder; created if missing. Default: in the system's application-data folder
    --ephemeral             keep everything in memory, and save nothing
    --seed TEXT             for a new world: the same seed, start and requests give the same world
    --start ISO-TIME        for a new world: its simulated time. Default: now; with --ephemeral --clock frozen 2026-11-23T15:00:00Z, a Monday
    --scenario NAME         for a new world: begin after this scenario, a file or a name of the library
    --clock running|frozen  running (default) or frozen simulated time
    --pace fast|real        payments settle within seconds (fast, default) or by the banking calendar (real)
    --world demo|empty      for a new world: demo (default) or empty
    --as hosted             for a new world: it behaves as the platform's hosted sandbox does by its public documents
    --program UID:KEY       a further Program with this uid and HMAC key, unless the world has it; for an app whose settings are fixed
    --hard-mode SEED        for a new world: draw the settings that the platform leaves open, see docs/assumptions.md
    --durability write|fsync  write (default) survives a crash of the process, fsync also one of the machine
    --allow CIDR...         a network that may call, in addition to loopback, such as 172.17.0.0/16
    --allow-host NAME...    a host name of this machine for clients, such as host.docker.internal
    --cors ORIGIN...        the origin of a web page that may call the API from a browser, such as http://localhost:5173
    --json                  print one line of JSON on stdout when it listens, and nothing else
    --open                  open the window in the browser
    --detach                start it in the background, and return when it listens
    -q, --quiet             in a terminal: do not print a line for each request`,
  details: {
    as: { choices: ['hosted'] },
    port: { read: number(0, 65_535) },
    data: { instead: 'ephemeral' },
  },
  notes: `SANDBANK_CONTROL_KEY sets the control key, of at least 16 characters; it is random by default.
SANDBANK_LOG_LENGTH sets how many requests the log keeps; the default is 10000.`,
  outlivesReader: true,
})

const run = command({
  summary: 'run scenario files against a fresh world; exit 1 when one fails',
  words: ['SCENARIO...'],
  options: `
    --filter TEXT  run only the scenarios with this text in their name or example
    --bail         end after the first failure
    --watch        run again when a file changes, until it is ended
    --junit FILE   also write the results to a file, as JUnit XML
    ${DRY_RUN}
    ${JSON_OPTION}`,
  about: `Runs scenarios, each in a fresh world with a frozen clock, and prints the results. A SCENARIO is a file, a folder (every
.yaml, .yml and .json in it) or a name of the library.`,
  notes: `A file that cannot be read counts as failed, and the others run. With GITHUB_ACTIONS or TF_BUILD (Azure) in the environment,
each failure is also printed as an annotation. Exit code 0: all passed. 1: at least one failed. 2: nothing could be run.`,
})

const replay = command({
  summary: 'send the requests of a bundle, a HAR file or curl lines again; exit 1 when responses differ',
  words: ['FILE'],
  options: `
    --data DIR  replay in the world of this data folder, and save the changes
    --url URL   replay in a running sandbox, such as http://127.0.0.1:4010
    ${DRY_RUN}
    ${JSON_OPTION}`,
  details: { data: { instead: 'url' } },
  about: `Sends recorded requests again, with new tokens, and compares the responses. FILE is recognized by its content: a bundle is
replayed in its own world, a HAR file or curl lines in a fresh demo world with a frozen clock.`,
  notes: `SANDBANK_CONTROL_KEY is the control key of the sandbox at --url. It is needed for tokens of all Programs and to advance
the clock. Exit code 0: all responses are the same. 1: some differ. 2: a file cannot be read, or an option is invalid.`,
})

const exportBundle = command({
  summary: 'export a data folder as a bundle, with personal data masked',
  words: ['DIR'],
  options: `
    --out FILE    the file to write
    --keep NAMES  personal values to keep: ssn_last_four, state, suffix, separated by commas
    ${JSON_OPTION}`,
  details: { out: { required: true }, keep: { read: names(['ssn_last_four', 'state', 'suffix']) } },
  about: `Writes a data folder as one file: its world, its requests with their responses, and the operator actions. Personal data is
replaced by pseudonyms of the same form; keys and tokens are left out. The command prints what the mask leaves, and the
first line of the file says it, too. The folder is not changed.`,
})

const importBundle = command({
  summary: 'import a bundle into a new data folder',
  words: ['FILE'],
  options: `--data DIR  the new data folder
    ${JSON_OPTION}`,
  details: { data: { required: true } },
  about: 'Creates a data folder from a bundle: its world, its history and its requests. DIR must be new or empty.',
})

const check = command({
  summary: 'check every file of a data folder, and its books',
  words: ['DIR'],
  options: JSON_OPTION,
  about: `Reads every file of a data folder: each line has a check that shows whether it was changed or is missing. Then recomputes both
books from their line items, and compares them with each other. Exit code 1: a file is damaged, or the books do not balance.`,
})

const repair = command({
  summary: 'make a damaged data folder usable, and say what is lost',
  words: ['DIR'],
  options: JSON_OPTION,
  about: `Makes a damaged data folder usable: keeps each line that its check proves, and the newest world that these lines lead to.
Prints what is left out. The files as they were are moved to a folder damaged-1 in DIR. Exit code 2: no world can be kept,
and nothing was changed.`,
})

// ── Commands for a running sandbox ───────────────────────────────────────────────────────────────────────────────

/** Without them a command takes the newest sandbox that runs. */
const URL_OPTION = '--url URL  the sandbox at this address; its key is in SANDBANK_CONTROL_KEY unless it runs here'
const WHERE = `${URL_OPTION}
    --world NAME  one of its worlds; see sandbank world [SANDBANK_WORLD_NAME]`
const SIGNER = '--program UID  the Program that signs, by uid or name. Default: the first one'

const call = command({
  summary: 'call the API, signed with the key of a Program',
  words: ['GET|POST|PUT|DELETE', 'PATH', '[key=value...]'],
  options: `
    -d, --data JSON  the body; @FILE reads a file, @- stdin
    ${SIGNER}
    --trace-id ID    the trace id. Default: a new one
    ${DRY_RUN}
    --json           print the status, the body, the operation and the refusal with its repairs as one JSON document
    ${WHERE}`,
  details: { 'trace-id': { instead: 'dry-run' } },
  about: `Sends a request and prints the response: its body on stdout, its status on stderr. It requests the access token and makes the
trace id. PATH is as in the specification, with or without /api/v1 and the first slash.

sandbank call METHOD PATH --help describes the operation.

key=value is a query parameter of GET and DELETE, and a field of the JSON body of the others: a.b=c is in an object, a
repeated key is a list, and the interface declares whether a number is sent as a text. key:=JSON is sent as it is.`,
  notes: 'Exit code 0: success. 1: refused (400 or more), with the reason. 2: invalid arguments; nothing was sent.',
})

const token = command({
  summary: 'print an access token of a Program',
  options: `${SIGNER}
    ${JSON_OPTION}
    ${WHERE}`,
})

const control = command({
  summary: 'call a method of the control API',
  words: ['METHOD', '[JSON | key=value...]'],
  options: `
    ${DRY_RUN}
    ${WHERE}`,
  about: `sandbank control METHOD --help describes the method.

Prints the answer as JSON. The input is a JSON document, @FILE, @- (stdin), or fields as those of sandbank call:
sandbank control snapshots.keep name=before`,
})

const clock = command({
  summary: 'show the clock; advance, freeze or run it',
  words: ['clock', 'AMOUNT | TIME'],
  actions: {
    '': action('clock.read', {}, 'the time, the mode and what is next'),
    advance: action(
      'clock.advance',
      { text: 'AMOUNT...' },
      '8bd: 8 business days, with the tasks that ran; also 24h, 1d12h, PT24H, "2 days", next (task), idle (nothing left)',
    ),
    to: action(
      'clock.advance',
      { text: 'TIME...' },
      '2026-12-01T09:00: in New York; also 2026-12-01T09:00Z, "monday 9:00", tomorrow',
    ),
    freeze: action('clock.set', {}, '', { mode: 'frozen' }),
    run: action('clock.set', {}, '', { mode: 'running' }),
  },
  options: `
    --no-wait → wait_for_webhooks  advance, to: let time pass while webhooks are sent, and do not wait for their receivers
    ${DRY_RUN}
    ${JSON_OPTION}
    ${WHERE}`,
})

const logs = command({
  summary: 'print the newest requests, and with -f those that come',
  options: `
    -f, --follow    go on with the requests that come
    -n, --lines 20  how many of the log, up to 1000
    --real-time     print the real time at which each request arrived, in UTC, beside its simulated time
    --json          print each request as one line of JSON
    ${WHERE}`,
  details: { lines: { fallback: '20', read: number(0, 1000) } },
})

const status = command({
  summary: 'show the running sandbox: addresses, Programs, clock',
  options: `
    -o, --output text|env|json  json; or env, lines that a shell reads: eval "$(sandbank status -o env)"
    ${WHERE}`,
})

const openCommand = command({
  summary: 'open the window of the running sandbox in the browser',
  options: `
    --print  print its address, which has the control key, instead
    ${JSON_OPTION}
    ${WHERE}`,
})

const stop = command({
  summary: 'end the running sandbox',
  options: `
    --all           end all sandboxes of this user
    --timeout TIME  how long to wait, such as 10s or 2m. Default: 30s
    ${JSON_OPTION}
    ${URL_OPTION}`,
  details: { timeout: { fallback: '30s' } },
})

const wait = command({
  summary: 'wait until a sandbox answers, and print the address of its API',
  options: `
    --timeout TIME  how long to wait, such as 10s or 2m. Default: 60s
    ${JSON_OPTION}
    ${URL_OPTION}`,
  details: { timeout: { fallback: '60s' } },
})

const compare = { a: 'A', b: '[B]' }

const worldCommand = command({
  summary: 'list, create, drop, save or compare the worlds of the running sandbox',
  words: ['world', 'NAME'],
  actions: {
    list: action('worlds.list', {}),
    create: action('worlds.create', { name: '[NAME]' }, 'it begins as --from says'),
    drop: action('worlds.drop', { name: 'NAME' }),
    keep: action('worlds.keep', { name: 'NAME', folder: 'FOLDER' }, 'save it as a data folder'),
    compare: action('worlds.compare', compare, 'without B: with the world of the sandbox itself'),
  },
  options: `
    --from WORLD → from  create: demo (default), empty, hosted, current, snapshot:NAME, commit:NUMBER or world:NAME
    --start ISO-TIME → start  create: its simulated time
    --clock frozen|running → clock  create: frozen (default) or running simulated time
    --pace fast|real → pace  create: the pace of payments
    --seed TEXT → seed  create: the seed of its uids
    ${JSON_OPTION}
    ${URL_OPTION}`,
  notes: 'The other commands work in a world with --world NAME.',
})

const migration = command({
  summary: 'list what your app did that the platform’s hosted sandbox would refuse, or do in another way',
  actions: { '': action('migration.report', {}) },
  options: `
    --program UID → program_uid  only requests of this Program, by uid or name
    ${JSON_OPTION}
    ${WHERE}`,
  notes: 'It judges the requests of the log. sandbank serve --as hosted starts a sandbox that behaves so.',
})

const snapshot = command({
  summary: 'list, save, restore, delete or compare snapshots of the running sandbox',
  words: ['snapshot', 'NAME'],
  actions: {
    list: action('snapshots.list', {}),
    keep: action('snapshots.keep', { name: 'NAME' }, 'save the world; replaces a snapshot of the same name'),
    restore: action('snapshots.restore', { name: 'NAME' }),
    delete: action('snapshots.delete', { name: 'NAME' }),
    compare: action('snapshots.compare', compare, 'without B: with the current world'),
  },
  options: `
    ${JSON_OPTION}
    ${WHERE}`,
})

const undo = command({
  summary: 'undo the last operation: an advance, a request, a scenario, an import, …',
  words: ['[OPERATION]'],
  options: `
    --list  list the newest operations with their numbers instead
    ${JSON_OPTION}
    ${WHERE}`,
  about: 'An operation by its number takes all later ones along.',
})

const TAKEN = `--apply      take the steps in the world; without it they are only shown
    --save FILE  write them as a scenario, which sandbank run FILE takes in a fresh world
    --in NAME    in this world of the sandbox; the same as --world
    ${JSON_OPTION}
    ${WHERE}`

const reach = command({
  summary: 'find a short lawful way to a state of a record, an event or an error; show it, take it or save it',
  words: ['GOAL...'],
  options: TAKEN,
  details: { in: { instead: 'world' } },
  about: `Looks in copies of the world for requests, injections, decisions and advances that lead to the goal, and prints them. GOAL is
transactions=returned, customers.kyc_status=denied, error=3006 or event=transfers.rtp_settlement. What the record must be follows:
code=R10, type=ach, customer=EMAIL (or its uid or name), account=UID, uid=UID, program=NAME. Records of the world are used where there are
some. No step can be left out; another way may have fewer, as not all are looked at.`,
  notes: `docs/reach.md lists what cannot be reached, and why. Exit code 0: there is a way. 1: none was found, or the goal is refused.`,
})

const trigger = command({
  summary: 'the same for an event: sandbank reach event=EVENT',
  words: ['EVENT'],
  options: TAKEN,
  details: { in: { instead: 'world' } },
})

const redo = command({
  summary: 'redo what the last undo has undone',
  words: ['[OPERATION]'],
  options: `
    ${JSON_OPTION}
    ${WHERE}`,
})

/** The contract has the topics; it is not loaded here, so that commands start fast. `actions`: those that take these options. */
const settings = (actions = '') => `
    --topic TOPIC... → topics               ${actions}only this topic, such as transfers, or event, such as transfers.created. Default: all
    --key KEY → hmac_key                    ${actions}the key that signs, of at least 16 characters. Default: a random one
    --pgp-key KEY-FILE → pgp_public_key     ${actions}encrypts the details for the owner of this armored public key. Default: none
    --envelope details|data → envelope      ${actions}the form of the body. Default: details
    --event-id body|header|both → event_id_in  ${actions}where the event_id is; the header is x-event-id. Default: body
    --retry SECONDS → retry_seconds         ${actions}the simulated time before each further attempt, such as 30,60,120, or none. Default: 9 that double, from 30 on`
const uid = { uid: 'UID' }

const webhooks = command({
  summary: 'list, create, change, delete or test the webhooks of the running sandbox',
  words: ['webhooks', 'URL | UID'],
  actions: {
    list: action('webhooks.list', {}),
    create: action('webhooks.create', { url: '[URL]' }, 'without URL: events are kept, and sent nowhere', {
      url: null,
    }),
    update: {
      ...action(
        'webhooks.update',
        { uid: 'UID', url: '[URL]' },
        'what is not given stays; --topic all asks for all events again',
      ),
      isChange: true,
    },
    pause: action('webhooks.update', uid, 'nothing is sent until sandbank webhooks activate UID', { status: 'paused' }),
    activate: action('webhooks.update', uid, '', { status: 'active' }),
    delete: action('webhooks.delete', uid, 'its deliveries that are not finished fail'),
    test: action('webhooks.test', uid, 'sends a test event, and prints its outcome; exit 1 when it is not accepted'),
  },
  options: `${settings('create, update: ')}
    --no-confirm → confirm        create: the receiver need not accept a test event first
    --program UID → program_uid  list, create: the Program, by uid or name. Default: list all; create: the first one
    ${JSON_OPTION}
    ${WHERE}`,
  notes: 'sandbank listen prints events without a receiver of your own.',
})

const events = command({
  summary: 'list the events of a Program with their deliveries; send, hold or release one',
  words: ['events', 'UID'],
  actions: {
    list: action('events.list', {}, 'newest first, with the status and the last attempt of each delivery'),
    show: action('events.get', uid, 'with its details and all attempts; UID is the event_id'),
    resend: action(
      'events.resend',
      { uid: 'UID', webhook_uid: '[WEBHOOK]' },
      'with the same event_id; without WEBHOOK: to all webhooks that it was for',
    ),
    example: action(
      'events.send_example',
      { webhook_uid: 'WEBHOOK', event: 'EVENT' },
      'of an event such as transfers.created; it tells of no record',
    ),
    hold: action('events.hold', uid, 'its deliveries that are not finished are not sent until release'),
    release: action('events.release', uid),
  },
  options: `
    --topic TOPIC → topic        list: only this topic, such as transfers
    --type TYPE → event_type     list: only this event_type, such as status_change
    --record UID → record_uid    list: only events that tell of this record
    -n, --lines 20 → limit       list: how many, up to 1000
    --program UID → program_uid  list: the Program, by uid or name. Default: the first one
    ${JSON_OPTION}
    ${WHERE}`,
  details: { lines: { fallback: '20', read: number(1, 1000) } },
})

const listen = command({
  summary: 'receive the webhooks of the running sandbox, and print or forward each event',
  options: `
    --forward-to URL  post each event, unchanged, to this address, a slash and its topic
    ${settings()}
    --program UID     the Program, by uid or name. Default: the first one
    --json            print the body of each event as one line of JSON
    ${WHERE}`,
  details: { 'forward-to': { read: receiver } },
  about: `Starts a receiver on a free port of 127.0.0.1, and creates a webhook for it. Each event whose signature is right is one line on
stdout: the real time, the event, the uid of its record, its event_id, and the status of --forward-to.

It accepts each event with 204. With --forward-to, the answer of that receiver is its answer, so what is refused there is sent
again in simulated time, when the clock comes to it; a target that does not answer within 4.5 seconds counts as 502.`,
  notes: `Ctrl-C deletes the webhook and ends. One that a killed listen has left behind is deleted by the next listen of the same Program.
Exit code 0: it was ended. 1: the sandbox has ended, the webhook was deleted by another command, or could not be deleted.`,
  outlivesReader: true,
})

const describe = command({
  summary: 'say what a name means: an operation, a method, a resource, an event, an error, a state, an outcome',
  words: ['[NAME...]'],
  options: `
    ${JSON_OPTION}
    ${WHERE}`,
  about: `NAME is "POST /transfers" or createTransfer, clock.advance, transactions, transactions.status_change, 3006, transactions.status,
transactions.status.settled, R10, 9901, vrn_cooldown_minutes, "finish payment", "step advance" or serve; "POST /transfers ach" is one
of its fields, serve --port one of its options, "all errors" one kind. Prints its fields with type, rule and default, an example, its
errors and what can follow, in at most 2,400 characters. It needs no running sandbox; with one, the example names records of its world.`,
  notes: `sandbank map lists all names. An option right after the name of a command is that of the command: sandbank describe --json serve.
Exit code 2: there is no such name; the nearest ones are on stderr.`,
})

const map = command({ summary: 'list all names that sandbank describe knows', options: JSON_OPTION })

const doctor = command({
  summary: 'look for what keeps a sandbox from running, or commands from finding it',
  options: JSON_OPTION,
  about:
    'Checks Node, folders, the port, running sandboxes, clocks and variables. Exit code 1: it has found a problem.',
})

const help = command({ summary: 'show the options of a command', words: ['[COMMAND]'] })

const version = command({ summary: 'print the version' })

const agents = command({
  summary: 'print what a coding agent of your own project should know, or add it to its AGENTS.md',
  options: '--write  add it to AGENTS.md in this folder, between two marks; again: bring it up to date',
})

const mcp = command({
  summary: 'serve the running sandbox to coding agents, by the Model Context Protocol',
  options: `
    --read-only  offer only what changes nothing
    --try-only   make each change in a copy of the world, say what it did, and drop the copy
    --http PORT  on http://127.0.0.1:PORT/mcp instead of stdin and stdout; 0 takes a free one
    ${WHERE}`,
  details: { 'read-only': { instead: 'try-only' }, http: { read: number(0, 65_535) } },
  about: `Six tools, at most 1,500 tokens: describe, call, control, advance, why, try. Each answer has at most 2,000 tokens, keys and tokens
are removed from it, and each change names its undo. Resources: sandbank://records/COLLECTION/UID, sandbank://timelines/CUSTOMER.`,
  notes: `A client starts it with: {"command":"npx","args":["sandbank","mcp"]}
By HTTP each request needs the control key of the sandbox: Authorization: Bearer KEY. sandbank status -o json shows it.`,
})

const completion = command({
  summary: 'print a script that completes commands and options in a shell',
  words: ['bash|zsh|fish|words', '[LINE]'],
  about: `bash: add to ~/.bashrc   eval "$(sandbank completion bash)"
zsh: add to ~/.zshrc     eval "$(sandbank completion zsh)"   (after compinit)
fish: run once           sandbank completion fish > ~/.config/fish/completions/sandbank.fish

They complete commands and options, and after call, control, describe, reach and trigger what can follow: paths, fields, their values,
and the uids of the running world. For that they ask sandbank completion words, with the LINE up to the cursor.`,
})

export const commands = {
  serve,
  run,
  call,
  token,
  control,
  clock,
  logs,
  status,
  open: openCommand,
  stop,
  wait,
  world: worldCommand,
  snapshot,
  undo,
  redo,
  reach,
  trigger,
  migration,
  listen,
  webhooks,
  events,
  replay,
  export: exportBundle,
  import: importBundle,
  check,
  repair,
  describe,
  map,
  agents,
  mcp,
  doctor,
  help,
  version,
  completion,
}
export type CommandName = keyof typeof commands

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name)
