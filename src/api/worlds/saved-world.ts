import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { WorldKind } from '../contract/control/worlds.ts'
import { ApiError } from '../contract/errors.ts'
import { writeEvents } from '../domain/resources/webhooks.ts'
import { isHostedWorld, NO_REAL_PACE, pacesOf } from '../domain/rules/hosted.ts'
import { checkBooks } from '../domain/rules/ledger.ts'
import { ExchangeLog } from '../http/exchanges.ts'
import { TraceIds } from '../http/trace-ids.ts'
import { OperatorLog } from '../replay/operator-log.ts'
import { CallLog } from '../store/call-log.ts'
import { Clock, toTimestamp } from '../store/clock.ts'
import type { Commit } from '../store/commit.ts'
import { type DataFolder, type Durability, openDataFolder, type WorldFile } from '../store/data-folder.ts'
import { files, removeFolder } from '../store/files.ts'
import type { ReportRemark } from '../store/lock.ts'
import { MemoryWorldFile } from '../store/memory-world-file.ts'
import { runToEnd, type Steps } from '../store/steps.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import type { World } from '../store/world.ts'
import type { Closers } from './closers.ts'
import { createWorldInSteps } from './fresh-world.ts'
import type { Logs } from './open-world.ts'

/** The world of a data folder, or a new one, with its logs. */

export interface WorldOptions {
  /** The data folder; null keeps the world in memory. */
  readonly data: string | null
  /** For a new world; refused if the folder holds one. */
  readonly seed?: string | undefined
  readonly start?: number | undefined
  readonly world?: WorldKind | undefined
  readonly hard_mode?: string | undefined
  /** A world in memory; it belongs to the sandbox from then on. */
  readonly from?: World | undefined
  readonly clock?: 'running' | 'frozen' | undefined
  readonly pace?: 'fast' | 'real' | undefined
  readonly durability?: Durability | undefined
  /** How many requests the log keeps at least; 10,000 by default. */
  readonly log_length?: number | undefined
  /** Gets internal errors, and remarks on the data folder. */
  readonly report?: ReportRemark | undefined
}

export interface SavedWorld {
  readonly store: Store
  readonly file: WorldFile
  /** null if the world is in memory. */
  readonly folder: DataFolder | null
}

/** The world of the data folder, a copy, or a new one. */
export async function openSavedWorld(options: WorldOptions): Promise<SavedWorld> {
  const { data, durability = 'write', from, world: kind = 'demo', pace = 'fast' } = options
  const folder = data === null ? null : await openDataFolder(data, durability, options.report)
  try {
    if (folder?.world) return continueWorld(options, folder.world, folder)
    if (from) {
      const file = new MemoryWorldFile()
      return { store: createStore(from, file), file, folder }
    }
    const { world, history } = runToEnd(
      createWorldInSteps({
        kind,
        seed: options.seed ?? 'sandbank',
        start: toTimestamp(options.start ?? Date.now()),
        clock: { mode: options.clock ?? 'running', pace },
        hard_mode: options.hard_mode,
      }),
    )
    requirePace(world, pace)
    const file = folder?.file ?? history
    const store = createStore(world, file)
    folder?.begin(world)
    await file.save()
    if (folder) runToEnd(folder.saveHistory(history))
    return { store, file, folder }
  } catch (error) {
    await folder?.file.close()
    throw error
  }
}

function continueWorld(options: WorldOptions, world: World, folder: DataFolder): SavedWorld {
  const { file } = folder
  const { data, seed, start, world: kind, clock, pace, hard_mode } = options
  requirePace(world, pace)
  const isAsked = kind === 'hosted' && isHostedWorld(world)
  const kindOption = { [kind === 'hosted' ? '--as' : '--world']: isAsked ? undefined : kind }
  const given = { '--seed': seed, '--start': start, ...kindOption, '--hard-mode': hard_mode }
  const refused = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (refused.length > 0)
    throw new StoreError(
      `The data folder ${data} already contains a world, which has its own seed, start, settings and records: leave ${refused.join(', ')} out, or pass --data with another folder`,
    )
  const store = createStore(world, file)
  if ((clock && clock !== store.clock.mode) || (pace && pace !== store.clock.pace))
    store.operate({ door: 'operator', name: 'clock.set' }, (tx) =>
      tx.setClock({ ...tx.clock, mode: clock ?? tx.clock.mode, pace: pace ?? tx.clock.pace, at: tx.now }),
    )
  return { store, file, folder }
}

