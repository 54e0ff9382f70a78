import { randomUUID } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LedgerCheck } from './contract/control.ts'
import { sourceIn } from './control/replays.ts'
import { checkBooks } from './domain/rules/ledger.ts'
import { ExchangeLog } from './http/exchanges.ts'
import { type Bundle, BundleReader, linesOf } from './replay/bundles/bundle.ts'
import { exportSteps, type Imported, installWorld, takenIn, validateBundle, withKeys } from './replay/bundles/export.ts'
import type { WorldSetup } from './replay/client.ts'
import { OperatorLog } from './replay/operator-log.ts'
import { type Recorded, uidsIn } from './replay/record.ts'
import { MOST_MEGABYTES } from './replay/recordings/recognise.ts'
import { UnreadableRecording, type Unusable } from './replay/recordings/recording.ts'
import { reach, remoteTarget } from './replay/remote-client.ts'
import { type ReplayOutcome, replay } from './replay/replay.ts'
import { openSandbox, openScratch } from './sandbox.ts'
import { Clock, toTimestamp } from './store/clock.ts'
import { openDataFolder } from './store/data-folder.ts'
import { copyWorld } from './store/snapshots.ts'
import { runToEnd } from './store/steps.ts'
import { Store } from './store/store.ts'
import { StoreError } from './store/store-error.ts'
import * as books from './views/books.ts'

/** Files to hand on, and data folders without a sandbox on them: no port, and no time passes. */

type Tell = (line: string) => void

/** One line of the bundle after the other; `out` is there whole or not at all. */
export async function exportFolder(
  data: string,
  out: string,
  { version, tell }: { version: string; tell: Tell },
): Promise<Bundle> {
  return inFolder(data, tell, async (recorded) => {
    const bundle = runToEnd(exportSteps(recorded, { made_by: version, note: null }))
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
export async function importFile(file: string, folder: string): Promise<Imported> {
  const data = resolve(folder)
  const isThere = statSync(data, { throwIfNoEntry: false })
  if (isThere && !isThere.isDirectory()) throw new StoreError(`${folder} is no folder: pass --data with a new one`)
  if (isThere && readdirSync(data).length > 0)
    throw new StoreError(`The folder ${folder} holds something already: pass --data with a new one`)
  const bundle = withKeys(await readBundle(file), undefined)
  runToEnd(validateBundle(bundle))
  const beside = `${data}.${randomUUID()}`
  try {
    const kept = await openDataFolder(beside, 'write')
    const world = copyWorld(bundle.world)
    const store = new Store(world, new Clock(world, () => 0), kept.file, checkBooks)
    const exchanges = await ExchangeLog.open(beside)
    const acts = await OperatorLog.open(beside)
    let imported: Imported
    try {
      kept.begin(world)
      await kept.file.save()
      installWorld(store, world)
      imported = takenIn({ store, exchanges, acts }, bundle, bundle.world.seq)
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

export const holdsWorld = (data: string): boolean => existsSync(join(data, 'world.jsonl'))

export const checkFolder = (data: string, tell: Tell): Promise<LedgerCheck> =>
  inFolder(data, tell, async ({ store }) => runToEnd(books.checkLedgerInSteps(store)))

async function readBundle(path: string): Promise<Bundle> {
  if (!existsSync(path)) throw new UnreadableRecording(`There is no file ${path}`)
  if (!statSync(path).isFile()) throw new UnreadableRecording(`${path} is no file`)
  const reader = new BundleReader()
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    reader.take(line)
  return reader.whole()
}

async function inFolder<T>(data: string, tell: Tell, work: (recorded: Recorded) => Promise<T>): Promise<T> {
  refuseNoFolder(data)
  const kept = await openDataFolder(data, 'write', tell)
  try {
    if (!kept.world) throw new StoreError(`${data} holds no world`)
    const store = new Store(kept.world, new Clock(kept.world, () => 0), kept.file, checkBooks)
    const exchanges = await ExchangeLog.open(data)
    const acts = await OperatorLog.open(data)
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

function refuseNoFolder(data: string) {
  if (!holdsWorld(data)) throw new StoreError(`${data} is no data folder: there is no world.jsonl in it`)
}

function* ended(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) yield `${line}\n`
}

const unwritable = (path: string, error: unknown) =>
  new StoreError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`)

/** Where a file is replayed; without either, in a fresh demonstration that is gone afterwards. */
export interface ReplayPlace {
  readonly data?: string | undefined
  readonly url?: string | undefined
  /** Of the sandbox behind the url. */
  readonly control_key?: string | undefined
}

export interface ReplayedFile extends ReplayOutcome {
  readonly unusable: readonly Unusable[]
}

export async function replayFile(
  file: string,
  { data, url, control_key }: ReplayPlace,
  options: { version: string; tell: Tell },
): Promise<ReplayedFile> {
  const { beginning, unusable, ...what } = sourceIn(readable(file))
  const isElsewhere = data !== undefined || url !== undefined
  const own = isElsewhere ? undefined : await beginning?.()
  const plan = {
    ...what,
    gaps: own !== undefined,
    isSameWorld: own !== undefined,
    ...(own ? { known: uidsIn(own) } : {}),
  }
  if (url !== undefined) {
    await reach(url)
    return { ...(await replay(remoteTarget(url, control_key), plan)), unusable }
  }
  if (data !== undefined) {
    refuseNoFolder(data)
    const sandbox = await openSandbox({ ...options, data, port: 0 })
    try {
      return { ...(await replay(sandbox.target, plan)), unusable }
    } finally {
      await sandbox.close()
    }
  }
  const scratch = await openScratch(options, own ?? FRESH())
  try {
    return { ...(await replay(scratch, plan)), unusable }
  } finally {
    await scratch.close()
  }
}

const FRESH = (): WorldSetup => ({
  kind: 'demo',
  seed: 'sandbank',
  start: toTimestamp(Date.now()),
  clock: { mode: 'frozen', pace: 'fast' },
})

function readable(file: string): Uint8Array {
  try {
    const { size } = statSync(file)
    if (size > MOST_MEGABYTES << 20)
      throw new UnreadableRecording(
        `${file} has ${Math.ceil(size / 2 ** 20)} MB, and at most ${MOST_MEGABYTES} are read: export only the requests of this API`,
      )
    return readFileSync(file)
  } catch (error) {
    if (error instanceof UnreadableRecording) throw error
    throw new UnreadableRecording(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
}

export { UnreadableRecording }
