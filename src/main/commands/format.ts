import type { Clock } from '../../api/contract/control/clock.ts'
import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { escapeControls } from '../../api/contract/terms/texts.ts'
import type { Terminal } from './command.ts'
import { formatLine, type Paint, paintStatus } from './paint.ts'

/** How commands print counts, tables, records and requests. */

export const formatCount = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

/** Columns of equal width. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(escapeControls))
  const widths = shown[0]!.map((_, at) => Math.max(...shown.map((row) => row[at]!.length)))
  return shown
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One line for each field. A list has a line for each of its texts. */
export const formatFields = (fields: Readonly<Record<string, string | readonly string[]>>): string =>
  Object.entries(fields)
    .flatMap(([label, text]) => [text].flat().map((line, at) => `  ${(at === 0 ? label : '').padEnd(8)} ${line}`))
    .join('\n')

/** Indented for people; unchanged for programs. */
export function printJson(text: string, { print, isTerminal }: Terminal) {
  if (!isTerminal) return print(text)
  try {
    print(JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    print(text)
  }
}

export function formatClock({ now, mode, pace, next, due }: Clock): string {
  const scheduled = next ? `${due} scheduled; next: ${next.what} at ${next.at}` : 'nothing scheduled'
  return `${now}  ${mode}, pace ${pace}; ${scheduled}`
}

/** One line for a request of the log: simulated time, real time if wanted, method, path, status, what it did, the name of its world. */
export function formatExchange(
  { at, received_at, method, path, status, did, ms, fault }: Exchange,
  paint: Paint,
  { world, hasRealTime = false }: { readonly world?: string | undefined; readonly hasRealTime?: boolean } = {},
): string {
  return formatLine([
    paint('dim', at.slice(0, 19).replace('T', ' ')),
    ...(hasRealTime ? [(received_at ?? 'unknown').padEnd(REAL_TIME_LENGTH)] : []),
    method.padEnd(6),
    path,
    paintStatus(paint, status, status === 0 ? 'dropped' : undefined),
    did,
    fault && paint('yellow', fault),
    world && paint('dim', world),
    paint('dim', `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`),
  ])
}

/** Of an instant with milliseconds. */
const REAL_TIME_LENGTH = 24
