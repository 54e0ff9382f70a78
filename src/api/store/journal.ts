import { files, readBytes, writeBytes } from './files.ts'

/** An append-only file of lines. A line is written completely or not at all: after a failed write it is cut off again. */
export class Journal {
  readonly path: string
  #file: number
  #length: number
  readonly #sync: boolean

  /** `length`: where the last complete line ends. Bytes after it are cut off. */
  constructor(path: string, length: number, sync = false) {
    this.path = path
    this.#sync = sync
    this.#file = files.open(path, length === 0 ? 'w+' : 'r+')
    this.#length = length
    files.truncate(this.#file, length)
  }

  get length(): number {
    return this.#length
  }

  /** Returns the position of the line, for `read`. */
  append(text: string): { at: number; length: number } {
    const at = this.#length
    const bytes = Buffer.from(`${text}\n`)
    try {
      writeBytes(this.#file, bytes, at)
      if (this.#sync) files.sync(this.#file)
    } catch (error) {
      // On a full disk this may fail too; the next line then overwrites the rest at the same position.
      try {
        files.truncate(this.#file, at)
      } catch {}
      throw error
    }
    this.#length = at + bytes.length
    return { at, length: bytes.length - 1 }
  }

  read(at: number, length: number): string {
    return readBytes(this.#file, at, length).toString('utf8')
  }

  close() {
    if (this.#sync) files.sync(this.#file)
    files.close(this.#file)
  }
}

export interface Line {
  readonly text: string
  readonly number: number
  readonly at: number
  readonly length: number
  readonly last: boolean
}

/**
 * Reads complete lines in order. Returns where the last one ends, and how many torn bytes follow. If `onLine` returns
 * false for the last line, it counts as torn. `onBlock` is awaited after each block that was read.
 */
export async function readLines(
  path: string,
  onLine: (line: Line) => boolean | undefined | void,
  onBlock: (read: number) => Promise<void> | void = () => {},
): Promise<{ good: number; torn: number; lines: number }> {
  let rest: Buffer = Buffer.alloc(0)
  let at = 0
  let number = 0
  let waiting: Omit<Line, 'last'> | undefined
  const flush = (last: boolean) => {
    if (!waiting) return true
    const taken = onLine({ ...waiting, last })
    return taken !== false
  }
  for await (const chunk of readBlocks(path)) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let from = 0
    for (let end = rest.indexOf(10, from); end >= 0; end = rest.indexOf(10, from)) {
      flush(false)
      number++
      waiting = { text: rest.toString('utf8', from, end), number, at: at + from, length: end - from }
      from = end + 1
    }
    rest = rest.subarray(from)
    at += from
    await onBlock(at)
  }
  const total = at + rest.length
  const taken = flush(rest.length === 0)
  const good = taken ? at : (waiting?.at ?? 0)
  return { good, torn: total - good, lines: taken ? number : number - 1 }
}

/** Bytes in memory at once, unless one line is longer. */
const BLOCK = 4 << 20

/**
 * Yields the first line of a file, then the others from the last to the second. Bytes after `end` are torn and ignored. Lines
 * are not decoded, so that lines that are skipped cost little.
 */
export function* linesFromEnd(path: string, end?: number, block = BLOCK): Generator<Buffer, void, undefined> {
  const file = files.open(path, 'r')
  try {
    let rest = end ?? files.sizeOf(file)
    const first = firstLine(file, rest)
    yield first
    /** Parts of the line whose beginning is not read yet. */
    let pieces: Buffer[] = []
    const lowest = first.length + 1
    while (rest > lowest) {
      const from = Math.max(lowest, rest - block)
      const bytes = readBytes(file, from, rest - from)
      let until = bytes.length
      for (let at = bytes.lastIndexOf(10); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1)) {
        if (at + 1 < until || pieces.length > 0) yield join([bytes.subarray(at + 1, until), ...pieces])
        pieces = []
        until = at
      }
      if (until > 0) pieces.unshift(bytes.subarray(0, until))
      rest = from
    }
    if (pieces.length > 0) yield join(pieces)
  } finally {
    files.close(file)
  }
}

/** Reads small blocks, because the first line is short. */
function firstLine(file: number, size: number): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < size; at += 256) {
    const bytes = readBytes(file, at, Math.min(256, size - at))
    const end = bytes.indexOf(10)
    pieces.push(end < 0 ? bytes : bytes.subarray(0, end))
    if (end >= 0) break
  }
  return join(pieces)
}

const join = (pieces: readonly Buffer[]): Buffer => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))

/** Reads a file in blocks, without blocking other work. */
async function* readBlocks(path: string, block = 1 << 20): AsyncIterable<Buffer> {
  const file = files.open(path, 'r')
  try {
    for (let at = 0; ; ) {
      const bytes = Buffer.allocUnsafe(block)
      const count = await files.readInBackground(file, bytes, 0, block, at)
      if (count === 0) return
      yield bytes.subarray(0, count)
      at += count
    }
  } finally {
    files.close(file)
  }
}
