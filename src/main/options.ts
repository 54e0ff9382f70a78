import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { z } from 'zod'
import { parseCidr, parseInstant } from '../api/sandbox.ts'

/** Parses the options and environment variables of both hosts, and holds the texts of --help. */

export class OptionError extends Error {
  override name = 'OptionError'
}

/** The options of `serve` and of the desktop app. */
export const serveFlags = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  ephemeral: { type: 'boolean' },
  seed: { type: 'string' },
  start: { type: 'string' },
  clock: { type: 'string' },
  pace: { type: 'string' },
  world: { type: 'string' },
  durability: { type: 'string' },
  allow: { type: 'string', multiple: true },
  'allow-host': { type: 'string', multiple: true },
  cors: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  open: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const EARLIEST = Date.UTC(1900, 0)
const LATEST = Date.UTC(9000, 0)

const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, { error: `one of ${values.join(', ')} is expected` }).optional()

/** As browsers send it: scheme, host and port, without a path. */
const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

const Serve = z
  .strictObject({
    port: z
      .string()
      .regex(/^\d{1,5}$/, { error: 'a number from 0 to 65535 is expected' })
      .transform(Number)
      .refine((port) => port <= 65_535, { error: 'a number from 0 to 65535 is expected' })
      .optional(),
    host: z.string().min(1, { error: 'an address of this machine is expected' }).default('127.0.0.1'),
    data: z.string().min(1, { error: 'a folder is expected' }).optional(),
    ephemeral: z.boolean().default(false),
    seed: z.string().min(1, { error: 'a text is expected' }).optional(),
    start: z
      .string()
      .transform((text, context) => {
        try {
          const start = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
          if (start >= EARLIEST && start <= LATEST) return start
          context.addIssue({ code: 'custom', message: 'a time from 1900 to 9000 is expected' })
          return z.NEVER
        } catch {
          context.addIssue({ code: 'custom', message: 'an ISO 8601 instant is expected, such as 2026-11-23T14:30:00Z' })
          return z.NEVER
        }
      })
      .optional(),
    clock: oneOf(['running', 'frozen']),
    pace: oneOf(['fast', 'real']),
    world: oneOf(['demo', 'empty']),
    durability: oneOf(['write', 'fsync']),
    allow: z
      .array(z.string().refine((text) => parseCidr(text), { error: 'a network is expected, such as 172.17.0.0/16' }))
      .default([]),
    'allow-host': z.array(z.string().min(1)).default([]),
    cors: z
      .array(
        z.string().refine(isOrigin, { error: 'the origin of a web page is expected, such as http://localhost:5173' }),
      )
      .default([]),
    json: z.boolean().default(false),
    open: z.boolean().default(false),
    help: z.boolean().default(false),
  })
  .refine(({ data, ephemeral }) => !(data && ephemeral), {
    error: 'one of --data and --ephemeral is expected, not both',
    path: ['ephemeral'],
  })
export type ServeOptions = z.output<typeof Serve>

const runFlags = {
  junit: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

function parseFlags<const F extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: F,
  command: string,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: command !== 'serve' })
  } catch (error) {
    const [line] = (error as Error).message.split(/\. To specify|\n/)
    throw new OptionError(`${line}; see sandbank ${command} --help`)
  }
}

export function parseServeOptions(args: readonly string[]): ServeOptions {
  const { values } = parseFlags(args, serveFlags, 'serve')
  const parsed = Serve.safeParse(values)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new OptionError(`--${String(issue?.path[0])}: ${issue?.message}`)
}

export interface RunOptions {
  readonly scenarios: readonly string[]
  readonly junit?: string | undefined
  readonly json: boolean
  readonly help: boolean
}

export function parseRunOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseFlags(args, runFlags, 'run')
  const { junit, json = false, help = false } = values
  if (junit === '') throw new OptionError('--junit: a file is expected')
  if (!help && positionals.length === 0)
    throw new OptionError('A scenario is expected: a file, a folder or a name of the library; see sandbank run --help')
  return { scenarios: positionals, junit, json, help }
}

const fileFlags = {
  replay: { data: { type: 'string' }, url: { type: 'string' }, json: { type: 'boolean' } },
  export: { out: { type: 'string' } },
  import: { data: { type: 'string' } },
  check: {},
  repair: {},
} as const satisfies Record<string, NonNullable<ParseArgsConfig['options']>>

export interface FileOptions {
  readonly file: string
  readonly data?: string | undefined
  readonly url?: string | undefined
  readonly out?: string | undefined
  readonly json: boolean
  readonly help: boolean
}

