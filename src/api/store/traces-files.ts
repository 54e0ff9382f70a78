import { basename, dirname, join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import { listFiles, writeText } from './files.ts'
import { formatHeader, type Header, parseLine, readHeader } from './headers.ts'
import { formatLines, linesFromStart } from './journal.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'

/** The trace ids of a file of the log that was deleted: `<its name>.traces.jsonl`, a header and one line for each id. */

/** A used trace id. */
export interface TraceMark {
  readonly program: Uid
  readonly hash: string
  readonly at: number
}

interface Marks {
  /** The commit before the newest of them. */
  readonly seq: number
  readonly marks: readonly TraceMark[]
}

export interface TracesFile {
  readonly path: string
  readonly seq: number
  /** Of each Program the newest one: ids are forgotten oldest first. */
  readonly newest: readonly TraceMark[]
}

const ENDING = '.traces.jsonl'

export const listTracesFiles = (folder: string): string[] => listFiles(folder, /\.traces\.jsonl$/)

/** `log`: the file whose trace ids these are. */
export function writeTracesFile(log: string, { seq, marks }: Marks): TracesFile {
  const of = basename(log, '.jsonl')
  const path = join(dirname(log), `${of}${ENDING}`)
  // A kill in between leaves the file of the log, which has them all.
  const lines = marks.map(({ program, hash, at }) => JSON.stringify([program, hash, at]))
  writeText(path, formatLines([formatHeader<TracesHeader>('traces', { of, seq, count: marks.length }), ...lines]))
  return { path, seq, newest: newestOf(marks) }
}

interface TracesHeader extends Header {
  /** The file of the log. */
  readonly of: string
  readonly seq: number
  readonly count: number
}

export function readTracesFile(path: string): TracesFile & Marks {
  let header: TracesHeader | undefined
  const marks: TraceMark[] = []
  let number = 0
  for (const line of linesFromStart(path)) {
    const text = line.toString()
    if (++number === 1) header = readHeader<TracesHeader>(path, text, 'traces')
    else {
      const [program, hash, at] = parseLine(path, { text, number }) as [Uid, string, number]
      marks.push({ program, hash, at })
    }
  }
  if (header?.of !== basename(path, ENDING) || header.count !== marks.length)
    throw new StoreError(`${path} is not the whole file of its trace ids. ${WHAT_TO_DO}`)
  return { path, seq: header.seq, marks, newest: newestOf(marks) }
}

const newestOf = (marks: readonly TraceMark[]): readonly TraceMark[] => [
  ...new Map(marks.map((mark) => [mark.program, mark])).values(),
]
