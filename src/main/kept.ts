import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** What the desktop remembers between two starts. It is a convenience: a file that cannot be read is begun anew. */

const Rectangle = z.object({ x: z.int(), y: z.int(), width: z.int().min(320), height: z.int().min(320) })

const Kept = z.object({
  port: z.int().min(0).max(65_535).nullable().catch(null),
  recent: z.array(z.string()).catch([]),
  bounds: Rectangle.nullable().catch(null),
  maximized: z.boolean().catch(false),
})
export type Kept = z.infer<typeof Kept>

const MOST_RECENT = 8

export class Memory {
  readonly #file: string
  #kept: Kept

  constructor(folder: string) {
    this.#file = join(folder, 'desktop.json')
    let read: unknown = {}
    try {
      read = JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch {
      // There is none yet, or it is no JSON.
    }
    this.#kept = Kept.catch(Kept.parse({})).parse(read)
    mkdirSync(folder, { recursive: true })
  }

  get kept(): Kept {
    return this.#kept
  }

  keep(change: Partial<Kept>) {
    this.#kept = { ...this.#kept, ...change }
    try {
      writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#kept, null, 2)}\n`)
      renameSync(`${this.#file}.new`, this.#file)
    } catch {
      // On a full disk the window merely forgets where it stood.
    }
  }

  forget(folder: string) {
    this.keep({ recent: this.#kept.recent.filter((other) => other !== folder) })
  }

  opened(folder: string) {
    this.keep({ recent: [folder, ...this.#kept.recent.filter((other) => other !== folder)].slice(0, MOST_RECENT) })
  }
}
