import { closeSync, createReadStream, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

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
    const bytes = Buffer.alloc(length)
    readSync(this.#file, bytes, 0, length, at)
    return bytes.toString('utf8')
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
 * answer false for the last line: it is then counted as torn.
 */
export async function readLines(
  path: string,
  onLine: (line: Line) => boolean | undefined | void,
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
  }
  const total = at + rest.length
  const taken = flush(rest.length === 0)
  const good = taken ? at : (waiting?.at ?? 0)
  return { good, torn: total - good, lines: taken ? number : number - 1 }
}
