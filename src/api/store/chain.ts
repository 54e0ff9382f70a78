import { type Header, readHeader } from './headers.ts'
import { attempt, type Line, type OnProblem, type ReadEnd, readLines, throwProblem, unreadableLine } from './journal.ts'
import { runToEnd } from './steps.ts'

/** The numbered files of `changes/` and `log/`: lines that go on from file to file. */

export interface ChainHeader extends Header {
  /** The check of the last line of the file before, if there is one. */
  readonly follows?: number | undefined
  /** The number of the oldest file that was kept when this one was created: older ones are deleted. */
  readonly oldest?: number | undefined
}

/**
 * Reads one file after the other, for a start, a check and a repair. Only the newest may end in a torn line. `onProblem` gets what is damaged or does
 * not follow: a start throws it, the others go on.
 */
export class ChainReader<H extends ChainHeader> {
  readonly #kind: H['sandbank']
  readonly #onProblem: OnProblem
  /** The check of the last line of the file before; undefined at the beginning and after damage. */
  #follows: number | undefined

  constructor(kind: H['sandbank'], onProblem = throwProblem) {
    this.#kind = kind
    this.#onProblem = onProblem
  }

  /** `header` is undefined if the file is empty, `head`: where it ends. */
  add(path: string, isNewest: boolean, onLine: (line: Line) => void) {
    const follows = this.#follows
    let header: H | undefined
    let head: Omit<ReadEnd, 'torn'> = NOTHING
    let isWhole = true
    const onProblem: OnProblem = (problem) => {
      isWhole = false
      this.#onProblem(problem)
    }
    const read = (line: Line) => {
      if (line.number > 1) return onLine(line)
      head = { length: line.end, check: line.check, lines: 1 }
      header = readHeader<H>(path, line.text, this.#kind)
      if (header.follows !== undefined && follows !== undefined && header.follows !== follows)
        throw unreadableLine(path, 1, 'it does not follow the file before it')
    }
    let end: ReadEnd = { ...NOTHING, torn: 0 }
    attempt(onProblem, () => {
      end = runToEnd(readLines(path, read, { mayHaveHoles: isNewest, onProblem }))
      if (end.torn > 0 && !isNewest)
        throw unreadableLine(path, end.lines + 1, 'it is torn, although later files follow')
    })
    this.#follows = isWhole ? end.check : undefined
    return { header, head, end, isWhole }
  }
}

const NOTHING = { length: 0, check: 0, lines: 0 }
