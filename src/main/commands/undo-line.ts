import type { Input, Terminal } from './command.ts'

/** How to undo what a command has changed in a running sandbox. On stderr: stdout is the answer alone. Without an operation nothing was changed. */
export function printUndo(
  operation: number | undefined,
  { given }: Pick<Input, 'given'>,
  { printError }: Pick<Terminal, 'printError'>,
) {
  if (operation === undefined) return
  const where = ['url', 'world'].flatMap((name) => (given[name] === undefined ? [] : [`--${name} ${given[name]}`]))
  printError(`undo: ${['sandbank undo', operation, ...where].join(' ')} (with what came later)`)
}
