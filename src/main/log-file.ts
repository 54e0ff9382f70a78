import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cutText, escapeControlsInLines } from '../api/contract/terms/texts.ts'
import { removeTokens } from '../api/sandbox.ts'

/**
 * The log of the desktop app: starts, ends, errors, failed tasks and crashes; no request and no body. The newest lines are in
 * `sandbank.log`, those before in `sandbank.1.log` and so on. A file that cannot be written costs only its lines.
 */

const MOST_BYTES = 1_000_000
const MOST_FILES = 5
const MOST_CHARACTERS = 4_000
const EVERY_MS = 1_000

export class LogFile {
  readonly folder: string
  readonly #mostBytes: number
  /** Masks secrets; a world knows more of them than their shape tells. */
  redact: (text: string) => string = removeTokens
  #newest = ''
  #left = 0
  #timer: NodeJS.Timeout | undefined

  constructor(folder: string, mostBytes = MOST_BYTES) {
    this.folder = folder
    this.#mostBytes = mostBytes
  }

  write(line: string) {
    const text = cutText(this.redact(line), MOST_CHARACTERS, 'left out')
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      if ((statSync(this.#path(0), { throwIfNoEntry: false })?.size ?? 0) >= this.#mostBytes) this.#rotate()
      appendFileSync(
        this.#path(0),
        `${new Date().toISOString()} ${escapeControlsInLines(text).replaceAll('\n', '\n  ')}\n`,
        {
          mode: 0o600,
        },
      )
    } catch {
      // The disk is full, or the folder cannot be written.
    }
  }

  /** For lines that may come by the thousand: writes one a second, the newest, with the number of those before it. */
  writeNewest(line: string) {
    this.#newest = line
    this.#left++
    this.#timer ??= setTimeout(() => this.flush(), EVERY_MS).unref()
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#left > 0)
      this.write(this.#left === 1 ? this.#newest : `${this.#newest} (${this.#left - 1} more before it)`)
    this.#left = 0
  }

  /** The files that are there, the newest first. */
  read(): { readonly name: string; readonly text: string }[] {
    return Array.from({ length: MOST_FILES }, (_, number) => nameOf(number)).flatMap((name) => {
      const path = join(this.folder, name)
      if (!existsSync(path)) return []
      try {
        return [{ name, text: readFileSync(path, 'utf8') }]
      } catch (error) {
        return [{ name, text: `${path} cannot be read: ${String(error)}\n` }]
      }
    })
  }

  #rotate() {
    for (let number = MOST_FILES - 2; number >= 0; number--)
      if (existsSync(this.#path(number))) renameSync(this.#path(number), this.#path(number + 1))
  }

  #path(number: number) {
    return join(this.folder, nameOf(number))
  }
}

const nameOf = (number: number) => (number === 0 ? 'sandbank.log' : `sandbank.${number}.log`)
