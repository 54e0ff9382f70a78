import { writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { MethodOutput } from '../../api/contract/control/methods.ts'
import { type Input, OptionError, type Run, type Terminal } from './command.ts'
import { refuseUnwritable } from './output-file.ts'
import { callControl, findSandbox } from './running.ts'
import { printUndo } from './undo-line.ts'

/** `sandbank reach GOAL…` and `sandbank trigger EVENT`. */

interface ReachValues {
  readonly apply?: boolean
  readonly save?: string
  readonly in?: string
  readonly json?: boolean
}

export const reach: Run = (input, terminal) => find(input.words.join(' '), input, terminal)

export const trigger: Run = (input, terminal) => {
  const [event = ''] = input.words
  if (event.includes('='))
    throw new OptionError(`${event}: an event such as transfers.created is expected; a state is for sandbank reach`)
  return find(`event=${event}`, input, terminal)
}

async function find(goal: string, input: Input, terminal: Terminal) {
  const { apply = false, save, in: world, json } = input.values as ReachValues
  const named = world === undefined ? {} : { world }
  const at = { ...input, values: { ...input.values, ...named }, given: { ...input.given, ...named } }
  const sandbox = await findSandbox(at, terminal)
  const scenario = save === undefined ? undefined : basename(save, extname(save))
  if (save !== undefined) refuseUnwritable('--save', save)
  const reached = await callControl(sandbox, 'reach', { goal, apply, ...(scenario ? { scenario } : {}) })
  printUndo(reached.operation ?? undefined, at, terminal)
  if (save !== undefined) await writeFile(save, reached.scenario ?? '')
  terminal.print(json ? JSON.stringify(reached) : formatReached(reached, save))
  return 0
}

function formatReached({ steps, record, ends_at, applied }: MethodOutput<'reach'>, saved: string | undefined): string {
  const about = record === null ? '' : `: ${record.collection} ${record.uid}`
  if (steps.length === 0) return `It is so already${about}`
  const lines = steps.map(({ text }, at) => `${String(at + 1).padStart(2)}. ${text}`)
  const end = `${applied ? 'Reached' : 'Reaches it'}${about}; the clock ${applied ? 'is' : 'would be'} at ${ends_at}`
  const next = applied ? [] : ['Nothing was changed. To take these steps: --apply']
  return [...lines, end, ...(saved === undefined ? [] : [`Saved as a scenario: ${saved}`]), ...next].join('\n')
}
