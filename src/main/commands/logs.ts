import { createInterface } from 'node:readline'
import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { type Input, OptionError, type Run, type Terminal } from './command.ts'
import { formatExchange } from './exchange-lines.ts'
import { open } from './http.ts'
import { callControl, findSandbox, type RunningSandbox, reach } from './running.ts'

/** `sandbank logs`: the newest requests of the log, oldest first; with --follow also those that come. */
export const logs: Run = async (input, terminal) => {
  const { lines = '20', follow = false } = input.values as { lines?: string; follow?: boolean }
  if (!/^\d{1,4}$/.test(lines) || Number(lines) > 1000)
    throw new OptionError('--lines: a number from 0 to 1000 is expected')
  const sandbox = await findSandbox(input, terminal)
  // It listens first: no request between the list and the notices is missed.
  const notices = follow ? await listen(sandbox) : undefined
  const { data } = await callControl<{ data: Exchange[] }>(sandbox, 'exchanges.list', { limit: Number(lines) })
  for (const exchange of data.toReversed()) printExchange(exchange, input, terminal)
  if (!notices) return 0
  const printed = new Set(data.map(({ uid }) => uid))
  for await (const line of createInterface({ input: notices, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.startsWith('data: ')) continue
    const notice = JSON.parse(line.slice(6)) as { type: string; exchange?: Exchange }
    if (notice.exchange && !printed.has(notice.exchange.uid)) printExchange(notice.exchange, input, terminal)
  }
  terminal.printError('The sandbox has ended')
  return 1
}

async function listen({ control, control_key = '' }: RunningSandbox) {
  const headers = { 'x-control-key': control_key }
  const notices = await reach(control, () => open(`${control}/notices`, { method: 'GET', headers, timeoutMs: 60_000 }))
  // The stream ends with an error if the process is killed; then it has ended, too.
  notices.on('error', () => notices.push(null))
  return notices
}

function printExchange(exchange: Exchange, { values }: Input, { print, paint }: Terminal) {
  const hasRealTime = values['real-time'] === true
  print(values.json ? JSON.stringify(exchange) : formatExchange(exchange, paint, { hasRealTime }))
}
