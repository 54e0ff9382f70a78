import type { Advance, Clock } from '../../api/contract/control/clock.ts'
import { type Input, OptionError, type Run, type Terminal } from './command.ts'
import { formatLine } from './paint.ts'
import { callControl, findSandbox, type RunningSandbox } from './running.ts'

/** `sandbank clock`, `clock advance AMOUNT`, `clock to TIME`, `clock freeze`, `clock run`. */
export const clock: Run = async (input, terminal) => {
  const [action, ...words] = input.positionals
  const request = toRequest(action, words.join(' '), input.values['no-wait'] === true)
  const sandbox = await findSandbox(input, terminal)
  if (request.method === 'clock.advance') return advance(sandbox, request.body, input, terminal)
  const state = await callControl<Clock>(sandbox, request.method, request.body)
  terminal.print(input.values.json ? JSON.stringify(state) : formatClock(state))
  return 0
}

function toRequest(action: string | undefined, rest: string, isNotWaiting: boolean): { method: string; body: object } {
  if (['advance', 'to'].includes(action ?? '') !== (rest !== ''))
    throw new OptionError(
      rest === ''
        ? `clock ${action}: ${action === 'to' ? 'a time such as 2026-11-23T14:30:00Z' : 'an amount such as 8bd, 24h or next'} is expected`
        : `${rest}: nothing is expected after clock ${action}`,
    )
  const options = isNotWaiting ? { wait_for_webhooks: false } : {}
  if (action === 'advance' || action === 'to') return { method: 'clock.advance', body: { text: rest, ...options } }
  if (isNotWaiting) throw new OptionError('--no-wait: clock advance or clock to is expected with it')
  if (action === undefined) return { method: 'clock.read', body: {} }
  if (action === 'freeze') return { method: 'clock.set', body: { mode: 'frozen' } }
  if (action === 'run') return { method: 'clock.set', body: { mode: 'running' } }
  throw new OptionError(`clock ${action}: one of advance, to, freeze, run is expected; see sandbank clock --help`)
}

async function advance(sandbox: RunningSandbox, body: object, { values }: Input, { print, printError }: Terminal) {
  const advanced = await callControl<Advance>(sandbox, 'clock.advance', body)
  if (values.json) print(JSON.stringify(advanced))
  else {
    for (const { at, record, outcome } of advanced.fired) print(formatLine([at, record, outcome]))
    print(`${advanced.from} → ${advanced.to}: ${advanced.ran} task${advanced.ran === 1 ? '' : 's'} ran`)
  }
  for (const { message } of advanced.silent_webhooks) printError(message)
  if (advanced.stopped_by === 'cancel') printError('It was canceled before its end')
  return advanced.stopped_by === 'cancel' ? 1 : 0
}

export function formatClock({ now, mode, pace, next, due }: Clock): string {
  const scheduled = next ? `${due} scheduled; next: ${next.what} at ${next.at}` : 'nothing scheduled'
  return `${now}  ${mode}, pace ${pace}; ${scheduled}`
}
