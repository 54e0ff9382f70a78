import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { type Input, OptionError, type Run, type Terminal } from './command.ts'
import { formatExchange } from './exchange-lines.ts'
import { callControl, findSandbox, openNotices, readNotices } from './running.ts'

/** `sandbank logs`: the newest requests of the log, oldest first; with --follow also those that come. */
export const logs: Run = async (input, terminal) => {
  const { lines = '20', follow = false } = input.values as { lines?: string; follow?: boolean }
  if (!/^\d{1,4}$/.test(lines) || Number(lines) > 1000)
    throw new OptionError('--lines: a number from 0 to 1000 is expected')
  const sandbox = await findSandbox(input, terminal)
  // It listens first: no request between the list and the notices is missed.
  const notices = follow ? await openNotices(sandbox) : undefined
  const { data } = await callControl<{ data: Exchange[] }>(sandbox, 'exchanges.list', { limit: Number(lines) })
  for (const exchange of data.toReversed()) printExchange(exchange, input, terminal)
  if (!notices) return 0
  const printed = new Set(data.map(({ uid }) => uid))
  for await (const notice of readNotices(notices))
    if (notice.type === 'exchange' && !printed.has(notice.exchange.uid)) printExchange(notice.exchange, input, terminal)
  terminal.printError('The sandbox has ended')
  return 1
}

function printExchange(exchange: Exchange, { values }: Input, { print, paint }: Terminal) {
  const hasRealTime = values['real-time'] === true
  print(values.json ? JSON.stringify(exchange) : formatExchange(exchange, paint, { hasRealTime }))
}
