import type { Exchange } from '../../api/contract/control/exchanges.ts'
import type { Run } from './command.ts'
import { formatExchange } from './format.ts'
import { callControl, findSandbox, openNotices, readNotices } from './running.ts'

/** `sandbank logs`: the newest requests of the log, oldest first; with --follow also those that come. */
export const logs: Run = async (input, terminal) => {
  const { lines, follow, json } = input.values
  const hasRealTime = input.values['real-time'] === true
  const printExchange = (exchange: Exchange) =>
    terminal.print(json ? JSON.stringify(exchange) : formatExchange(exchange, terminal.paint, { hasRealTime }))
  const sandbox = await findSandbox(input, terminal)
  // It listens first: no request between the list and the notices is missed.
  const notices = follow ? await openNotices(sandbox) : undefined
  const { data } = await callControl(sandbox, 'exchanges.list', { limit: lines })
  for (const exchange of data.toReversed()) printExchange(exchange)
  if (!notices) return 0
  const printed = new Set(data.map(({ uid }) => uid))
  for await (const notice of readNotices(notices))
    if (notice.type === 'exchange' && !printed.has(notice.exchange.uid)) printExchange(notice.exchange)
  terminal.printError('The sandbox has ended')
  return 1
}
