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
import { type Body, Client, expectSuccess } from '../support/client.ts'
import { root, serve } from '../support/process.ts'
import { Random } from '../support/random.ts'

/** Damaged data folders and disks: a torn last line, a broken line, a full disk, a folder that cannot be written. */

export interface DiskTest {
  readonly name: string
  /** The number of variations. */
  readonly ways: number
  readonly problems: readonly string[]
}

const CUSTOMERS = 40

/** How thoroughly the folder is damaged. */
export interface Damage {
  /** The last line is cut at every nth byte, and at its first and last one. */
  readonly cutEvery: number
  /** How many times a sandbox is started on a folder with a cut last line. */
  readonly starts: number
  readonly brokenLines: number
}
export const ALL_DAMAGE: Damage = { cutEvery: 1, starts: 3, brokenLines: 25 }

/** Each test works on a copy of a world whose sandbox was killed under load. */
export async function runDiskTests(seed: string, damage = ALL_DAMAGE): Promise<DiskTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-disks-'))
  const at = (name: string) => join(folder, name)
  try {
    const whole = at('whole')
    await createWorld(whole, seed)
    return [
      await cutLastLine(whole, at('torn'), seed, damage),
      await breakLines(whole, at('broken'), seed, damage),
      await fillDisk(at('full'), at('full.disk'), seed),
      await denyWriting(whole, at('read-only.disk')),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const serveArguments = (data: string) => ['--data', data, '--clock', 'frozen']
const freshWorldArguments = (data: string, seed: string) => [
  ...serveArguments(data),
  ...['--world', 'demo', '--seed', seed],
]

async function createWorld(data: string, seed: string) {
  const host = serve(freshWorldArguments(data, seed))
  const client = new Client(await host.output)
  await createCustomers(client, 'first')
  await expectSuccess(client.control('clock.advance', { by: 'PT25H' }))
  // The last line is short, because it is cut at each of its bytes.
  await client.api('POST', '/customers', { email: 'last@x.test' })
  client.close()
  await host.kill()
}

interface Created {
  readonly external_uid: string
  readonly status: number
}

async function createCustomers(client: Client, name: string): Promise<Created[]> {
  const created: Created[] = []
  for (let n = 0; n < CUSTOMERS; n++) {
    const external_uid = `${name}-${n}`
    const { status } = await client.api('POST', '/customers', { external_uid, email: 'c@x.test' })
    created.push({ external_uid, status })
  }
  return created
}

// ── A torn last line ───────────────────────────────────────────────────────────────────────────────────────────────────

const lastSegment = (data: string) => {
  const segments = readdirSync(join(data, 'changes')).filter((name) => name.endsWith('.jsonl'))
  return join(data, 'changes', segments.sort().at(-1)!)
}

function copyFolder(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true })
  // Without its lock: Node cannot copy the socket, and a refused start would remove the file.
  cpSync(from, to, { recursive: true, filter: (path) => !/(\/lock|\.sock)$/.test(path) })
  return to
}

/** Cut anywhere in the last line, the world is the one before that commit; uncut, it is the one after it. */
async function cutLastLine(
  whole: string,
  copy: string,
  seed: string,
  { cutEvery, starts: times }: Damage,
): Promise<DiskTest> {
  const text = readFileSync(lastSegment(whole))
  const begins = text.lastIndexOf(10, text.length - 2) + 1
  const segment = lastSegment(copyFolder(whole, copy))
  const cutAt = (cut: number) => {
    writeFileSync(segment, text.subarray(0, cut))
    return openFolder(copy)
  }
  const before = await cutAt(begins)
  const problems: string[] = []
  let ways = 0
  for (let cut = begins + 1; cut <= text.length; cut++) {
    const isLast = cut >= text.length - 1
    if (!isLast && (cut - begins - 1) % cutEvery !== 0) continue
    ways++
    const { state, messages } = await cutAt(cut)
    const isWhole = cut === text.length
    if ((state === before.state) === isWhole) problems.push(`cut at byte ${cut}, the world is not the expected one`)
    if (messages.length !== (isWhole ? 0 : 1)) problems.push(`cut at byte ${cut}, the sandbox says ${messages.join()}`)
  }
  const random = new Random(seed)
  for (let n = 0; n < times; n++) {
    truncateSync(lastSegment(copyFolder(whole, copy)), random.between(begins, text.length - 1))
    removeLastRequest(copy)
    problems.push(...(await startAndUse(copy)))
  }
  return { name: 'A torn last line', ways, problems }
}

/** A request is logged after its commit, so the log has none whose commit was torn. */
function removeLastRequest(data: string) {
  const folder = join(data, 'exchanges')
  const path = join(folder, readdirSync(folder).sort().at(-1)!)
  const text = readFileSync(path)
  truncateSync(path, text.lastIndexOf(10, text.length - 2) + 1)
}

async function openFolder(data: string) {
  const messages: string[] = []
  const { world, file } = await openDataFolder(data, 'write', (line) => void messages.push(line))
  await file.close()
  return { state: world && stateOf(world), messages }
}

const stateOf = (world: World) =>
  JSON.stringify([
    world.seq,
    world.clock,
    world.counters,
    collectionNames.map((name) => collectionOf(world, name).inOrder()),
  ])

