import type { Command, Option, Positional } from './command.ts'

/**
 * Every command with its arguments. Parsing, --help, completion and docs/command-line.md follow from this table; `runners.ts` has
 * the code of each.
 */

const json: Option = { text: 'print one JSON document on stdout, and nothing else' }
const FOLDER: Positional = { name: 'DIR' }
const FILE: Positional = { name: 'FILE' }

export const serve: Command = {
  summary: 'run the sandbox and serve its window to a browser',
  options: {
    port: { value: '4010', text: 'the port to listen on; 0 takes a free one' },
    host: {
      value: '127.0.0.1',
      text: 'the address to listen on; anything but loopback also needs --allow and --allow-host',
    },
    data: {
      value: 'DIR',
      instead: 'ephemeral',
      text: "the data folder; created if missing. Default: in the system's application-data folder",
    },
    ephemeral: { text: 'keep everything in memory, and save nothing' },
    seed: { value: 'TEXT', text: 'for a new world: the same seed, start and requests give the same world' },
    start: {
      value: 'ISO-TIME',
      text: 'for a new world: its simulated time. Default: now; with --ephemeral --clock frozen 2026-11-23T15:00:00Z, a Monday',
    },
    scenario: { value: 'NAME', text: 'for a new world: begin after this scenario, a file or a name of the library' },
    clock: { value: 'MODE', choices: ['running', 'frozen'], text: 'running (default) or frozen simulated time' },
    pace: {
      value: 'PACE',
      choices: ['fast', 'real'],
      text: 'payments settle within seconds (fast, default) or by the banking calendar (real)',
    },
    world: { value: 'WORLD', choices: ['demo', 'empty'], text: 'for a new world: demo (default) or empty' },
    durability: {
      value: 'LEVEL',
      choices: ['write', 'fsync'],
      text: 'write (default) survives a crash of the process, fsync also one of the machine',
    },
    allow: {
      value: 'CIDR',
      isList: true,
      text: 'a network that may call, in addition to loopback, such as 172.17.0.0/16',
    },
    'allow-host': {
      value: 'NAME',
      isList: true,
      text: 'a host name of this machine for clients, such as host.docker.internal',
    },
    cors: {
      value: 'ORIGIN',
      isList: true,
      text: 'the origin of a web page that may call the API from a browser, such as http://localhost:5173',
    },
    json: { text: 'print one line of JSON on stdout when it listens, and nothing else' },
    open: { text: 'open the window in the browser' },
    detach: { text: 'start it in the background, and return when it listens' },
    quiet: { short: 'q', text: 'in a terminal: do not print a line for each request' },
  },
  notes: `SANDBANK_CONTROL_KEY sets the control key, of at least 16 characters; it is random by default.
SANDBANK_LOG_LENGTH sets how many requests the log keeps; the default is 10000.`,
  outlivesReader: true,
}

const run: Command = {
  summary: 'run scenario files against a fresh world; exit 1 when one fails',
  positionals: [{ name: 'SCENARIO', isList: true }],
  options: {
    filter: { value: 'TEXT', text: 'run only the scenarios with this text in their name or example' },
    bail: { text: 'end after the first failure' },
    watch: { text: 'run again when a file changes, until it is ended' },
    junit: { value: 'FILE', text: 'also write the results to a file, as JUnit XML' },
    json,
  },
  about: `Runs scenarios, each in a fresh world with a frozen clock, and prints the results. A SCENARIO is a file, a folder (every
.yaml, .yml and .json in it) or a name of the library.`,
  notes: `A file that cannot be read counts as failed, and the others run. With GITHUB_ACTIONS or TF_BUILD (Azure) in the environment,
each failure is also printed as an annotation. Exit code 0: all passed. 1: at least one failed. 2: nothing could be run.`,
}

const replay: Command = {
  summary: 'send the requests of a bundle, a HAR file or curl lines again; exit 1 when responses differ',
  positionals: [FILE],
  options: {
    data: { value: 'DIR', instead: 'url', text: 'replay in the world of this data folder, and save the changes' },
    url: { value: 'URL', text: 'replay in a running sandbox, such as http://127.0.0.1:4010' },
    json,
  },
  about: `Sends recorded requests again, with new tokens, and compares the responses. FILE is recognized by its content: a bundle is
replayed in its own world, a HAR file or curl lines in a fresh demo world with a frozen clock.`,
  notes: `SANDBANK_CONTROL_KEY is the control key of the sandbox at --url. It is needed for tokens of all Programs and to advance
the clock. Exit code 0: all responses are the same. 1: some differ. 2: a file cannot be read, or an option is invalid.`,
}