function requirePace(world: World, pace: WorldOptions['pace']) {
  if (pace && !pacesOf(world).includes(pace)) throw new StoreError(`--pace: ${NO_REAL_PACE}`)
}

export const createStore = (world: World, file: WorldFile) =>
  new Store(world, new Clock(world, () => performance.now()), file, checkBooks, writeEvents)

/** So many commits are written at once. */
const MAX_HISTORY = 1_000

/**
 * Writes a world into a new data folder.
 *
 * Assumed (invented): a named world is kept with its latest 1,000 commits, back to the latest rewind, restore, reset or import of many
 * records, and without its logs: its commits name no requests.
 */
export async function writeDataFolder(
  path: string,
  world: World,
  history: WorldFile,
  runSteps: (steps: Steps<void>) => Promise<void>,
) {
  const isThere = files.exists(path)
  if (isThere && (!files.isFolder(path) || files.list(path).length > 0)) throw existsAlready(path)
  try {
    const folder = await openDataFolder(path, 'write')
    // Another process may have written one since.
    const holdsWorld = folder.world !== null
    try {
      if (holdsWorld) throw existsAlready(path)
      folder.begin(world)
      await folder.file.save()
      await runSteps(folder.saveHistory({ newestFirst: () => latestCommits(history) }))
    } catch (error) {
      // While it is locked, so that nothing of another process is removed.
      if (!holdsWorld) removeUnfinishedWorld(path)
      throw error
    } finally {
      await folder.file.close()
    }
  } catch (error) {
    if (!isThere) tryTo(() => files.removeEmptyFolder(path))
    const code = codeOf(error)
    if (code !== undefined)
      throw new ApiError('invalidArgument', `folder: ${path} cannot be written (${code}): choose another folder`)
    throw error instanceof StoreError ? new ApiError('invalidArgument', `folder: ${error.message}`) : error
  }
}

const existsAlready = (path: string) =>
  new ApiError('invalidArgument', `folder: ${path} exists already: choose a folder that is new or empty`)

/** A system that refuses it, as the files are still open, leaves them. */
function removeUnfinishedWorld(path: string) {
  tryTo(() => files.remove(join(path, 'world.jsonl')))
  tryTo(() => removeFolder(join(path, 'changes')))
}

function tryTo(work: () => void) {
  try {
    work()
  } catch {}
}

/** Of an error of the file system, or of a StoreError about one. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as NodeJS.ErrnoException
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code
}

/** Newest first. The records that a replacement replaced are in a file of their own, which only its data folder has. */
function* latestCommits(history: WorldFile): Iterable<Commit> {
  let count = 0
  for (const commit of history.newestFirst()) {
    if (!commit) continue
    if (commit.replacement || commit.imports !== undefined || ++count > MAX_HISTORY) return
    const { exchange: _, ...cause } = commit.cause
    const { logged: __, ...own } = commit
    yield { ...own, cause }
  }
}

export async function openLogs(
  { data, log_length: length, durability, report }: WorldOptions,
  store: Store,
  closers: Closers,
  folder: DataFolder | null,
): Promise<Logs> {
  const newest = folder ? { seq: store.world.seq, logged: folder.logged } : undefined
  const sync = durability === 'fsync'
  const log = await CallLog.open(data, { length, sync, ...(newest ? { newest } : {}), ...(report ? { report } : {}) })
  closers.add(() => log.close())
  const actions = new OperatorLog(log)
  actions.addUnlogged(folder?.takeRecent() ?? [])
  if (folder) store.log = log
  // The commits that were saved hold what the log needs; a world file takes the place of the commits.
  if (folder) folder.beforeSave = () => log.sync()
  closers.add(() => folder?.finishSave())
  return { log, traces: new TraceIds(log), exchanges: new ExchangeLog(log), actions }
}
