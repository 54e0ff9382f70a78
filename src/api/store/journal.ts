import { crc32 } from 'node:zlib'
import { files, readBytes, writeBytes } from './files.ts'
import { isFileError, StoreError, unreadable, WHAT_TO_DO } from './store-error.ts'

/**
 * Files of lines. Each line ends with a tab and its check: the CRC-32 of its text, continued from the check of the line before. So
 * a changed, missing, repeated or moved line is detected; and a line can be checked alone, because the check of the line before is
 * in front of it.
 */

/** A tab and eight digits. */
const CHECK_LENGTH = 9
/** With the newline. */
const END_LENGTH = CHECK_LENGTH + 1
const NEWLINE = 10
const TAB = 9

interface CheckedLine {
  readonly bytes: Buffer
  readonly check: number
}

/** The line with its check and a newline. */
export function formatLine(text: string, checkBefore: number): CheckedLine {
  const bytes = Buffer.from(`${text}\t00000000\n`)
  return { bytes, check: addCheck(bytes, 0, bytes.length - END_LENGTH, checkBefore) }
}

/** A whole file. */
export function formatLines(texts: readonly string[]): Buffer {
  let before = 0
  const lines = texts.map((text) => {
    const { bytes, check } = formatLine(text, before)
    before = check
    return bytes
  })
  return Buffer.concat(lines)
}

/** The text of a line whose beginning is known last: the rest is printed before. */
export interface PrintedLine {
  readonly begin: string
  readonly rest: Buffer
}

export const textOf = (line: string | PrintedLine): string =>
  typeof line === 'string' ? line : `${line.begin}${line.rest.toString('utf8')}`

/** For lines that are written before others are formatted. Half the time of `formatLine`, which allocates. */
const shared = Buffer.alloc(1 << 20)

/** Writes a tab, the check and a newline after a text. Returns the check. */
function addCheck(bytes: Buffer, from: number, end: number, checkBefore: number): number {
  const check = crc32(bytes.subarray(from, end), checkBefore)
  bytes[end] = TAB
  for (let digit = 0; digit < 8; digit++)
    bytes[end + 1 + digit] = HEX_DIGITS.charCodeAt((check >>> (28 - 4 * digit)) & 15)
  bytes[end + CHECK_LENGTH] = NEWLINE
  return check
}

const HEX_DIGITS = '0123456789abcdef'

/** undefined if the bytes do not end in a check. Without a text of the digits: each line of each file is read here. */
function readCheck(line: Buffer, end = line.length): number | undefined {
  if (end < CHECK_LENGTH || line[end - CHECK_LENGTH] !== TAB) return undefined
  let check = 0
  for (let at = end - 8; at < end; at++) {
    const byte = line[at]!
    if (byte >= 48 && byte <= 57) check = check * 16 + byte - 48
    else if (byte >= 97 && byte <= 102) check = check * 16 + byte - 87
    else return undefined
  }
  return check
}

/** The line without its check; undefined if it is damaged. */
function verifyLine(line: Buffer, checkBefore: number): Buffer | undefined {
  const check = readCheck(line)
  const text = line.subarray(0, line.length - CHECK_LENGTH)
  return check !== undefined && crc32(text, checkBefore) === check ? text : undefined
}

/** Where a file of lines ends, and the check of its last line. */
export interface FileEnd {
  readonly length: number
  readonly check: number
}
export const EMPTY: FileEnd = { length: 0, check: 0 }

/** Where the text of a line is. */
export interface LinePlace {
  readonly at: number
  readonly length: number
}

/** An append-only file of lines. A line is written completely or not at all: after a failed write it is cut off again. */
export class Journal {
  #path: string
  #file: number
  #end: FileEnd
  readonly #sync: boolean
  /** The rest of a refused line may follow the end. */
  #isDirty = false