/** It opens, its books balance, and it takes a request. */
async function startAndUse(data: string): Promise<string[]> {
  const host = serve(serveArguments(data))
  try {
    const client = new Client(await host.output)
    const problems = await findProblems(client, [])
    const { status } = await client.api('POST', '/customers', { email: 'after@x.test' })
    client.close()
    return status === 201 ? problems : [...problems, `a request after the start is answered with ${status}`]
  } catch (error) {
    return [(error as Error).message]
  } finally {
    await host.kill()
  }
}

// ── A broken line ──────────────────────────────────────────────────────────────────────────────────────────────

/** A crash breaks only the last line. With any other broken line the start is refused, names the line and changes nothing. */
async function breakLines(whole: string, copy: string, seed: string, { brokenLines }: Damage): Promise<DiskTest> {
  const random = new Random(seed)
  const problems: string[] = []
  for (let n = 0; n < brokenLines; n++) {
    const path = random.chance(0.5)
      ? lastSegment(copyFolder(whole, copy))
      : join(copyFolder(whole, copy), 'world.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    const number = random.between(1, lines.length - 2)
    const line = lines[number - 1]!
    lines[number - 1] = random.pick([
      line.slice(0, random.below(line.length - 1)),
      `${line}${line}`,
      '\u0000\u0000',
      `x${line}`,
    ])
    writeFileSync(path, lines.join('\n'))
    problems.push(...(await expectRefusedStart(copy, `${path}, line ${number}`)))
  }
  return { name: 'A broken line', ways: brokenLines, problems }
}

async function expectRefusedStart(data: string, place: string): Promise<string[]> {
  const before = bytesOf(data)
  try {
    const { file } = await openDataFolder(data, 'write')
    await file.close()
    return [`${place} is broken, and the folder opened`]
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'StoreError' || !message.includes(place)) return [`${place} is broken, and the message is: ${message}`]
    return bytesOf(data) === before ? [] : [`${place} is broken, and the folder was changed`]
  }
}

const bytesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'latin1')}`)
    .sort()
    .join('\n')

// ── A full disk, and a folder that cannot be written ───────────────────────────────────────────────────────────────────────────────

const onBadDisk = (disk: string) => ({
  node: ['--import', join(root, 'bench/torture/bad-disk.mjs')],
  env: { SANDBANK_BAD_DISK: disk },
})

/** On a full disk every change is refused; with room again changes are accepted; after a kill all of them are there. */
async function fillDisk(data: string, disk: string, seed: string): Promise<DiskTest> {
  const host = serve(freshWorldArguments(data, seed), onBadDisk(disk))
  const client = new Client(await host.output)
  await client.token()
  const problems: string[] = []
  const all: Created[] = []
  for (const [n, isFull] of [true, false, true].entries()) {
    if (isFull) writeFileSync(disk, 'full')
    else rmSync(disk)
    const created = await createCustomers(client, `part-${n}`)
    all.push(...created)
    for (const { external_uid, status } of created.filter((one) => one.status < 300 === isFull))
      problems.push(`with ${isFull ? 'no ' : ''}room on the disk ${external_uid} is answered with ${status}`)
    if (!isFull) problems.push(...(await findProblems(client, all)))
  }
  client.close()
  await host.kill()
  const again = serve(serveArguments(data))
  const next = new Client(await again.output)
  problems.push(...(await findProblems(next, all)))
  next.close()
  await again.kill()
  return { name: 'A full disk, twice, and a kill while it is full', ways: 2, problems }
}

/** The books balance, each Customer that was accepted is there once, and none that was refused. */
async function findProblems(client: Client, created: readonly Created[]): Promise<string[]> {
  const { balanced } = await expectSuccess(client.control('ledger.check'))
  const input = { collection: 'customers', include_initiated: true, limit: 1000 }
  const { data } = await expectSuccess(client.control('records.list', input))
  const wrong = created.filter(({ external_uid, status }) => {
    const count = data.filter((one: Body) => one.external_uid === external_uid).length
    return count !== (status < 300 ? 1 : 0)
  })
  return [
    ...(balanced ? [] : ['the books do not balance']),
    ...wrong.map(
      ({ external_uid, status }) => `${external_uid} was answered with ${status}, which the list does not show`,
    ),
  ]
}

/** The start fails with one line that says so, and nothing is changed. */
async function denyWriting(whole: string, disk: string): Promise<DiskTest> {
  const before = bytesOf(whole)
  const problems: string[] = []
  writeFileSync(disk, 'read-only')
  for (const data of [whole, `${whole}-fresh`, join(disk, 'below a file')]) {
    const { code, stdout, stderr } = await serve(serveArguments(data), onBadDisk(disk)).ended
    const lines = stderr.trim().split('\n')
    if (code !== 1 || stdout !== '' || lines.length !== 1 || !lines[0]!.includes('cannot be written'))
      problems.push(`a folder that cannot be written: exit ${code}, ${stderr}`)
  }
  if (bytesOf(whole) !== before || !existsSync(whole)) problems.push('a folder that cannot be written was changed')
  return { name: 'A folder that cannot be written', ways: 3, problems }
}
