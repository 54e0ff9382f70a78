import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Random } from '../../bench/support/random.ts'
import { checkFolder, repairDataFolder } from '../../src/api/files.ts'
import { SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { campaignSize } from '../support/campaign.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/**
 * Damages the files of a data folder in every way that no crash explains. `sandbank check` names the file and changes nothing; a repair gives a
 * world that there was, and never an older one than a start without it.
 */

const DAMAGES = campaignSize(20, 150)

const usual = { ...SAVE_AFTER }
afterAll(() => void Object.assign(SAVE_AFTER, usual))

/** A folder with files of every kind, and the world after each commit. */
async function createDataFolder() {
  Object.assign(SAVE_AFTER, { commits: 40 })
  const data = join(createTemporaryFolder(), 'data')
  const worlds = new Map<number, string>()
  const { sandbox, api, customer, fund } = await setUpPayments({ data, log_length: 40 })
  sandbox.store.subscribe(({ seq }) => void worlds.set(seq, canonical(sandbox.store.world)))
  worlds.set(sandbox.store.world.seq, canonical(sandbox.store.world))
  const olive = await customer()
  const { text } = await call(sandbox, 'bundles.export', {})
  const write = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await api.post('/customers', { external_uid: `c${n} ${sandbox.store.world.seq}` })
      await api.get('/customers?limit=1')
      if (n % 4 === 0) await call(sandbox, 'clock.advance', { by: 'PT1M' })
    }
  }
  await fund(olive, '50.00')
  await call(sandbox, 'snapshots.keep', { name: 'before' })
  await write(20)
  for (let n = 0; n < 60; n++) await fund(olive, '1.00')
  for (let n = 0; n < 5; n++)
    await sandbox.store.operate({ door: 'operator', name: 'test' }, (tx) => {
      const { uid } = tx.programs.newestFirst()[Symbol.iterator]().next().value!
      const program = tx.inProgram(uid)
      for (let i = 0; i < 220; i++) {
        const one = program.customers.get(olive.uid)!
        program.customers.put({ ...one, uid: program.uid(), made: undefined } as never)
      }
    })
  await call(sandbox, 'snapshots.restore', { name: 'before' })
  await write(6)
  await call(sandbox, 'bundles.import', { text })
  await call(sandbox, 'snapshots.keep', { name: 'after' })
  await write(6)
  // A crash may take what is logged after the newest commit.
  for (let n = 0; n < 5; n++) await call(sandbox, 'clock.advance', { by: 'PT1M' })
  for (let n = 0; n < 5; n++) await api.post('/customers', { external_uid: `end ${n}` })
  for (const name of ['one', 'two'])
    await call(sandbox, 'scenarios.save', { name, text: 'name: one\nsteps:\n  - advance: next\n' })
  await sandbox.close()
  Object.assign(SAVE_AFTER, usual)
  return { data, worlds }
}

type Damage = (path: string, random: Random) => void
const editBytes = (path: string, edit: (bytes: Buffer) => Buffer) => writeFileSync(path, edit(readFileSync(path)))
const editLines = (path: string, edit: (lines: string[]) => string[]) =>
  editBytes(path, (bytes) =>
    Buffer.from(`${edit(bytes.toString('latin1').split('\n').slice(0, -1)).join('\n')}\n`, 'latin1'),
  )
const within = (random: Random, lines: readonly string[]) => 1 + random.below(Math.max(1, lines.length - 2))

const flip: Damage = (path, random) =>
  editBytes(path, (bytes) => {
    const at = random.below(bytes.length)
    bytes[at] = bytes[at]! ^ (1 << random.below(8))
    return bytes
  })
const empty: Damage = (path) => truncateSync(path, 0)
const remove: Damage = (path) => rmSync(path)
const replaceByFolder: Damage = (path) => {
  rmSync(path)
  mkdirSync(path)
}
const halve: Damage = (path) => editLines(path, (lines) => lines.slice(0, Math.ceil(lines.length / 2)))
const cutWithin: Damage = (path) => truncateSync(path, Math.floor(statSync(path).size * 0.6))

/** Of files that are lines with checks. */
const ofLines: Readonly<Record<string, Damage>> = {
  flip,
  'another flip': flip,
  empty,
  remove,
  'replaced by a folder': replaceByFolder,
  'cut in half between lines': halve,
  'cut within a line': cutWithin,
  'only the header': (path) => editLines(path, (lines) => lines.slice(0, 1)),
  'without its header': (path) => editLines(path, (lines) => lines.slice(1)),
  'a line twice': (path, random) => editLines(path, (lines) => lines.toSpliced(within(random, lines), 0, lines[0]!)),
  'a line less': (path, random) => editLines(path, (lines) => lines.toSpliced(within(random, lines), 1)),
  'two lines exchanged': (path) => editLines(path, ([head, one, ...rest]) => [one!, head!, ...rest]),
  'CRLF at the end of each line': (path) => editLines(path, (lines) => lines.map((line) => `${line}\r`)),
  'a line of garbage at the end': (path) => editLines(path, (lines) => [...lines, '{"seq":1}']),
  zeros: (path, random) =>
    editBytes(path, (bytes) => bytes.fill(0, random.below(Math.max(1, bytes.length - 40)), bytes.length - 20)),
  'the content of the next file': (path) => {
    const folder = dirname(path)
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
    const other = join(folder, names[(names.indexOf(basename(path)) + 1) % names.length]!)
    const [own, content] = [readFileSync(path), readFileSync(other)]
    writeFileSync(path, content)
    if (other !== path) writeFileSync(other, own)
    else halve(path, new Random('one file'))
  },
}
const ofSecret = { flip, empty, 'replaced by a folder': replaceByFolder, 'cut within': cutWithin }
const ofScenario = {
  'no YAML': (path: string) => writeFileSync(path, 'name: [\n'),
  'replaced by a folder': replaceByFolder,
}

