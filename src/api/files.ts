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
import type { Keepable } from './contract/control/bundles.ts'
import type { WorldChanges } from './contract/control/changes.ts'
import type { LedgerCheck } from './contract/control/ledger.ts'
import type { MethodOutput } from './contract/control/methods.ts'
import { ApiError } from './contract/errors.ts'
import { checkBooks } from './domain/rules/ledger.ts'
import { ExchangeLog } from './http/exchanges.ts'
import { Redaction } from './http/redact.ts'
import { type Bundle, BundleReader } from './replay/bundles/bundle.ts'
import { type BundleInfo, type ExportCounts, exportBundle } from './replay/bundles/export.ts'
import {
  addKeys,
  type ImportResult,
  installBundle,
  type PreparedImport,
  prepareImport,
} from './replay/bundles/import.ts'
import type { SandboxClient, WorldSetup } from './replay/client.ts'
import { controlOf, type DryRun, withChanges } from './replay/dry-run.ts'
import { OperatorLog } from './replay/operator-log.ts'
import { type RecordedSandbox, uidsIn } from './replay/record.ts'
import { MAX_MEGABYTES } from './replay/recordings/recognize.ts'
import { UnreadableRecording, type UnusableEntry } from './replay/recordings/recording.ts'
import { checkReachable, connectRemote } from './replay/remote-client.ts'
import { type ReplayOutcome, replayRequests } from './replay/replay.ts'
import { readSource } from './replay/source.ts'
import { openSandbox, openScratch } from './sandbox.ts'
import { checkScenarios } from './scenarios/library.ts'
import { CallLog } from './store/call-log.ts'
import { type CheckedFiles, checkFiles } from './store/check-files.ts'
import { Clock, toTimestamp } from './store/clock.ts'
import { forkWorld } from './store/copies.ts'
import { lockFolder, openDataFolder } from './store/data-folder.ts'
import { requireFree } from './store/lock.ts'
import { MemoryWorldFile } from './store/memory-world-file.ts'
import { readFolder } from './store/read-folder.ts'
import { interruptedRepair, type Repair, repairFolder } from './store/repair.ts'
import { runToEnd } from './store/steps.ts'
import { Store } from './store/store.ts'
import { StoreError } from './store/store-error.ts'
import type { World } from './store/world.ts'
import { checkLedgerInSteps } from './views/books.ts'
import { collectKeys } from './worlds/keys.ts'

/** What the command line does with files: export, import, check and replay, without serving a sandbox. */

type Report = (line: string) => void

/** Writes the bundle line by line, under a temporary name until it is complete. */
export async function exportFolder(
  data: string,
  out: string,
  { version, report, keep = [] }: { version: string; report: Report; keep?: readonly Keepable[] },
): Promise<ExportCounts> {
  requireDataFolder(data)
  await requireFree(
    data,
    `, or export it while it runs: sandbank control bundles.export '{}', whose text is the bundle`,
  )
  return withDataFolder(data, report, async (recorded) => {
    let counts: ExportCounts | undefined
    const lines = exportedLines(recorded, { made_by: version, note: null, keep }, (done) => {
      counts = done
    })
    try {
      await writeAside(out, (temporary) =>
        pipeline(Readable.from(lines), createWriteStream(temporary, { mode: 0o600 })),
      )
    } catch (error) {
      if (error instanceof StoreError || error instanceof ApiError) throw error
      throw new StoreError(`${out} cannot be written (${codeOf(error)})`)
    }
    return counts!
  })
}

function* exportedLines(recorded: RecordedSandbox, info: BundleInfo, onDone: (counts: ExportCounts) => void) {
  let text = ''
  const { store } = recorded
  const redaction = new Redaction(() => store.seal, collectKeys(store, []))
  const removeSecrets = (line: string) => redaction.removeSecrets(line)
  const steps = exportBundle(recorded, { ...info, removeSecrets }, (line) => {
    text += `${line}\n`
  })
  for (;;) {
    const step = steps.next()
    if (text !== '') yield text
    text = ''
    if (step.done) return onDone(step.value)
  }
}