  /**
   * `end`: where the last complete line ends, or `EMPTY` for a file that is to be created. Bytes after it are cut off. With `sync`
   * each line survives a power failure.
   */
  constructor(path: string, end: FileEnd, sync = false) {
    const { length, check } = end
    this.#path = path
    this.#sync = sync
    this.#file = files.open(path, end === EMPTY ? 'w+' : 'r+')
    this.#end = { length, check }
    files.truncate(this.#file, length)
    // A process that was killed may have written lines without syncing them.
    if (sync && length > 0) files.sync(this.#file)
  }

  get path(): string {
    return this.#path
  }

  get length(): number {
    return this.#end.length
  }

  get end(): FileEnd {
    return this.#end
  }

  /** The check of the last line. */
  get check(): number {
    return this.#end.check
  }

  append(text: string): LinePlace {
    return this.appendAll([text])[0]!
  }

  /** All of them or none, unless the process or the power fails. */
  appendAll(texts: readonly (string | PrintedLine)[]): LinePlace[] {
    if (this.#isDirty) this.#tryToCutOff()
    const hasRest = this.#isDirty
    this.#isDirty = true
    try {
      const { places, end } = this.#write(texts)
      if (this.#sync) files.sync(this.#file)
      this.#end = end
      this.#isDirty = hasRest
      return places
    } catch (error) {
      this.#tryToCutOff()
      throw error
    }
  }

  #write(texts: readonly (string | PrintedLine)[]) {
    let { length, check } = this.#end
    let waiting = 0
    const writeWaiting = () => {
      if (waiting > 0) writeBytes(this.#file, shared.subarray(0, waiting), length - waiting)
      waiting = 0
    }
    const places = texts.map((text) => {
      const { begin, rest } = typeof text === 'string' ? { begin: text, rest: null } : text
      // A character takes three bytes at most.
      const most = 3 * begin.length + (rest?.length ?? 0) + END_LENGTH
      if (waiting + most > shared.length) writeWaiting()
      const at = length
      if (most > shared.length) {
        const line = formatLine(textOf(text), check)
        writeBytes(this.#file, line.bytes, at)
        length += line.bytes.length
        check = line.check
      } else {
        let end = waiting + shared.write(begin, waiting)
        if (rest) end += rest.copy(shared, end)
        check = addCheck(shared, waiting, end, check)
        length += end + END_LENGTH - waiting
        waiting = end + END_LENGTH
      }
      return { at, length: length - at - END_LENGTH }
    })
    writeWaiting()
    return { places, end: { length, check } }
  }

  /** Removes the lines after an earlier end. */
  takeBack(end: FileEnd) {
    this.#end = end
    this.#isDirty = true
    this.#tryToCutOff()
  }

  /** Throws if the rest of a line is still there. */
  cutOff() {
    if (!this.#isDirty) return
    files.truncate(this.#file, this.#end.length)
    if (this.#sync) files.sync(this.#file)
    this.#isDirty = false
  }

  /** A disk that fails may refuse this, too. Then it is tried again before the next line, and when the file is closed. */
  #tryToCutOff() {
    try {
      this.cutOff()
    } catch {}
  }

  /** The text of a line. */
  read(place: LinePlace): string {
    return readPlace(this.#file, this.#path, place)
  }

  /** A file of this name is replaced. */
  rename(path: string) {
    files.rename(this.#path, path)
    this.#path = path
  }

  sync() {
    files.sync(this.#file)
  }

  syncInBackground(): Promise<void> {
    return files.syncInBackground(this.#file)
  }

  close() {
    try {
      if (this.#isDirty) this.#tryToCutOff()
      if (this.#sync) files.sync(this.#file)
    } finally {
      files.close(this.#file)
    }
  }
}

/** A file that begins with a header. */
export function createJournal(path: string, header: string, sync = false): Journal {
  const journal = new Journal(path, EMPTY, sync)
  try {
    journal.append(header)
    return journal
  } catch (error) {
    journal.close()
    files.remove(path)
    throw error
  }
}

/** The text of a line in a file that is not written any more. */
export function readLineAt(path: string, place: LinePlace): string {
  const file = openToRead(path)
  try {
    return readPlace(file, path, place)
  } finally {
    files.close(file)
  }
}

function readPlace(file: number, path: string, { at, length }: LinePlace): string {
  // The check of the line before, a newline, the text and its check.
  const bytes = readBytes(file, at - CHECK_LENGTH, length + 2 * CHECK_LENGTH)
  const before = Number.parseInt(bytes.toString('latin1', 0, 8), 16)
  const text = verifyLine(bytes.subarray(CHECK_LENGTH), before)
  if (!text) throw damagedLine(path, lineNumberAt(path, at))
  return text.toString('utf8')
}

/** Why a line cannot be used, and what to do. */
export const unreadableLine = (path: string, number: number, why: string) =>
  new StoreError(`${path}, line ${number} cannot be read: ${why}. ${WHAT_TO_DO}`)

const damagedLine = (path: string, number: number) =>
  unreadableLine(path, number, 'it was changed after it was written, its check does not match')

// ── Reading forwards ─────────────────────────────────────────────────────────────────────────────────────────────

export interface Line extends LinePlace {
  readonly text: string
  readonly number: number
  /** Where the next line begins. */
  readonly end: number
  readonly check: number
}

export interface ReadEnd extends FileEnd {
  /** Bytes after the last whole line. */
  readonly torn: number
  readonly lines: number
}

export type OnProblem = (problem: StoreError) => void
export const throwProblem: OnProblem = (problem) => {
  throw problem
}

/** Hands a StoreError over. */
export function attempt(onProblem: OnProblem, work: () => void) {
  try {
    work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    onProblem(error)
  }
}

interface ReadOptions {
  /** The power may have failed while several lines were written, so a line with zeros is torn with all that follows. */
  readonly mayHaveHoles?: boolean
  /** Gets damaged lines, and what `onLine` throws. If it does not throw, reading goes on. */
  readonly onProblem?: OnProblem
}

/**
 * Reads the lines in order. A line whose check does not match is an error, unless a crash can explain it: then it counts as torn. Yields how many
 * bytes were read, so that a caller can pause.
 */
export function* readLines(
  path: string,
  onLine: (line: Line) => void,
  { mayHaveHoles = false, onProblem = throwProblem }: ReadOptions = {},
): Generator<number, ReadEnd, void> {
  let good: Pick<ScannedLine, 'end' | 'check'> = { end: 0, check: 0 }
  let [lines, torn, paused] = [0, 0, 0]
  for (const line of scanLines(path)) {
    const { text, number, at, length, end, check, last } = line
    if (torn > 0 || (line.isTorn && (last || mayHaveHoles))) {
      torn = end - good.end
      continue
    }
    attempt(onProblem, () => {
      if (text === undefined) throw damagedLine(path, number)
      onLine({ text: text.toString('utf8'), number, at, length, end, check })
    })
    lines++
    good = line
    if (end - paused < SCANNED) continue
    yield end
    paused = end
  }
  return { length: good.end, check: good.check, lines, torn }
}

export interface ScannedLine extends LinePlace {
  /** undefined if the line is damaged or torn. */
  readonly text: Buffer | undefined
  /** The end of the file cuts the line off, or holds zeros that a power failure left in place of text. */
  readonly isTorn: boolean
  readonly number: number
  /** Where the next line begins. */
  readonly end: number
  readonly check: number
  readonly last: boolean
}

/** Bytes that are read at once. */
const SCANNED = 1 << 20

/** Reads all lines, also damaged ones: the check that a damaged line holds proves the line after it. Bytes after `end` are ignored. */
export function* scanLines(path: string, end = Number.POSITIVE_INFINITY, block = SCANNED): Iterable<ScannedLine> {
  const file = openToRead(path)
  try {
    const scanner = new LineScanner()
    /** Of the line whose end is not read yet: put together once, as a line can have many megabytes. */
    let pieces: Buffer[] = []
    for (let read = 0; read < end; block = Math.min(2 * block, SCANNED)) {
      const space = Buffer.allocUnsafe(Math.min(block, end - read))
      const bytes = space.subarray(0, files.read(file, space, 0, space.length, read))
      if (bytes.length === 0) break
      read += bytes.length
      let from = 0
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        const line = scanner.add(join([...pieces, bytes.subarray(from, to)]))
        if (line) yield line
        pieces = []
        from = to + 1
      }
      if (from < bytes.length) pieces.push(bytes.subarray(from))
    }
    yield* scanner.finish(join(pieces))
  } catch (error) {
    throw isFileError(error) ? unreadable(path, error) : error
  } finally {
    files.close(file)
  }
}

class LineScanner {
  /** It may be the last one. */
  #waiting: ScannedLine | undefined
  #check = 0
  /** The check that the line before should have, if it is damaged: perhaps only its check is. */
  #expected: number | undefined
  #number = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Returns the line before. */
  add(line: Buffer): ScannedLine | undefined {
    const before = this.#waiting
    const ofDamaged = this.#expected
    const text = verifyLine(line, this.#check) ?? (ofDamaged === undefined ? undefined : verifyLine(line, ofDamaged))
    this.#expected = text ? undefined : crc32(line.subarray(0, -CHECK_LENGTH), this.#check)
    this.#check = readCheck(line) ?? this.#check
    const at = this.#length
    const end = (this.#length += line.length + 1)
    const length = line.length - CHECK_LENGTH
    // Written out, as there are hundreds of thousands of lines: a spread takes as long as all the rest.
    const isTorn = text === undefined && hasHole(line)
    this.#waiting = { text, at, length, number: ++this.#number, end, check: this.#check, last: false, isTorn }
    return before
  }

  finish(rest: Buffer): ScannedLine[] {
    const last = rest.length === 0
    const lines = this.#waiting ? [{ ...this.#waiting, last }] : []
    if (last) return lines
    const place = { at: this.#length, length: rest.length, end: this.#length + rest.length, number: this.#number + 1 }
    // A whole line, and a byte where its newline was: no crash does that.
    const isTorn = !verifyLine(rest.subarray(0, -1), this.#check)
    return [...lines, { ...place, text: undefined, isTorn, check: this.#check, last: true }]
  }
}

/** After a power failure, a part of a file that did not reach the disk reads as zeros. */
const hasHole = (line: Buffer) => line.includes(Buffer.alloc(8))

function openToRead(path: string): number {
  try {
    return files.open(path, 'r')
  } catch (error) {
    throw isFileError(error) ? unreadable(path, error) : error
  }
}

function lineNumberAt(path: string, at: number): number {
  for (const line of scanLines(path)) if (line.end > at) return line.number
  return 1
}

/** Yields the whole lines of a file in order, for callers that may stop early. */
export function* linesFromStart(path: string, end?: number): Generator<Buffer, void, undefined> {
  for (const { text, number } of scanLines(path, end)) {
    if (!text) throw damagedLine(path, number)
    yield text
  }
}

// ── Reading backwards ────────────────────────────────────────────────────────────────────────────────────────────

/** Bytes in memory at once, unless one line is longer. */
const BLOCK = 4 << 20
/** The first line is short. */
const FIRST_BLOCK = 1 << 10

/**
 * Yields the first line of a file, then the others from the last to the second. Bytes after `end` are torn and ignored. Lines
 * are checked but not decoded, so that lines that are skipped cost little.
 */
export function* linesFromEnd(path: string, end?: number, block = BLOCK): Generator<Buffer, void, undefined> {
  const [first] = scanLines(path, end, FIRST_BLOCK)
  if (first && !first.text) throw damagedLine(path, 1)
  yield first?.text ?? Buffer.alloc(0)
  const lowest = first?.end ?? 0
  const file = openToRead(path)
  try {
    let rest = end ?? files.sizeOf(file)
    const verify = (line: Buffer, checkBefore: number, at: number): Buffer => {
      const text = verifyLine(line, checkBefore)
      if (!text) throw damagedLine(path, lineNumberAt(path, at))
      return text
    }
    /** Parts of the line whose beginning is not read yet. */
    let pieces: Buffer[] = []
    while (rest > lowest) {
      const from = Math.max(lowest, rest - block)
      // Each block also has the check of the line before it.
      const bytes = readBytes(file, from - CHECK_LENGTH, rest - from + CHECK_LENGTH)
      let until = bytes.length
      for (let at = lastNewline(bytes, until); at >= CHECK_LENGTH; at = lastNewline(bytes, at)) {
        if (at + 1 < until || pieces.length > 0) {
          const line = join([bytes.subarray(at + 1, until), ...pieces])
          yield verify(line, readCheck(bytes, at) ?? 0, from - CHECK_LENGTH + at + 1)
        }
        pieces = []
        until = at
      }
      if (until > CHECK_LENGTH) pieces.unshift(bytes.subarray(CHECK_LENGTH, until))
      rest = from
    }
    if (pieces.length > 0) yield verify(join(pieces), first!.check, lowest)
  } catch (error) {
    throw isFileError(error) ? unreadable(path, error) : error
  } finally {
    files.close(file)
  }
}

const lastNewline = (bytes: Buffer, before: number) => (before === 0 ? -1 : bytes.lastIndexOf(NEWLINE, before - 1))

const join = (pieces: readonly Buffer[]): Buffer => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
