import { formatCause } from '../../api/contract/control/causes.ts'
import type { Cause } from '../../api/contract/control/history.ts'
import type { Input, Terminal } from './command.ts'

/**
 * What each command that has changed the world of a running sandbox prints: how to undo it, and what that undoes. On stderr: stdout is the
 * answer alone. Without an operation nothing was changed.
 */
export function printUndo(
  operation: number | undefined,
  cause: Pick<Cause, 'door' | 'name'>,
  { given }: Pick<Input, 'given'>,
  { printError }: Pick<Terminal, 'printError'>,
) {
  // These say themselves how to go back.
  if (operation === undefined || cause.name.startsWith('operations.')) return
  const where = ['url', 'world'].flatMap((name) => (given[name] === undefined ? [] : [`--${name} ${given[name]}`]))
  printError(
    `undo: ${['sandbank undo', operation, ...where].join(' ')} (${formatCause({ cause })}) and what came later`,
  )
}