/** Imports into a new folder, under a temporary name until it is complete. */
export async function importFile(file: string, folder: string): Promise<ImportResult> {
  const data = resolve(folder)
  const found = statSync(data, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw new StoreError(`${folder} is no folder: pass --data with a new one`)
  if (found && readdirSync(data).length > 0)
    throw new StoreError(`The folder ${folder} is not empty: pass --data with a new one`)
  const bundle = addKeys(await readBundle(file), undefined)
  const prepared = runToEnd(prepareImport(bundle))
  return writeAside(data, async (temporary) => {
    const result = await importInto(temporary, prepared)
    if (existsSync(data)) rmdirSync(data)
    return result
  })
}

/** Gives a file or folder its name when it is complete. An error or the end of the process removes it. */
export async function writeAside<T>(path: string, write: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = `${path}.${randomUUID()}`
  const remove = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    const result = await write(temporary)
    renameSync(temporary, path)
    return result
  } catch (error) {
    try {
      remove()
    } catch {
      // The error before it says more.
    }
    throw error
  } finally {
    process.off('exit', remove)
  }
}

async function importInto(folder: string, prepared: PreparedImport): Promise<ImportResult> {
  const { file, begin } = await openDataFolder(folder, 'write')
  const world = forkWorld(prepared.bundle.world)
  const store = new Store(world, new Clock(world, () => 0), file, checkBooks)
  const log = await CallLog.open(folder)
  return runAndClose([() => log.close(), () => file.close()], async () => {
    begin(world)
    await file.save()
    const result = runToEnd(installBundle({ store, log }, prepared))
    await file.save()
    return result
  })
}

/** Closes everything, also after an error. An error of closing does not hide that of the work. */
async function runAndClose<T>(closers: readonly (() => void | Promise<void>)[], work: () => Promise<T>): Promise<T> {
  const errors: unknown[] = []
  const run = (part: () => unknown) =>
    Promise.resolve()
      .then(part)
      .catch((error: unknown) => void errors.push(error))
  const result = await run(work)
  for (const close of closers) await run(close)
  if (errors.length > 0) throw errors[0]
  return result as T
}

async function readBundle(path: string): Promise<Bundle> {
  if (!existsSync(path)) throw new UnreadableRecording(`There is no file ${path}`)
  if (!statSync(path).isFile()) throw new UnreadableRecording(`${path} is no file`)
  const reader = new BundleReader()
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    reader.addLine(line)
  return reader.finish()
}

interface CheckedFolder extends CheckedFiles {
  /** null if a file is damaged: then the books cannot be checked. */
  readonly ledger: LedgerCheck | null
}

/** Proves every file of a data folder, then its books. Only reads. */
export async function checkFolder(data: string): Promise<CheckedFolder> {
  requireAnyFiles(data)
  await requireFree(data)
  const { isWhole, ...found } = await checkOpenFolder(data)
  const read = isWhole ? await readFolder(data) : null
  return { ...found, ledger: read && checkBooksOf(read.world) }
}

/** Proves every file of a folder that a sandbox may have open. `isWhole`: all but the scenarios can be read. */
export async function checkOpenFolder(data: string): Promise<CheckedFiles & { readonly isWhole: boolean }> {
  const { files, problems } = await checkFiles(data)
  const scenarios = checkScenarios(join(data, 'scenarios'))
  return {
    files: files + scenarios.files,
    problems: [...problems, ...scenarios.problems],
    isWhole: problems.length === 0,
  }
}

const checkBooksOf = (world: World): LedgerCheck =>
  runToEnd(checkLedgerInSteps(new Store(world, new Clock(world, () => 0), new MemoryWorldFile())))

/** null if nothing is damaged. */
export async function repairDataFolder(data: string, report: Report): Promise<Repair | null> {
  requireAnyFiles(data)
  await requireFree(data)
  return withLock(data, report, async () => {
    const isWhole = !interruptedRepair(data) && (await checkFiles(data)).problems.length === 0
    return isWhole ? null : repairFolder(data)
  })
}

async function withLock<T>(data: string, report: Report, work: () => Promise<T>): Promise<T> {
  const unlock = await lockFolder(data, report)
  try {
    return await work()
  } finally {
    await unlock()
  }
}

async function withDataFolder<T>(
  data: string,
  report: Report,
  work: (recorded: RecordedSandbox) => Promise<T>,
): Promise<T> {
  requireDataFolder(data)
  const { world, file, logged } = await openDataFolder(data, 'write', report)
  try {
    if (!world) throw new StoreError(`${data} holds no world`)
    const store = new Store(world, new Clock(world, () => 0), file, checkBooks)
    const log = await CallLog.open(data, { newest: { seq: world.seq, logged } })
    return await runAndClose([() => log.close()], () =>
      work({ store, exchanges: new ExchangeLog(log), actions: new OperatorLog(log) }),
    )
  } finally {
    await file.close()
  }
}

