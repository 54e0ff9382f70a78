import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LedgerProof } from './contract/control.ts'
import { ActLog } from './control/acts.ts'
import * as books from './control/books.ts'
import { type Bundle, BundleReader, linesOf } from './control/bundles/bundle.ts'
import { bundleOf, CAUSE, type Imported, type Recorded, relived, withKeys } from './control/bundles/hand-on.ts'
import { UnreadableRecording } from './control/recordings/recording.ts'
import { checkBooks } from './domain/rules/ledger.ts'
import { ExchangeLog } from './http/exchanges.ts'
import { Clock } from './store/clock.ts'
import { openWorldFile } from './store/file.ts'
import { Store } from './store/store.ts'
import { StoreTrouble } from './store/trouble.ts'

/** Data folders without a sandbox on them: no port, and no time passes. */

type Tell = (line: string) => void

/** One line of the bundle after the other; `out` is there whole or not at all. */
export async function exportFolder(
  data: string,
  out: string,
  { version, tell }: { version: string; tell: Tell },
): Promise<Bundle> {
  return inFolder(data, tell, async (recorded) => {
    const bundle = bundleOf(recorded, { made_by: version, note: null })
    const beside = `${out}.${randomUUID()}`
    try {
      await pipeline(Readable.from(ended(linesOf(bundle))), createWriteStream(beside, { mode: 0o600 }))
      renameSync(beside, out)
    } catch (error) {
      rmSync(beside, { force: true })
      throw unwritable(out, error)
    }
    return bundle
  })
}

/** Into a folder that is new: it is there whole or not at all. */
export async function importFile(file: string, data: string): Promise<Imported> {
  if (existsSync(data) && readdirSync(data).length > 0)
    throw new StoreTrouble(`The folder ${data} holds something already: pass --data with a new one`)
  const bundle = withKeys(await readBundle(file), undefined)
  const beside = `${data}.${randomUUID()}`
  try {
    const kept = await openWorldFile(beside, 'write')
    const store = new Store(bundle.world, new Clock(bundle.world, () => 0), kept.file, checkBooks)
    const exchanges = await ExchangeLog.open(beside)
    const acts = await ActLog.open(beside)
    let imported: Imported
    try {
      kept.begin(bundle.world)
      await kept.file.save()
      store.operate(CAUSE, (tx) => tx.setClock({ ...tx.clock }))
      imported = { since: store.world.seq, ...relived({ store, exchanges, acts }, bundle) }
      await kept.file.save()
    } finally {
      exchanges.close()
      acts.close()
      await kept.file.close()
    }
    if (existsSync(data)) rmdirSync(data)
    renameSync(beside, data)
    return imported
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    throw error
  }
}

export const checkFolder = (data: string, tell: Tell): Promise<LedgerProof> =>
  inFolder(data, tell, async ({ store }) =>
    books.prove(
      store.world.collections.programs.inOrder().map(({ uid }) => uid),
      (uid, work) => store.transact(uid, { door: 'operator', name: 'ledger.check' }, work),
    ),
  )

export async function readBundle(path: string): Promise<Bundle> {
  const reader = new BundleReader()
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    reader.take(line)
  return reader.whole()
}

async function inFolder<T>(data: string, tell: Tell, work: (recorded: Recorded) => Promise<T>): Promise<T> {
  if (!existsSync(join(data, 'world.jsonl')))
    throw new StoreTrouble(`${data} is no data folder: there is no world.jsonl in it`)
  const kept = await openWorldFile(data, 'write', tell)
  try {
    if (!kept.world) throw new StoreTrouble(`${data} holds no world`)
    const store = new Store(kept.world, new Clock(kept.world, () => 0), kept.file, checkBooks)
    const exchanges = await ExchangeLog.open(data)
    const acts = await ActLog.open(data)
    try {
      return await work({ store, exchanges, acts })
    } finally {
      exchanges.close()
      acts.close()
    }
  } finally {
    await kept.file.close()
  }
}

function* ended(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) yield `${line}\n`
}

const unwritable = (path: string, error: unknown) =>
  new StoreTrouble(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`)

/** The first bytes tell what a file is, however long it is. */
export async function firstLine(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.toString('utf8', 0, bytesRead).split('\n')[0]!
  } finally {
    await file.close()
  }
}

export { UnreadableRecording }