const exportBundle: Command = {
  summary: 'export a data folder as a bundle, with personal data masked',
  positionals: [FOLDER],
  options: {
    out: { value: 'FILE', required: true, text: 'the file to write' },
    keep: { value: 'NAMES', text: 'personal values to keep: ssn_last_four, state, suffix, separated by commas' },
  },
  about: `Writes a data folder as one file: its world, its requests with their responses, and the operator actions. Personal data is
replaced by pseudonyms of the same form; keys and tokens are left out. The command prints what the mask leaves, and the
first line of the file says it, too. The folder is not changed.`,
}

const importBundle: Command = {
  summary: 'import a bundle into a new data folder',
  positionals: [FILE],
  options: { data: { value: 'DIR', required: true, text: 'the new data folder' } },
  about: 'Creates a data folder from a bundle: its world, its history and its requests. DIR must be new or empty.',
}

const check: Command = {
  summary: 'check every file of a data folder, and its books',
  positionals: [FOLDER],
  options: {},
  about: `Reads every file of a data folder: each line has a check that shows whether it was changed or is missing. Then recomputes both
books from their line items, and compares them with each other. Exit code 1: a file is damaged, or the books do not balance.`,
}

const repair: Command = {
  summary: 'make a damaged data folder usable, and say what is lost',
  positionals: [FOLDER],
  options: {},
  about: `Makes a damaged data folder usable: keeps each line that its check proves, and the newest world that these lines lead to.
Prints what is left out. The files as they were are moved to a folder damaged-1 in DIR. Exit code 2: no world can be kept,
and nothing was changed.`,
}

// ── Commands for a running sandbox ───────────────────────────────────────────────────────────────────────────────

/** Without them a command takes the newest sandbox that runs. */
const where = {
  url: { value: 'URL', text: 'the sandbox at this address; its key is in SANDBANK_CONTROL_KEY unless it runs here' },
  world: { value: 'NAME', variable: 'SANDBANK_WORLD_NAME', text: 'one of its worlds; see sandbank world' },
} as const satisfies Command['options']
const program: Option = { value: 'UID', text: 'the Program that signs, by uid or name. Default: the first one' }
const timeout = (time: string): Option => ({
  value: 'TIME',
  text: `how long to wait, such as 10s or 2m. Default: ${time}`,
})
const KEY_VALUE: Positional = { name: 'key=value', isOptional: true, isList: true }

const call: Command = {
  summary: 'call the API, signed with the key of a Program',
  positionals: [{ name: 'METHOD', choices: ['GET', 'POST', 'PUT', 'DELETE'] }, { name: 'PATH' }, KEY_VALUE],
  options: {
    data: { value: 'JSON', short: 'd', text: 'the body; @FILE reads a file, @- stdin' },
    program,
    'trace-id': { value: 'ID', text: 'the trace id. Default: a new one' },
    ...where,
  },
  about: `Sends a request and prints the response: its body on stdout, its status on stderr. It requests the access token and makes the
trace id. PATH is as in the specification, with or without /api/v1 and the first slash.

key=value is a query parameter of GET and DELETE, and a field of the JSON body of the others: a.b=c is in an object, a
repeated key is a list, and the interface declares whether a number is sent as a text. key:=JSON is sent as it is.`,
  notes: 'Exit code 0: success. 1: refused (400 or more), with the reason. 2: invalid arguments; nothing was sent.',
}

const token: Command = {
  summary: 'print an access token of a Program',
  options: { program, ...where },
}

const control: Command = {
  summary: 'call a method of the control API',
  positionals: [{ name: 'METHOD' }, { name: 'JSON | key=value', isOptional: true, isList: true }],
  options: { ...where },
  about: `Prints the answer as JSON. The input is a JSON document, @FILE, @- (stdin), or fields as those of sandbank call:
sandbank control snapshots.keep name=before`,
}

const clock: Command = {
  summary: 'show the clock; advance, freeze or run it',
  positionals: [
    { name: 'ACTION', choices: ['advance', 'to', 'freeze', 'run'], isOptional: true },
    { name: 'AMOUNT | TIME', isOptional: true, isList: true },
  ],
  options: {
    'no-wait': {
      text: 'of advance and to: let time pass while webhooks are sent, and do not wait for their receivers',
    },
    json,
    ...where,
  },
  about: `sandbank clock                        the time, the mode and what is next
sandbank clock advance 8bd            8 business days, with the tasks that ran; also 24h, 1d12h, PT24H, "2 days", next (task), idle (nothing left)
sandbank clock to 2026-12-01T09:00    to a time in New York; also 2026-12-01T09:00Z, "monday 9:00", tomorrow
sandbank clock freeze | run`,
}

