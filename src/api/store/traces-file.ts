import { join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import { type ReadEnd, readLines, unreadableLine } from './journal.ts'
import { CURRENT_VERSION, migrate } from './migrations.ts'
import type { Header } from './world-file.ts'

/** The file of used trace ids: a header, then one id a line. */

export const tracesPath = (folder: string) => join(folder, 'traces.jsonl')

/** A used trace id. */
export interface TraceMark {
  readonly program: Uid
  readonly hash: string
  readonly at: number
}

interface TracesHeader extends Header {
  /** The last reset whose commit this file knows of. */
  readonly reset?: number
}

export const formatTracesHeader = (reset?: number): string =>
  JSON.stringify({
    sandbank: 'traces',
    version: CURRENT_VERSION,
    ...(reset === undefined ? {} : { reset }),
  } satisfies TracesHeader)

export const formatMark = ({ program, hash, at }: TraceMark) => JSON.stringify([program, hash, at])

/** When the file is written anew, forgotten ids are left out: this says how many were saved until then. */
export const formatSaved = (saved: number) => JSON.stringify({ saved })

interface ReadTraces extends ReadEnd {
  /** How many ids were saved since the folder exists. */
  readonly saved: number
}

export async function readTraces(
  path: string,
  { onMark, onHeader }: { onMark?: (mark: TraceMark) => void; onHeader?: (header: TracesHeader) => void } = {},
): Promise<ReadTraces> {
  let saved = 0
  const end = await readLines(path, ({ text, number }) => {
    const content = parseJson(text)
    if (number === 1 && isHeader(content)) {
      migrate(content.version)
      onHeader?.(content)
    } else if (number > 1 && Array.isArray(content)) {
      const [program, hash, at] = content as [Uid, string, number]
      saved++
      onMark?.({ program, hash, at })
    } else if (number > 1 && isSaved(content)) saved = content.saved
    else throw unreadableLine(path, number, 'it is not a trace id')
  })
  return { ...end, saved }
}

const isHeader = (content: unknown): content is TracesHeader => (content as Header | undefined)?.sandbank === 'traces'
const isSaved = (content: unknown): content is { readonly saved: number } =>
  typeof (content as { saved?: unknown } | undefined)?.saved === 'number'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
