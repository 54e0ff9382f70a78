import { findNearest } from '../../api/contract/terms/nearest.ts'
import { type Input, OptionError, type Run, type Terminal } from './command.ts'
import { describe, describeInText, map } from './describe.ts'
import { formatCommandHelp, formatHelp } from './help.ts'
import { type CommandName, commands, isCommandName } from './table.ts'

/** The code of each command. It is loaded when the command runs, so that those for a running sandbox start without its code. */

const files = () => import('../file-commands.ts')
const status = () => import('./status.ts')

export const runners: Readonly<Record<CommandName, () => Promise<Run>>> = {
  serve: async () => async (input, terminal) =>
    input.values.detach
      ? (await import('./detach.ts')).detach(input, terminal)
      : (await import('./serve.ts')).serve(input, terminal),
  run: async () => (await import('../run-command.ts')).runScenarios,
  call: async () => (await import('./call.ts')).call,
  token: async () => (await import('./call.ts')).token,
  control: async () => (await import('./call.ts')).control,
  clock: async () => (await import('./clock.ts')).clock,
  logs: async () => (await import('./logs.ts')).logs,
  status: async () => (await status()).status,
  open: async () => (await status()).openWindow,
  stop: async () => (await status()).stop,
  wait: async () => (await status()).wait,
  world: async () => (await import('./worlds.ts')).world,
  snapshot: async () => (await import('./worlds.ts')).snapshot,
  undo: async () => (await import('./undo.ts')).undo,
  redo: async () => (await import('./undo.ts')).redo,
  reach: async () => (await import('./reach.ts')).reach,
  trigger: async () => (await import('./reach.ts')).trigger,
  migration: async () => (await import('./worlds.ts')).migration,
  listen: async () => (await import('./listen.ts')).listen,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  events: async () => (await import('./webhooks.ts')).events,
  describe: async () => describe,
  map: async () => map,
  agents: async () => (await import('./agents.ts')).agents,
  mcp: async () => (await import('./mcp.ts')).mcp,
  doctor: async () => (await import('./doctor.ts')).doctor,
  help: async () => help,
  version: async () => printVersion,
  completion: async () => (await import('./completion.ts')).completion,
  replay: async () => (await files()).replay,
  export: async () => (await files()).exportBundle,
  import: async () => (await files()).importBundle,
  check: async () => (await files()).check,
  repair: async () => (await files()).repair,
}

/** What the help of a command shows besides the table. */
const moreNotes: Partial<Record<CommandName, (terminal: Terminal) => Promise<string>>> = {
  run: async (terminal) => (await import('../run-command.ts')).describeLibrary(terminal),
}

const nameInWords: Partial<Record<CommandName, (words: readonly string[]) => string | undefined>> = {
  call: ([method, path]) => path && `${method} ${path}`,
  control: ([method]) => method && `method ${method}`,
}

// ── Help ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const help: Run = async ({ words: [name] }, terminal) => {
  terminal.print(name === undefined ? formatHelp(commands) : await describeCommand(requireCommand(name), terminal))
  return 0
}

const printVersion: Run = async (_input, { version, print }) => {
  print(version)
  return 0
}

/** The words of `call` and `control` before --help name what its help is about. */
export async function describeCommand(name: CommandName, terminal: Terminal, input?: Input): Promise<string> {
  const about = nameInWords[name]?.(input?.words ?? [])
  if (input && about !== undefined) return describeInText(about, { ...input, values: input.given }, terminal)
  const notes = await moreNotes[name]?.(terminal)
  return [formatCommandHelp(name, commands[name]), notes].filter(Boolean).join('\n\n')
}

export function requireCommand(name: string): CommandName {
  if (isCommandName(name)) return name
  const meant = findNearest(name, Object.keys(commands))
  throw new OptionError(
    `There is no command ${name}${meant === undefined ? '; see' : `: did you mean ${meant}? See`} sandbank --help`,
  )
}
