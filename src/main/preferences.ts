import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createFolder } from '../api/sandbox.ts'
import { replacePrivateFile } from '../api/system/private-files.ts'

const Rectangle = z.object({ x: z.int(), y: z.int(), width: z.int().min(320), height: z.int().min(320) })

const StoredPreferences = z.object({
  port: z.int().min(0).max(65_535).nullable().catch(null),
  recent: z.array(z.string()).catch([]),
  bounds: Rectangle.nullable().catch(null),
  maximized: z.boolean().catch(false),
  look_for_updates: z.boolean().catch(false),
  looked_for_updates_at: z.iso.datetime().catch('1970-01-01T00:00:00.000Z'),
  newest_version: z.string().max(20).nullable().catch(null),
  keep_serving: z.boolean().catch(false),
  notify: z.boolean().catch(true),
})
type StoredPreferences = z.infer<typeof StoredPreferences>

const MAX_RECENT = 8

/** What the desktop remembers between starts. A file that cannot be read or written costs only the preferences. */
export class Preferences {
  readonly #file: string
  #values: StoredPreferences

  constructor(folder: string) {
    this.#file = join(folder, 'desktop.json')
    let stored: unknown = {}
    try {
      stored = JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch {}
    this.#values = StoredPreferences.catch(StoredPreferences.parse({})).parse(stored)
    createFolder(folder)
  }

  get values(): StoredPreferences {
    return this.#values
  }

  save(changes: Partial<StoredPreferences>) {
    this.#values = { ...this.#values, ...changes }
    try {
      replacePrivateFile(this.#file, `${JSON.stringify(this.#values, null, 2)}\n`)
    } catch {}
  }

  addRecent(folder: string) {
    this.save({ recent: [folder, ...this.#withoutRecent(folder)].slice(0, MAX_RECENT) })
  }

  removeRecent(folder: string) {
    this.save({ recent: this.#withoutRecent(folder) })
  }

  #withoutRecent(folder: string): string[] {
    return this.#values.recent.filter((other) => other !== folder)
  }
}
