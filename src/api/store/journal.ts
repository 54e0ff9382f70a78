import {
  closeSync,
  createReadStream,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'

/**
 * A file of lines that only grows. A line is there whole or not at all: it is written in one piece at a known place,
 * and a piece that could not be written is cut off again.
 */
export class Journal {
  readonly path: string
  #file: number
  #length: number
  readonly #sync: boolean

  /** `length`: where the last whole line ends. What lies beyond is torn, and cut off now. */
  constructor(path: string, length: number, sync = false) {
    this.path = path
    this.#sync = sync
    this.#file = openSync(path, length === 0 ? 'w+' : 'r+', 0o600)
    this.#length = length
    ftruncateSync(this.#file, length)
  }

  get length(): number {
    return this.#length
  }

  /** Answers with the place of the line, for `read`. */
  append(text: string): { at: number; length: number } {
    const at = this.#length
    const bytes = Buffer.from(`${text}\n`)
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file, bytes, done, bytes.length - done, at + done)
      if (this.#sync) fsyncSync(this.#file)
    } catch (error) {
      // On a full disk the cutting may fail too; the next line is then written over the rest, at the same place.
      try {
        ftruncateSync(this.#file, at)
      } catch {}
      throw error
    }
    this.#length = at + bytes.length
    return { at, length: bytes.length - 1 }
  }

  read(at: number, length: number): string {
    return readAt(this.#file, at, length).toString('utf8')
  }

  close() {
    if (this.#sync) fsyncSync(this.#file)
    closeSync(this.#file)
  }
}

export interface Line {
  readonly text: string
  readonly number: number
  readonly at: number
  readonly length: number
  /** Nothing comes after it. */
  readonly last: boolean
}

/**
 * Reads whole lines in order. Answers with where the last of them ends and how many torn bytes follow. `onLine` may
 * answer false for the last line: it is then counted as torn. `between` is waited for now and then.
 */
export async function readLines(
  path: string,
  onLine: (line: Line) => boolean | undefined | void,
  between: (read: number) => Promise<void> | void = () => {},
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
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
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
    await between(at)
  }
  const total = at + rest.length
  const taken = flush(rest.length === 0)
  const good = taken ? at : (waiting?.at ?? 0)
  return { good, torn: total - good, lines: taken ? number : number - 1 }
}

/** So much of a file is in memory at once, unless one line is longer. */
const BLOCK = 4 << 20

/**
 * The first line of a file, and then its others from the end, up to `end` where what lies beyond is torn. They are not
 * decoded: a line that nobody has a use for costs its reading alone.
 */
export function* linesFromEnd(path: string, end?: number, block = BLOCK): Generator<Buffer, void, undefined> {
  const file = openSync(path, 'r')
  try {
    let rest = end ?? fstatSync(file).size
    const first = firstLine(file, rest)
    yield first
    /** Of the line whose beginning is still to be read, in their order. */
    let pieces: Buffer[] = []
    const lowest = first.length + 1
    while (rest > lowest) {
      const from = Math.max(lowest, rest - block)
      const bytes = readAt(file, from, rest - from)
      let until = bytes.length
      for (let at = bytes.lastIndexOf(10); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1)) {
        if (at + 1 < until || pieces.length > 0) yield whole([bytes.subarray(at + 1, until), ...pieces])
        pieces = []
        until = at
      }
      if (until > 0) pieces.unshift(bytes.subarray(0, until))
      rest = from
    }
    if (pieces.length > 0) yield whole(pieces)
  } finally {
    closeSync(file)
  }
}

/** It is a short one. */
function firstLine(file: number, size: number): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < size; at += 256) {
    const bytes = readAt(file, at, Math.min(256, size - at))
    const end = bytes.indexOf(10)
    pieces.push(end < 0 ? bytes : bytes.subarray(0, end))
    if (end >= 0) break
  }
  return whole(pieces)
}

const whole = (pieces: readonly Buffer[]): Buffer => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, at + done)
    if (read === 0) throw new Error(`The file ends at ${at + done}; expected were ${length} bytes from ${at}`)
    done += read
  }
  return bytes
}