function requireAnyFiles(data: string) {
  if (!holdsWorld(data) && !existsSync(join(data, 'changes')) && !(existsSync(data) && interruptedRepair(data)))
    throw new StoreError(`${data} is no data folder: there is neither world.jsonl nor the folder changes in it`)
}

export const holdsWorld = (data: string): boolean => existsSync(join(data, 'world.jsonl'))

function requireDataFolder(data: string) {
  if (!holdsWorld(data)) throw new StoreError(`${data} is no data folder: there is no world.jsonl in it`)
}

/** Where to replay a file. Without `data` and `url`, in a scratch sandbox. */
interface ReplayPlace {
  readonly data?: string | undefined
  readonly url?: string | undefined
  /** The control key of the sandbox at `url`. */
  readonly control_key?: string | undefined
  /** In a copy of that world, which is dropped. */
  readonly dryRun?: DryRun | undefined
}

export interface ReplayedFile extends ReplayOutcome {
  readonly unusable: readonly UnusableEntry[]
  /** Of a dry run. */
  readonly changes?: WorldChanges
  /** In a running sandbox: the first operation of the replay, which undo takes back with all later ones. */
  readonly operation?: number
}

export async function replayFile(
  file: string,
  { data, url, control_key, dryRun }: ReplayPlace,
  options: { version: string; report: Report },
): Promise<ReplayedFile> {
  const { beginning, unusable, ...source } = readSource(readFile(file))
  const isScratch = data === undefined && url === undefined
  const world = isScratch ? await beginning?.() : undefined
  const plan = {
    ...source,
    gaps: world !== undefined,
    isSameWorld: world !== undefined,
    ...(world ? { known: runToEnd(uidsIn(world)) } : {}),
  }
  const run = async (client: SandboxClient) => {
    const replay = () => replayRequests(client, plan)
    return { ...(await (dryRun ? withChanges(client, dryRun, replay) : replay())), unusable }
  }
  if (url !== undefined) {
    await checkReachable(url)
    if (dryRun) return inCopy(url, control_key, run)
    const client = connectRemote(url, control_key)
    const before = await newestCommit(client)
    const replayed = await run(client)
    const isChanged = before !== undefined && (await newestCommit(client)) !== before
    return isChanged ? { ...replayed, operation: before + 1 } : replayed
  }
  if (data !== undefined && !dryRun) {
    requireDataFolder(data)
    const sandbox = await openSandbox({ ...options, data, port: 0 })
    try {
      return await run(sandbox.replayClient)
    } finally {
      await sandbox.close()
    }
  }
  const scratch = await openScratch(options, data === undefined ? (world ?? demoSetup()) : await readWorld(data))
  try {
    return await run(scratch)
  } finally {
    await scratch.close()
  }
}

/** undefined without the control key. */
async function newestCommit({ call }: SandboxClient): Promise<number | undefined> {
  const reply = await call('world.describe', {})
  return reply.ok ? (reply.value as MethodOutput<'world.describe'>).seq : undefined
}

/** Works in a new world of a running sandbox, which is a copy of the one at the URL. */
async function inCopy<T>(url: string, key: string | undefined, work: (client: SandboxClient) => Promise<T>) {
  const control = controlOf(connectRemote(url, key))
  const { name, api } = await control['worlds.create']({ from: 'current' })
  try {
    return await work(connectRemote(new URL(new URL(api).pathname, url).href.replace(/\/api\/v1$/, ''), key))
  } finally {
    await control['worlds.drop']({ name })
  }
}

async function readWorld(data: string): Promise<World> {
  requireDataFolder(data)
  await requireFree(data)
  const folder = await readFolder(data)
  if (!folder) throw new StoreError(`${data} holds no world`)
  return folder.world
}

const demoSetup = (): WorldSetup => ({
  kind: 'demo',
  seed: 'sandbank',
  start: toTimestamp(Date.now()),
  clock: { mode: 'frozen', pace: 'fast' },
})

function readFile(file: string): Uint8Array {
  try {
    const { size } = statSync(file)
    if (size > MAX_MEGABYTES << 20)
      throw new UnreadableRecording(
        `${file} has ${Math.ceil(size / 2 ** 20)} MB, and at most ${MAX_MEGABYTES} are read: export only the requests of this API`,
      )
    return readFileSync(file)
  } catch (error) {
    if (error instanceof UnreadableRecording) throw error
    throw new UnreadableRecording(`${file} cannot be read (${codeOf(error)})`)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error)
