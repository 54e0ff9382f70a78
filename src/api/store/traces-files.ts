import { basename, dirname, join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import { files, renameDurably } from './files.ts'
import { EMPTY, Journal, linesFromStart, unreadableLine } from './journal.ts'
import { CURRENT_VERSION, migrate } from './migrations.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import type { Header } from './world-file.ts'

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

export const listTracesFiles = (folder: string): string[] =>
  files
    .list(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => join(folder, name))

/** `log`: the file whose trace ids these are. */
export function writeTracesFile(log: string, { seq, marks }: Marks): TracesFile {
  const of = basename(log, '.jsonl')
  const path = join(dirname(log), `${of}${ENDING}`)
  // A kill in between leaves the file of the log, which has them all.
  const temporary = `${path}.new-1`
  const journal = new Journal(temporary, EMPTY)
  try {
    journal.appendAll([
      JSON.stringify({
        sandbank: 'traces',
        version: CURRENT_VERSION,
        of,
        seq,
        count: marks.length,
      } satisfies TracesHeader),
      ...marks.map(({ program, hash, at }) => JSON.stringify([program, hash, at])),
    ])
    journal.sync()
    journal.close()
  } catch (error) {
    journal.close()
    files.remove(temporary)
    throw error
  }
  renameDurably(temporary, path)
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
    const content = parse(path, ++number, line.toString())
    if (number === 1) {
      header = content as TracesHeader
      if (header.sandbank !== 'traces') throw unreadableLine(path, 1, 'it is not the header of used trace ids')
      migrate(header.version)
    } else {
      const [program, hash, at] = content as [Uid, string, number]
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

function parse(path: string, number: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadableLine(path, number, 'it is not JSON')
  }
}
