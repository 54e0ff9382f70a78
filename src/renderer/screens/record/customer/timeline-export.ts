import type { TimelineRow } from './timeline-rows.ts'

/** Writes the shown rows of the timeline as a file, in the same order. */

export const formats = {
  CSV: { type: 'text/csv', ending: 'csv', write: asCsv },
  JSON: { type: 'application/json', ending: 'json', write: asJson },
  text: { type: 'text/plain', ending: 'txt', write: asText },
} as const

const CSV_HEADERS = [
  'at',
  'seq',
  'lane',
  'what',
  'detail',
  'amount',
  'pending',
  'balance',
  'collection',
  'uid',
  'request',
]

function asCsv(rows: readonly TimelineRow[]): string {
  const lines = rows.map(({ lane, entry, created, amount, pending, balance }) => [
    entry.at,
    entry.seq ?? '',
    lane,
    guardFormula(entry.text),
    guardFormula(created.map(({ text }) => text).join('; ')),
    amount ?? '',
    amount === null ? '' : String(pending),
    balance ?? '',
    entry.collection ?? '',
    entry.uid ?? '',
    entry.cause?.exchange ?? '',
  ])
  return [CSV_HEADERS, ...lines].map((line) => `${line.map(quoteCell).join(',')}\r\n`).join('')
}

/** Spreadsheets run such a text as a formula: prefix it with a quote. */
const guardFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const quoteCell = (value: string | number) =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)

function asJson(rows: readonly TimelineRow[]): string {
  return `${JSON.stringify(
    rows.map(({ lane, entry, created }) => ({ lane, ...entry, made: created })),
    null,
    2,
  )}\n`
}

function asText(rows: readonly TimelineRow[]): string {
  return rows
    .map(({ lane, entry, created, amount, balance, pending }) =>
      [
        entry.at,
        lane.padEnd(7),
        entry.text.replaceAll(/\s+/g, ' '),
        ...(created.length > 0 ? [`(${created.map(({ text }) => text).join('; ')})`] : []),
        ...(amount === null ? [] : [`${amount}${pending ? ' pending' : ''}`]),
        ...(balance === null ? [] : [`balance ${balance}`]),
      ].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('')
}

export function download(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers start the download asynchronously and still need the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
