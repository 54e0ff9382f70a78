import { formatCsv } from '../../../format/csv.ts'
import type { TimelineRow } from './timeline-rows.ts'

/** Writes the shown rows of the timeline as a file, in the same order. */

const CSV_HEADERS = 'at,seq,lane,what,detail,amount,pending,balance,collection,uid,request'.split(',')

const asCsv = (rows: readonly TimelineRow[]): string =>
  formatCsv([
    CSV_HEADERS,
    ...rows.map(({ lane, entry, created, amount, pending, balance }) => [
      ...[entry.at, entry.seq, lane, entry.text, created.map(({ text }) => text).join('; ')],
      ...[amount, amount === null ? null : String(pending), balance],
      ...[entry.collection, entry.uid, entry.cause?.exchange],
    ]),
  ])

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

export const formats = {
  CSV: { type: 'text/csv', ending: 'csv', write: asCsv },
  JSON: { type: 'application/json', ending: 'json', write: asJson },
  text: { type: 'text/plain', ending: 'txt', write: asText },
} as const