const logs: Command = {
  summary: 'print the newest requests, and with -f those that come',
  options: {
    follow: { short: 'f', text: 'go on with the requests that come' },
    lines: { value: '20', short: 'n', text: 'how many of the log, up to 1000' },
    'real-time': { text: 'print the real time at which each request arrived, in UTC, beside its simulated time' },
    json: { text: 'print each request as one line of JSON' },
    ...where,
  },
}

const status: Command = {
  summary: 'show the running sandbox: addresses, Programs, clock',
  options: {
    output: {
      value: 'FORMAT',
      short: 'o',
      choices: ['text', 'env', 'json'],
      text: 'json; or env, lines that a shell reads: eval "$(sandbank status -o env)"',
    },
    ...where,
  },
}

const openCommand: Command = {
  summary: 'open the window of the running sandbox in the browser',
  options: { print: { text: 'print its address, which has the control key, instead' }, ...where },
}

const stop: Command = {
  summary: 'end the running sandbox',
  options: { all: { text: 'end all sandboxes of this user' }, timeout: timeout('30s'), url: where.url },
}

const wait: Command = {
  summary: 'wait until a sandbox answers, and print the address of its API',
  options: { timeout: timeout('60s'), url: where.url },
}

const world: Command = {
  summary: 'list, create, drop, save or compare the worlds of the running sandbox',
  positionals: [
    { name: 'ACTION', choices: ['list', 'create', 'drop', 'keep', 'compare'] },
    { name: 'NAME', isOptional: true, isList: true },
  ],
  options: {
    from: {
      value: 'WORLD',
      text: 'create: demo (default), empty, current, snapshot:NAME, commit:NUMBER or world:NAME',
    },
    start: { value: 'ISO-TIME', text: 'create: its simulated time' },
    clock: {
      value: 'MODE',
      choices: ['frozen', 'running'],
      text: 'create: frozen (default) or running simulated time',
    },
    pace: { value: 'PACE', choices: ['fast', 'real'], text: 'create: the pace of payments' },
    seed: { value: 'TEXT', text: 'create: the seed of its uids' },
    json,
    url: where.url,
  },
  about: `sandbank world list
sandbank world create [NAME] [--from WORLD]
sandbank world drop NAME
sandbank world keep NAME FOLDER       save it as a data folder
sandbank world compare A [B]          without B: with the world of the sandbox itself

The other commands work in a world with --world NAME.`,
}

const snapshot: Command = {
  summary: 'list, save, restore, delete or compare snapshots of the running sandbox',
  positionals: [
    { name: 'ACTION', choices: ['list', 'keep', 'restore', 'delete', 'compare'] },
    { name: 'NAME', isOptional: true, isList: true },
  ],
  options: { json, ...where },
  about: `sandbank snapshot list
sandbank snapshot keep NAME           save the world; replaces a snapshot of the same name
sandbank snapshot restore NAME
sandbank snapshot delete NAME
sandbank snapshot compare A [B]       without B: with the current world`,
}

// The contract has the topics; it is not loaded here, so that commands start fast.
const topic: Option = {
  value: 'TOPIC',
  isList: true,
  text: 'only this topic, such as transfers, or event, such as transfers.created. Default: all',
}
/** How the deliveries of a webhook look. */
const form = {
  key: { value: 'KEY', text: 'the key that signs, of at least 16 characters. Default: a random one' },
  envelope: { value: 'FORM', choices: ['details', 'data'], text: 'the form of the body. Default: details' },
  'event-id': {
    value: 'PLACE',
    choices: ['body', 'header', 'both'],
    text: 'where the event_id is; the header is x-event-id. Default: body',
  },
  retry: {
    value: 'SECONDS',
    text: 'the simulated time before each further attempt, such as 30,60,120, or none. Default: 9 that double, from 30 on',
  },
} as const satisfies Command['options']
const ofProgram: Option = { value: 'UID', text: 'the Program, by uid or name. Default: the first one' }

