import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { collectionNames, collectionOf, type World } from '../../src/api/store/world.ts'
import { Caller } from '../support/caller.ts'
import { root, serve } from '../support/host.ts'
import { Luck } from '../support/luck.ts'
import { Load } from './load.ts'
import { books, Proof } from './proof.ts'

/** What a disk can do to a data folder: a torn end, a broken middle, no room, no leave to write. */

export interface Trial {
  readonly name: string
  /** In how many ways it was tried. */
  readonly ways: number
  readonly complaints: readonly string[]
}

const STEPS = 40

/** How thoroughly the folder is damaged. */
export interface Damage {
  /** The last line is cut at every nth byte, and at its first and last one. */
  readonly cutEvery: number
  /** How many times a sandbox is started on a folder with a cut last line. */
  readonly starts: number
  readonly brokenLines: number
}
export const ALL_DAMAGE: Damage = { cutEvery: 1, starts: 3, brokenLines: 25 }

/** Gives each trial a folder with a world that was killed under load, and clears away what is left. */
export async function trials(seed: string, damage = ALL_DAMAGE): Promise<Trial[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-disks-'))
  const at = (name: string) => join(folder, name)
  try {
    const whole = at('whole')
    await lived(whole, seed)
    return [
      await tornLine(whole, at('torn'), seed, damage),
      await brokenLine(whole, at('broken'), seed, damage),
      await fullDisk(at('full'), at('full.disk'), seed),
      await unwritable(whole, at('read-only.disk')),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const args = (data: string) => ['--data', data, '--clock', 'frozen']
const fresh = (data: string, seed: string) => [...args(data), '--world', 'empty', '--seed', seed]

async function lived(data: string, seed: string) {
  const load = new Load(new Luck(seed))
  const host = serve(fresh(data, seed))
  const caller = new Caller(await host.line)
  await load.begin(caller)
  await load.steps(caller, STEPS)
  // A short line to end with, as it is cut at each of its bytes.
  await caller.api('POST', '/customers', { email: 'last@x.test' })
  caller.close()
  await host.kill()
}

// ── A torn end ───────────────────────────────────────────────────────────────────────────────────────────────────

const lastSegment = (data: string) => {
  const segments = readdirSync(join(data, 'changes')).filter((name) => name.endsWith('.jsonl'))
  return join(data, 'changes', segments.sort().at(-1)!)
}

function copied(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  rmSync(join(to, 'lock'), { force: true })
  return to
}

/** Cut anywhere in the last line, the world is the one before that commit; uncut, it is the one after it. */
async function tornLine(
  whole: string,
  copy: string,
  seed: string,
  { cutEvery, starts: times }: Damage,
): Promise<Trial> {
  const text = readFileSync(lastSegment(whole))
  const begins = text.lastIndexOf(10, text.length - 2) + 1
  const segment = lastSegment(copied(whole, copy))
  const cutAt = (cut: number) => {
    writeFileSync(segment, text.subarray(0, cut))
    return opened(copy)
  }
  const before = await cutAt(begins)
  const complaints: string[] = []
  let ways = 0
  for (let cut = begins + 1; cut <= text.length; cut++) {
    const isLast = cut >= text.length - 1
    if (!isLast && (cut - begins - 1) % cutEvery !== 0) continue
    ways++
    const { state, remarks } = await cutAt(cut)
    const isWhole = cut === text.length
    if ((state === before.state) === isWhole) complaints.push(`cut at byte ${cut} it is another world`)
    if (remarks.length !== (isWhole ? 0 : 1)) complaints.push(`cut at byte ${cut} the sandbox says ${remarks.join()}`)
  }
  const luck = new Luck(seed)
  for (let n = 0; n < times; n++) {
    truncateSync(lastSegment(copied(whole, copy)), luck.between(begins, text.length - 1))
    complaints.push(...(await starts(copy)))
  }
  return { name: 'A torn last line', ways, complaints }
}

async function opened(data: string) {
  const remarks: string[] = []
  const { world, file } = await openDataFolder(data, 'write', (line) => void remarks.push(line))
  await file.close()
  return { state: world && stateOf(world), remarks }
}

const stateOf = (world: World) =>
  JSON.stringify([
    world.seq,
    world.clock,
    world.counters,
    collectionNames.map((name) => collectionOf(world, name).inOrder()),
  ])

/** It opens, balances and takes a request. */
async function starts(data: string): Promise<string[]> {
  const host = serve(args(data))
  try {
    const caller = new Caller(await host.line)
    const complaints = await books(caller)
    const { status } = await caller.api('POST', '/customers', { email: 'after@x.test' })
    caller.close()
    return status === 201 ? complaints : [...complaints, `a request afterwards is answered with ${status}`]
  } catch (error) {
    return [(error as Error).message]
  } finally {
    await host.kill()
  }
}

// ── A broken middle ──────────────────────────────────────────────────────────────────────────────────────────────

/** A line that is not the last is no accident of a crash: the start is refused, names it, and changes nothing. */
async function brokenLine(whole: string, copy: string, seed: string, { brokenLines }: Damage): Promise<Trial> {
  const luck = new Luck(seed)
  const complaints: string[] = []
  for (let n = 0; n < brokenLines; n++) {
    const path = luck.chance(0.5) ? lastSegment(copied(whole, copy)) : join(copied(whole, copy), 'world.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    const number = luck.between(1, lines.length - 2)
    const line = lines[number - 1]!
    lines[number - 1] = luck.pick([
      line.slice(0, luck.below(line.length - 1)),
      `${line}${line}`,
      '\u0000\u0000',
      `x${line}`,
    ])
    writeFileSync(path, lines.join('\n'))
    complaints.push(...(await refused(copy, `${path}, line ${number}`)))
  }
  return { name: 'A broken line in the middle', ways: brokenLines, complaints }
}

async function refused(data: string, place: string): Promise<string[]> {
  const before = bytesOf(data)
  try {
    const { file } = await openDataFolder(data, 'write')
    await file.close()
    return [`${place} is broken, and the folder opened`]
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'StoreError' || !message.includes(place)) return [`${place} is broken, and it says: ${message}`]
    return bytesOf(data) === before ? [] : [`${place} is broken, and the folder was changed`]
  }
}

const bytesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`)
    .sort()
    .join('\n')

// ── No room, and no leave to write ───────────────────────────────────────────────────────────────────────────────

const onBadDisk = (disk: string) => ({
  node: ['--import', join(root, 'bench/torture/bad-disk.mjs')],
  env: { SANDBANK_BAD_DISK: disk },
})

/** While the disk is full every change is refused and none happens; with room again it goes on; a kill finds all. */
async function fullDisk(data: string, disk: string, seed: string): Promise<Trial> {
  const load = new Load(new Luck(seed))
  const proof = new Proof()
  const host = serve(fresh(data, seed), onBadDisk(disk))
  const caller = new Caller(await host.line)
  await load.begin(caller)
  await proof.begin(caller)
  const complaints: string[] = []
  for (const full of [true, false, true]) {
    if (full) writeFileSync(disk, 'full')
    else rmSync(disk)
    await load.steps(caller, STEPS)
    const wrong = load.deeds.filter(({ answer }) => (answer?.status ?? 0) < 300 === full)
    for (const { kind, answer } of wrong)
      complaints.push(
        `with ${full ? 'no ' : ''}room on the disk a ${kind} is answered with ${answer?.status}: ${answer?.text}`,
      )
    // What was refused must not be there either: the proof needs a disk to read and write.
    if (!full) complaints.push(...(await proof.after(load, caller)))
  }
  caller.close()
  await host.kill()
  const again = serve(args(data))
  const next = new Caller(await again.line)
  complaints.push(...(await proof.after(load, next)), ...(await proof.ofEverything(next)))
  next.close()
  await again.kill()
  return { name: 'A full disk, twice, and a kill while it is full', ways: 2, complaints }
}

/** One line that says so, and nothing is touched. */
async function unwritable(whole: string, disk: string): Promise<Trial> {
  const before = bytesOf(whole)
  const complaints: string[] = []
  writeFileSync(disk, 'read-only')
  for (const data of [whole, `${whole}-fresh`, join(disk, 'below a file')]) {
    const { code, stdout, stderr } = await serve(args(data), onBadDisk(disk)).ended
    const lines = stderr.trim().split('\n')
    if (code !== 1 || stdout !== '' || lines.length !== 1 || !lines[0]!.includes('cannot be written'))
      complaints.push(`a folder that cannot be written: exit ${code}, ${stderr}`)
  }
  if (bytesOf(whole) !== before || !existsSync(whole)) complaints.push('a folder that cannot be written was changed')
  return { name: 'A folder that cannot be written', ways: 3, complaints }
}
