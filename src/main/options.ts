import { z } from 'zod'
import { Keepable, keepableNames } from '../api/contract/control/bundles.ts'
import { canBeStart, MIN_CONTROL_KEY } from '../api/contract/library.ts'
import { parseCidr, parseInstant, SCENARIO_START } from '../api/sandbox.ts'
import { defaultDataFolder } from './app-paths.ts'
import { type Input, OptionError } from './commands/command.ts'
import { parseInput } from './commands/parse.ts'
import { serve } from './commands/table.ts'

/** Checks the values of options and environment variables of both hosts. */

export { OptionError }

const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, { error: `one of ${values.join(', ')} is expected` }).optional()

/** As browsers send it: scheme, host and port, without a path. */
const isOrigin = (text: string) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

const Serve = z.strictObject({
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
        if (canBeStart(start)) return start
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
  detach: z.boolean().default(false),
  quiet: z.boolean().default(false),
  scenario: z.string().min(1, { error: 'a file or the name of a scenario is expected' }).optional(),
})
export type ServeOptions = z.output<typeof Serve>

export function parseServeOptions(args: readonly string[], env: NodeJS.ProcessEnv = {}): ServeOptions {
  return checkServeOptions(parseInput('serve', serve, args, env) ?? { values: {}, positionals: [] })
}

export function checkServeOptions({ values }: Input): ServeOptions {
  const parsed = Serve.safeParse(values)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new OptionError(`--${String(issue?.path[0])}: ${issue?.message}`)
}

export interface RunOptions {
  readonly scenarios: readonly string[]
  readonly filter?: string | undefined
  readonly bail: boolean
  readonly watch: boolean
  readonly junit?: string | undefined
  readonly json: boolean
}

export function checkRunOptions({ values, positionals }: Input): RunOptions {
  const { filter, bail = false, watch = false, junit, json = false } = values as Partial<RunOptions>
  if (filter === '') throw new OptionError('--filter: a text is expected')
  if (junit === '') throw new OptionError('--junit: a file is expected')
  if (positionals.length === 0)
    throw new OptionError('A scenario is expected: a file, a folder or a name of the library; see sandbank run --help')
  return { scenarios: positionals, filter, bail, watch, junit, json }
}

interface FileOptions {
  readonly file: string
  readonly data?: string | undefined
  readonly url?: string | undefined
  readonly out?: string | undefined
  /** Personal values that an export does not mask. */
  readonly keep: readonly Keepable[]
  readonly json: boolean
}

/** For the commands that take one file or folder. */
export function checkFileOptions(
  command: 'replay' | 'export' | 'import' | 'check' | 'repair',
  { values, positionals }: Input,
): FileOptions {
  const { json = false, ...texts } = values as Partial<Record<string, string> & { json: boolean }>
  for (const [name, value] of Object.entries(texts))
    if (value === '') throw new OptionError(`--${name}: a text is expected`)
  const [file, ...more] = positionals
  const what = ['export', 'check', 'repair'].includes(command) ? 'data folder' : 'file'
  if (file === undefined || more.length > 0)
    throw new OptionError(`One ${what} is expected; see sandbank ${command} --help`)
  const { data, url, out, keep } = texts
  return { file, data, url, out, keep: parseKeep(keep), json }
}

function parseKeep(text: string | undefined): Keepable[] {
  const names = text?.split(',').map((name) => name.trim()) ?? []
  for (const name of names)
    if (!Keepable.safeParse(name).success)
      throw new OptionError(`--keep: ${keepableNames.join(', ')} are expected, separated by commas, not ${name}`)
  return names as Keepable[]
}

/** The options of openSandbox(). */
export const toSandboxOptions = (options: ServeOptions, env: NodeJS.ProcessEnv) => ({
  data: options.ephemeral ? null : (options.data ?? defaultDataFolder(env)),
  seed: options.seed,
  start: options.start ?? (options.ephemeral && options.clock === 'frozen' ? Date.parse(SCENARIO_START) : undefined),
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
