import { join } from 'node:path'
import { files } from '../store/files.ts'

/** So many numbers are reserved at once, so that few requests write to the disk. */
const RESERVED_AT_ONCE = 1_000
const NAME = /^reserved-numbers-(\d+)$/

/**
 * The numbers of requests that only the memory knows. The name of an empty file says up to which number they may have been used, so a kill
 * skips numbers and never lets one be used twice.
 */
export class ReservedNumbers {
  readonly #folder: string | null
  readonly #sync: boolean
  /** Undefined until the first number is reserved. */
  #name: string | undefined
  #last = 0

  constructor(folder: string | null, sync = false) {
    this.#folder = folder
    this.#sync = sync
    if (folder === null || !files.exists(folder)) return
    for (const name of files.list(folder)) {
      const number = Number(NAME.exec(name)?.[1] ?? 0)
      if (number > this.#last) [this.#name, this.#last] = [name, number]
    }
  }

  /** The highest number that may have been used. */
  get last(): number {
    return this.#last
  }

  /** Reserves the numbers up to this one, with some to spare. The request is answered even if the disk is full. */
  reserve(number: number) {
    if (number > this.#last) this.#save(number - 1 + RESERVED_AT_ONCE)
  }

  /** Gives back the numbers that were not used. */
  close(newest: number) {
    if (this.#name !== undefined && newest < this.#last) this.#save(newest)
  }

  #save(last: number) {
    if (this.#folder === null) return
    const name = `reserved-numbers-${last}`
    const path = join(this.#folder, name)
    try {
      if (this.#name === undefined) files.close(files.open(path, 'w+'))
      else files.rename(join(this.#folder, this.#name), path)
      this.#name = name
      this.#last = last
      if (this.#sync) files.syncFolder(this.#folder)
    } catch {
      // The next number is reserved again.
    }
  }
}