const webhooks: Command = {
  summary: 'list, create, change, delete or test the webhooks of the running sandbox',
  positionals: [
    { name: 'ACTION', choices: ['list', 'create', 'update', 'pause', 'activate', 'delete', 'test'] },
    { name: 'URL | UID', isOptional: true, isList: true },
  ],
  options: {
    topic: { ...topic, text: `create, update: ${topic.text}` },
    key: { ...form.key, text: `create, update: ${form.key.text}` },
    'no-confirm': { text: 'create: the receiver need not accept a test event first' },
    envelope: { ...form.envelope, text: `create, update: ${form.envelope.text}` },
    'event-id': { ...form['event-id'], text: `create, update: ${form['event-id'].text}` },
    retry: { ...form.retry, text: `create, update: ${form.retry.text}` },
    program: {
      value: 'UID',
      text: 'list, create: the Program, by uid or name. Default: list all; create: the first one',
    },
    json,
    ...where,
  },
  about: `sandbank webhooks list
sandbank webhooks create [URL]        without URL: events are kept, and sent nowhere
sandbank webhooks update UID [URL]    what is not given stays; --topic all asks for all events again
sandbank webhooks pause UID           nothing is sent until sandbank webhooks activate UID
sandbank webhooks activate UID
sandbank webhooks delete UID          its deliveries that are not finished fail
sandbank webhooks test UID            sends a test event, and prints its outcome; exit 1 when it is not accepted

sandbank listen prints events without a receiver of your own.`,
}

const events: Command = {
  summary: 'list the events of webhooks with their deliveries; send, hold or release one',
  positionals: [
    { name: 'ACTION', choices: ['list', 'show', 'resend', 'hold', 'release'] },
    { name: 'UID', isOptional: true, isList: true },
  ],
  options: {
    topic: { value: 'TOPIC', text: 'list: only this topic, such as transfers' },
    type: { value: 'TYPE', text: 'list: only this event_type, such as status_change' },
    record: { value: 'UID', text: 'list: only events that tell of this record' },
    lines: { value: '20', short: 'n', text: 'list: how many, up to 1000' },
    program: { ...ofProgram, text: `list: ${ofProgram.text}` },
    json,
    ...where,
  },
  about: `sandbank events list                   newest first, with the status and the last attempt of each delivery
sandbank events show UID               with its details and all attempts; UID is the event_id
sandbank events resend UID [WEBHOOK]   with the same event_id; without WEBHOOK: to all webhooks that it was for
sandbank events hold UID               its deliveries that are not finished are not sent until release
sandbank events release UID`,
}

const listen: Command = {
  summary: 'receive the webhooks of the running sandbox, and print or forward each event',
  options: {
    'forward-to': { value: 'URL', text: 'post each event, unchanged, to this address, a slash and its topic' },
    topic,
    ...form,
    program: ofProgram,
    json: { text: 'print the body of each event as one line of JSON' },
    ...where,
  },
  about: `Starts a receiver on a free port of 127.0.0.1, and creates a webhook for it. Each event whose signature is right is one line on
stdout: the real time, the event, the uid of its record, its event_id, and the status of --forward-to.

It accepts each event with 204. With --forward-to, the answer of that receiver is its answer, so what is refused there is sent
again in simulated time, when the clock comes to it; a target that does not answer within 4.5 seconds counts as 502.`,
  notes: `Ctrl-C deletes the webhook and ends. One that a killed listen has left behind is deleted by the next listen of the same Program.
Exit code 0: it was ended. 1: the sandbox has ended, the webhook was deleted by another command, or could not be deleted.`,
  outlivesReader: true,
}

const doctor: Command = {
  summary: 'look for what keeps a sandbox from running, or commands from finding it',
  options: { json },
  about:
    'Checks Node, folders, the port, running sandboxes, clocks and variables. Exit code 1: it has found a problem.',
}

const help: Command = {
  summary: 'show the options of a command',
  positionals: [{ name: 'COMMAND', isOptional: true }],
  options: {},
}

const version: Command = { summary: 'print the version', options: {} }

const completion: Command = {
  summary: 'print a script that completes commands and options in a shell',
  positionals: [{ name: 'SHELL', choices: ['bash', 'zsh', 'fish'] }],
  options: {},
  about: `bash: add to ~/.bashrc   eval "$(sandbank completion bash)"
zsh: add to ~/.zshrc     eval "$(sandbank completion zsh)"   (after compinit)
fish: run once           sandbank completion fish > ~/.config/fish/completions/sandbank.fish`,
}

export const commands = {
  ...{ serve, run, call, token, control, clock, logs, status, open: openCommand, stop, wait, world, snapshot },
  ...{ listen, webhooks, events },
  ...{ replay, export: exportBundle, import: importBundle, check, repair },
  ...{ doctor, help, version, completion },
}
export type CommandName = keyof typeof commands

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name)
