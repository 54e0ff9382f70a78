import type { Run, Terminal } from './command.ts'
import type { CommandName } from './table.ts'

/** The code of each command. It is loaded when the command runs, so that those for a running sandbox start without its code. */

const files = () => import('../file-commands.ts')

export const runners: Readonly<Record<CommandName, () => Promise<Run>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  run: async () => (await import('../run-command.ts')).runScenarios,
  replay: async () => (await files()).replay,
  export: async () => (await files()).exportBundle,
  import: async () => (await files()).importBundle,
  check: async () => (await files()).check,
  repair: async () => (await files()).repair,
}

/** What the help of a command shows besides the table. */
export const moreNotes: Partial<Record<CommandName, (terminal: Terminal) => Promise<string>>> = {
  run: async (terminal) => (await import('../run-command.ts')).describeLibrary(terminal),
}
