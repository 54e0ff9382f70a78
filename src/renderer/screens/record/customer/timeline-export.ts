import type { StoryRow } from './timeline-rows.ts'

/** The story as a file: what is shown, in the same order. */

export const formats = {
  CSV: { type: 'text/csv', ending: 'csv', write: asCsv },
  JSON: { type: 'application/json', ending: 'json', write: asJson },
  text: { type: 'text/plain', ending: 'txt', write: asText },
} as const

const HEADS = ['at', 'seq', 'lane', 'what', 'detail', 'amount', 'pending', 'balance', 'collection', 'uid', 'request']

function asCsv(rows: readonly StoryRow[]): string {
  const lines = rows.map(({ lane, entry, made, amount, pending, balance }) => [
    entry.at,
    entry.seq ?? '',
    lane,
    words(entry.text),
    words(made.map(({ text }) => text).join('; ')),
    amount ?? '',
    amount === null ? '' : String(pending),
    balance ?? '',
    entry.collection ?? '',
    entry.uid ?? '',
    entry.cause?.exchange ?? '',
  ])
  return [HEADS, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

/** Spreadsheets take such a text for a formula. */
const words = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
const cell = (value: string | number) =>
  /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)

function asJson(rows: readonly StoryRow[]): string {
  return `${JSON.stringify(
    rows.map(({ lane, entry, made }) => ({ lane, ...entry, made })),
    null,
    2,
  )}\n`
}

function asText(rows: readonly StoryRow[]): string {
  return rows
    .map(({ lane, entry, made, amount, balance, pending }) =>
      [
        entry.at,
        lane.padEnd(7),
        entry.text.replaceAll(/\s+/g, ' '),
        ...(made.length > 0 ? [`(${made.map(({ text }) => text).join('; ')})`] : []),
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
  // The browser takes its time to begin.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