/** For the commands that take one file or folder. */
export function parseFileOptions(command: keyof typeof fileFlags, args: readonly string[]): FileOptions {
  const options = { ...fileFlags[command], help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parseFlags(args, options, command)
  const {
    help = false,
    json = false,
    ...texts
  } = values as Partial<Record<string, string> & { help: boolean; json: boolean }>
  for (const [name, value] of Object.entries(texts))
    if (value === '') throw new OptionError(`--${name}: a text is expected`)
  const [file, ...more] = positionals
  const what = ['export', 'check', 'repair'].includes(command) ? 'data folder' : 'file'
  if (!help && (file === undefined || more.length > 0))
    throw new OptionError(`One ${what} is expected; see sandbank ${command} --help`)
  const { data, url, out } = texts
  return { file: file ?? '', data, url, out, json, help }
}

/** The options of openSandbox(). */
export const toSandboxOptions = (options: ServeOptions, env: NodeJS.ProcessEnv) => ({
  data: options.ephemeral ? null : (options.data ?? defaultDataFolder(env)),
  seed: options.seed,
  start: options.start,
  world: options.world,
  clock: options.clock,
  pace: options.pace,
  durability: options.durability,
  host: options.host,
  port: options.port,
  allow: options.allow,
  allow_host: options['allow-host'],
  cors: options.cors,
  control_key: controlKey(env.SANDBANK_CONTROL_KEY),
  log_length: logLength(env.SANDBANK_LOG_LENGTH),
})

export const MIN_CONTROL_KEY = 16

function controlKey(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (text.length >= MIN_CONTROL_KEY) return text
  throw new OptionError(
    `SANDBANK_CONTROL_KEY has ${text.length} characters: at least ${MIN_CONTROL_KEY} are expected; without it the key is random`,
  )
}

function logLength(text: string | undefined): number | undefined {
  if (!text) return undefined
  const length = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (length >= 100 && length <= 1_000_000) return length
  throw new OptionError(`SANDBANK_LOG_LENGTH is ${text}: a number of requests from 100 to 1000000 is expected`)
}

/** In the system's application-data folder; the same for both hosts, as it does not ask Electron. */
export function defaultDataFolder(env: NodeJS.ProcessEnv, platform = process.platform, home = homedir()): string {
  const base =
    platform === 'win32'
      ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'))
  return join(base, 'Sandbank', 'world')
}

export const HELP = `sandbank: the API of a payments platform on this machine, with a window that shows what happens

  sandbank serve [options]       run the sandbox and serve its window to a browser
  sandbank run SCENARIO...       run scenario files against a fresh world; exit 1 when one fails
  sandbank replay FILE           send the requests of a bundle, a HAR file or curl lines again; exit 1 when responses differ
  sandbank export DIR --out FILE export a data folder as a bundle, with personal data masked
  sandbank import FILE --data DIR import a bundle into a new data folder
  sandbank check DIR             check every file of a data folder, and its books
  sandbank repair DIR            make a damaged data folder usable, and say what is lost
  sandbank <command> --help      the options
  sandbank --version`

export const SERVE_HELP = `sandbank serve [--port 4010] [--host 127.0.0.1] [--data DIR | --ephemeral] [--seed TEXT] [--start ISO-TIME]
               [--clock running|frozen] [--pace fast|real] [--world demo|empty] [--durability write|fsync]
               [--allow CIDR]... [--allow-host NAME]... [--cors ORIGIN]... [--json] [--open]

  --port         the port to listen on; 0 takes a free one
  --host         the address to listen on; anything but loopback also needs --allow and --allow-host
  --data         the data folder; created if missing. Default: in the system's application-data folder
  --ephemeral    keep everything in memory, and save nothing
  --seed         for a new world: the same seed, start and requests give the same world
  --start        for a new world: its simulated time. Default: now
  --clock        running (default) or frozen simulated time
  --pace         payments settle within seconds (fast, default) or by the banking calendar (real)
  --world        for a new world: demo (default) or empty
  --durability   write (default) survives a crash of the process, fsync also one of the machine
  --allow        a network that may call, in addition to loopback, such as 172.17.0.0/16
  --allow-host   a host name of this machine for clients, such as host.docker.internal
  --cors         the origin of a web page that may call the API from a browser, such as http://localhost:5173
  --json         print one line of JSON on stdout when it listens, and nothing else
  --open         open the window in the browser

SANDBANK_CONTROL_KEY sets the control key, of at least 16 characters; it is random by default.
SANDBANK_LOG_LENGTH sets how many requests the log keeps; the default is 10000.`

export const RUN_HELP = `sandbank run SCENARIO... [--junit FILE] [--json]

Runs scenarios, each in a fresh world with a frozen clock, and prints the results. A SCENARIO is a file, a folder (every
.yaml, .yml and .json in it) or a name of the library.

  --junit        also write the results to a file, as JUnit XML
  --json         print one JSON document on stdout, and nothing else

Exit code 0: all passed. 1: at least one failed. 2: a file cannot be read, or an option is invalid; nothing was run.

The library: `

export const REPLAY_HELP = `sandbank replay FILE [--data DIR | --url URL] [--json]

Sends recorded requests again, with new tokens, and compares the responses. FILE is recognized by its content: a bundle is
replayed in its own world, a HAR file or curl lines in a fresh demo world with a frozen clock.

  --data         replay in the world of this data folder, and save the changes
  --url          replay in a running sandbox, such as http://127.0.0.1:4010
  --json         print one JSON document on stdout, and nothing else

SANDBANK_CONTROL_KEY is the control key of the sandbox at --url. It is needed for tokens of all Programs and to advance
the clock. Exit code 0: all responses are the same. 1: some differ. 2: a file cannot be read, or an option is invalid.`

export const EXPORT_HELP = `sandbank export DIR --out FILE

Writes a data folder as one file: its world, its requests with their responses, and the operator actions. Personal data is
replaced by pseudonyms of the same form; keys and tokens are left out. The folder is not changed.`

export const IMPORT_HELP = `sandbank import FILE --data DIR

Creates a data folder from a bundle: its world, its history and its requests. DIR must be new or empty.`

export const CHECK_HELP = `sandbank check DIR

Reads every file of a data folder: each line has a check that shows whether it was changed or is missing. Then recomputes both
books from their line items, and compares them with each other. Exit code 1: a file is damaged, or the books do not balance.`

export const REPAIR_HELP = `sandbank repair DIR

Makes a damaged data folder usable: keeps each line that its check proves, and the newest world that these lines lead to.
Prints what is left out. The files as they were are moved to a folder damaged-1 in DIR. Exit code 2: no world can be kept,
and nothing was changed.`
