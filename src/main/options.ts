import { canBeStart, MIN_CONTROL_KEY } from '../api/contract/library.ts'
import { parseCidr, type SandboxOptions, SCENARIO_START } from '../api/sandbox.ts'
import { defaultDataFolder } from './app-paths.ts'
import { OptionError } from './commands/command.ts'
import { describeCommands } from './commands/help.ts'
import { refuse } from './commands/option-values.ts'
import { commands } from './commands/table.ts'

/** The options of `sandbank serve` and of the desktop app, and their environment variables, as those of openSandbox(). */

type SameOptions = 'seed' | 'world' | 'clock' | 'pace' | 'durability' | 'host' | 'port' | 'allow' | 'cors'
export interface ServeValues extends Partial<Pick<SandboxOptions, SameOptions>> {
  readonly 'allow-host'?: readonly string[]
  readonly data?: string
  readonly ephemeral?: boolean
  /** An ISO 8601 instant. */
  readonly start?: string
  readonly scenario?: string
  readonly 'hard-mode'?: string
  /** The kind of world that `--as` names. */
  readonly as?: 'hosted'
  readonly program?: { readonly uid: string; readonly hmac_key: string }
  readonly json?: boolean
  readonly open?: boolean
  readonly quiet?: boolean
}

export function toSandboxOptions(values: ServeValues, env: NodeJS.ProcessEnv) {
  const {
    data,
    ephemeral,
    start,
    allow = [],
    'allow-host': allow_host = [],
    'hard-mode': hard_mode,
    cors = [],
    as,
    ...others
  } = values
  const { seed, world, clock, pace, durability, host = '127.0.0.1', port } = others
  for (const network of allow) if (!parseCidr(network)) refuse('--allow: a network such as 172.17.0.0/16 is', network)
  if (as && world)
    throw new OptionError(`--as: a world that behaves as ${as} has its own businesses: leave --world out`)
  const isFixed = ephemeral && clock === 'frozen'
  const started = start ?? (isFixed ? SCENARIO_START : undefined)
  if (start !== undefined && !canBeStart(Date.parse(start))) refuse('--start: a time from 1900 to 9000 is', start)
  return {
    seed,
    world: as ?? world,
    hard_mode,
    clock,
    pace,
    durability,
    host,
    port,
    allow,
    allow_host,
    cors,
    data: ephemeral ? null : (data ?? defaultDataFolder(env)),
    start: started === undefined ? undefined : Date.parse(started),
    control_key: controlKey(env.SANDBANK_CONTROL_KEY),
    log_length: logLength(env.SANDBANK_LOG_LENGTH),
    commands: () => describeCommands(commands),
  }
}

function controlKey(text: string | undefined): string | undefined {
  if (!text || text.length >= MIN_CONTROL_KEY) return text || undefined
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
