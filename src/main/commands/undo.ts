import type { MethodOutput } from '../../api/contract/control/methods.ts'
import type { Operation } from '../../api/contract/control/operations.ts'
import type { Run } from './command.ts'
import { formatCount, formatTable } from './format.ts'
import { number } from './option-values.ts'
import { callControl, findSandbox } from './running.ts'

/** `sandbank undo` and `redo`: the stack of operations of the running sandbox. */

const runMove =
  (undo: 'undo' | 'redo'): Run =>
  async (input, terminal) => {
    const [operation] = input.words.map(number(1, 9_999_999))
    const sandbox = await findSandbox(input, terminal)
    const print = <T>(answer: T, format: (answer: T) => string) =>
      terminal.print(input.values.json ? JSON.stringify(answer) : format(answer))
    if (input.values.list) print(await callControl(sandbox, 'operations.list'), formatOperations)
    else {
      const answer = await callControl(sandbox, `operations.${undo}`, operation === undefined ? {} : { operation })
      print(answer, (step) => formatStep(step, undo))
    }
    return 0
  }

export const undo = runMove('undo')
export const redo = runMove('redo')

function formatStep(step: MethodOutput<'operations.undo'>, undo: 'undo' | 'redo'): string {
  const { operation, operations, now, says } = step
  const others = operations > 1 ? ` with ${formatCount(operations - 1, 'other operation')}` : ''
  const [done, back] = undo === 'undo' ? ['Undone', 'redo'] : ['Redone', 'undo']
  return `${done}: ${says}, operation ${operation}${others}; the clock is at ${now}. To ${back}: sandbank ${back}`
}

const formatOperations = ({ operations }: MethodOutput<'operations.list'>): string =>
  operations.length === 0 ? 'No operations' : formatTable(operations.map(toRow))

const toRow = (operation: Operation): readonly string[] => [
  String(operation.operation),
  operation.at,
  operation.undone_by === null ? '' : `undone by commit ${operation.undone_by}`,
  operation.says,
  operation.did,
]