/** A user may delete a snapshot, and exchange two. */
const LEGITIMATE: Readonly<Record<string, readonly string[]>> = {
  snapshots: ['remove', 'the content of the next file'],
}

interface PlacedDamage {
  readonly path: string
  readonly name: string
  readonly damage: Damage
}

function damagesOf(data: string): PlacedDamage[] {
  const found: PlacedDamage[] = []
  const add = (path: string, damages: Readonly<Record<string, Damage>>) => {
    const legitimate = LEGITIMATE[dirname(path)] ?? []
    for (const [name, damage] of Object.entries(damages))
      if (!legitimate.includes(name)) found.push({ path, name, damage })
  }
  add('world.jsonl', ofLines)
  add('token-secret', ofSecret)
  for (const folder of ['changes', 'log', 'snapshots'])
    for (const name of readdirSync(join(data, folder))) add(join(folder, name), ofLines)
  for (const name of readdirSync(join(data, 'scenarios'))) add(join('scenarios', name), ofScenario)
  return found
}

/** Each one alone, then pairs. */
function chooseDamages(all: readonly PlacedDamage[], random: Random): PlacedDamage[][] {
  const chosen = random.shuffle(all.map((one) => [one]))
  while (chosen.length < DAMAGES) {
    const [one, two] = random.shuffle([...all]) as [PlacedDamage, PlacedDamage]
    const isApart = dirname(one.path) !== dirname(two.path) || !/next file/.test(one.name + two.name)
    if (one.path !== two.path && isApart) chosen.push([one, two])
  }
  return chosen.slice(0, DAMAGES)
}

/** All files below a folder with a digest of their content. */
function describeFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const content = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder'
    return [relative(folder, path), content] as const
  })
  return Object.fromEntries(entries.sort())
}

/** undefined if the start is refused. */
async function worldOf(data: string) {
  try {
    const sandbox = await startSandbox({ data })
    const { seq } = sandbox.store.world
    const world = canonical(sandbox.store.world)
    const { balanced } = await call(sandbox, 'ledger.check', {})
    await sandbox.close()
    return { seq, world, balanced }
  } catch {
    return undefined
  }
}

it(`${DAMAGES} damages of files of every kind: each is named, nothing is changed by the check, and no repair makes it worse`, async () => {
  const { data, worlds } = await createDataFolder()
  expect((await checkFolder(data)).problems).toEqual([])
  const random = new Random('damages')
  const all = damagesOf(data)
  const kinds = new Set(all.map(({ path }) => (dirname(path) === '.' ? path : dirname(path))))
  expect(kinds.size).toBe(6)
  const copyOf = (folder: string) => {
    const copy = join(createTemporaryFolder(), 'copy')
    cpSync(folder, copy, { recursive: true })
    return copy
  }
  let repaired = 0
  for (const damages of chooseDamages(all, random)) {
    const what = damages.map(({ name, path }) => `${name}: ${path}`).join(', ')
    const folder = copyOf(data)
    for (const { path, damage } of damages) damage(join(folder, path), random)
    const before = describeFiles(folder)
    if (JSON.stringify(before) === JSON.stringify(describeFiles(data))) continue
    const { problems } = await checkFolder(folder).catch((error: unknown) => {
      throw new Error(`The check failed. ${what}: ${String(error)}`, { cause: error })
    })
    expect(describeFiles(folder), what).toEqual(before)
    const places = damages.map(({ path }) => join(folder, dirname(path) === '.' ? path : dirname(path)))
    expect(
      places.some((place) => problems.join('\n').includes(place)),
      `${what}: ${problems.join('\n')}`,
    ).toBe(true)
    if (damages.every(({ path }) => path.startsWith('scenarios'))) continue
    const started = await worldOf(copyOf(folder))
    try {
      await repairDataFolder(folder, () => {})
    } catch (error) {
      expect((error as Error).message, what).toMatch(/cannot be repaired, and nothing was changed/)
      expect(started, what).toBeUndefined()
      expect(describeFiles(folder), what).toEqual(before)
      continue
    }
    repaired++
    // Scenarios are texts of the user: no repair can write them.
    const left = (await checkFolder(folder)).problems.filter((problem) => !problem.includes('/scenarios/'))
    expect(left, what).toEqual([])
    const world = await worldOf(folder)
    expect(world, what).toMatchObject({ balanced: true, world: worlds.get(world!.seq) })
    expect(world!.seq, what).toBeGreaterThanOrEqual(started?.seq ?? 0)
    expect(existsSync(join(folder, 'damaged-1')), what).toBe(true)
    rmSync(dirname(folder), { recursive: true })
  }
  expect(repaired).toBeGreaterThan(DAMAGES / 3)
})
