import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkFolder, repairDataFolder } from '../../src/api/files.ts'
import { files } from '../../src/api/store/files.ts'
import { setUpCustomers } from '../support/customers.ts'
import { copyDataFolder, createTemporaryFolder } from '../support/folder.ts'
import { readLineTexts, writeLineTexts } from '../support/lines.ts'
import { call } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** A data folder that was changed outside of the sandbox: nothing is silently wrong, and repair keeps what is whole. */

const original = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
let whole: string
const silent = () => {}

afterAll(() => rmSync(original, { recursive: true, force: true }))

beforeEach(async () => {
  if (whole) return
  const { sandbox, api, customer } = await setUpPayments({ data: original })
  await customer()
  await sandbox.call('snapshots.keep', { name: 'a' })
  await api.get('/customers')
  await sandbox.call('clock.advance', { by: 'PT1H' })
  whole = canonical(sandbox.store.world)
  await sandbox.close()
})

function copyFolder(): string {
  const folder = join(createTemporaryFolder(), 'copy')
  cpSync(original, folder, { recursive: true })
  return folder
}

async function refusalOf(folder: string): Promise<string> {
  try {
    const sandbox = await startSandbox({ data: folder })
    await sandbox.close()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('a byte that was changed', () => {
  it.each([
    ['the world', () => 'world.jsonl'],
    ['the commits since', (folder: string) => join('changes', readdirSync(join(folder, 'changes')).at(-1)!)],
    ['the log', (folder: string) => join('log', readdirSync(join(folder, 'log'))[0]!)],
  ])('in %s prevents the start', async (_name, nameOf) => {
    const folder = copyFolder()
    const path = join(folder, nameOf(folder))
    const text = readFileSync(path, 'latin1')
    // A digit of a date in the second line.
    const at = text.indexOf('2', text.indexOf('\n') + 1)
    writeFileSync(path, `${text.slice(0, at)}3${text.slice(at + 1)}`, 'latin1')
    expect(await refusalOf(folder)).toContain(`${path}, line 2 cannot be read: it was changed after it was written`)
  })

  it.each([
    ['the world', () => 'world.jsonl'],
    ['the commits since', (folder: string) => join('changes', readdirSync(join(folder, 'changes')).at(-1)!)],
  ])('the check of the first line of %s that is gone prevents the start', async (_name, nameOf) => {
    const folder = copyFolder()
    const path = join(folder, nameOf(folder))
    writeFileSync(path, readFileSync(path, 'utf8').replace(/\t[0-9a-f]{8}\n/, '\n'))
    expect(await refusalOf(folder)).toContain(`${path}, line 1 cannot be read`)
    expect((await checkFolder(folder)).problems.join()).toContain(`${path}, line 1 cannot be read`)
  })

  it('in an older segment is found when the history is read', async () => {
    const folder = copyFolder()
    const path = join(folder, 'changes', readdirSync(join(folder, 'changes'))[0]!)
    const text = readFileSync(path, 'latin1')
    const at = text.indexOf('"at":"2')
    writeFileSync(path, `${text.slice(0, at + 6)}3${text.slice(at + 7)}`, 'latin1')
    const sandbox = await startSandbox({ data: folder })
    expect(JSON.stringify(await sandbox.call('world.rewind', { seq: 1 }))).toContain(`${path}, line 2 cannot be read`)
    await sandbox.close()
  })
})

describe('commits that are missing', () => {
  const segments = (folder: string) => readdirSync(join(folder, 'changes')).map((name) => join(folder, 'changes', name))

  it('a segment after the world file: the start is refused', async () => {
    const folder = copyFolder()
    rmSync(segments(folder).at(-1)!)
    expect(await refusalOf(folder)).toMatch(
      /changes\/\d+\.jsonl is missing or incomplete: changes of the world are lost/,
    )
  })

  it('the end of the last segment, which the logs name: the start is refused', async () => {
    const folder = copyFolder()
    const path = segments(folder).at(-1)!
    writeLineTexts(path, readLineTexts(path).slice(0, -8))
    expect(await refusalOf(folder)).toMatch(
      /changes ends with commit \d+, and .*log has [xo]\d+ with commit \d+: changes are lost/,
    )
    expect((await checkFolder(folder)).problems.join()).toMatch(/changes are lost/)
  })

  it('the end of an older segment: a rewind over it is refused, and changes nothing', async () => {
    const folder = copyFolder()
    const [path] = segments(folder)
    writeLineTexts(path!, readLineTexts(path!).slice(0, -3))
    const sandbox = await startSandbox({ data: folder })
    const before = canonical(sandbox.store.world)
    expect(JSON.stringify(await sandbox.call('world.rewind', { seq: 1 }))).toMatch(/commit \d+ is missing/)
    expect(canonical(sandbox.store.world)).toBe(before)
    await sandbox.close()
    expect((await checkFolder(folder)).problems.join()).toMatch(/changes\/\d+\.jsonl is missing or incomplete/)
  })
})

describe('repair', () => {
  it('opens a segment as often whether its history is long or short', async () => {
    const opensOf = async (customers: number) => {
      const data = createTemporaryFolder()
      const sandbox = await startSandbox({ data })
      const api = sandbox.client()
      for (let left = customers; left > 0; left--) await api.post('/customers', { email: `${left}@example.test` })
      await sandbox.close()
      const path = join(data, 'log', readdirSync(join(data, 'log')).find((name) => /^\d+\.jsonl$/.test(name))!)
      const text = readFileSync(path, 'latin1')
      const at = text.indexOf('2', text.indexOf('\n') + 1)
      writeFileSync(path, `${text.slice(0, at)}3${text.slice(at + 1)}`, 'latin1')
      const open = vi.spyOn(files, 'open')
      expect((await repairDataFolder(data, silent))?.seq).toBeGreaterThanOrEqual(customers)
      const count = open.mock.calls.filter(([name]) => /changes/.test(name)).length
      open.mockRestore()
      return count
    }
    expect(await opensOf(40)).toBe(await opensOf(4))
  })

  const worldOf = async (folder: string) => {
    const sandbox = await startSandbox({ data: folder })
    const result = canonical(sandbox.store.world)
    expect(await sandbox.call('ledger.check', {})).toMatchObject({ value: { balanced: true } })
    expect(await sandbox.call('exchanges.list', {})).toMatchObject({ ok: true })
    await sandbox.close()
    return result
  }
  const damageLine = (path: string, number: number) => {
    const lines = readFileSync(path, 'latin1').split('\n')
    lines[number - 1] = lines[number - 1]!.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
    writeFileSync(path, lines.join('\n'), 'latin1')
  }

  it('changes nothing in a folder that is whole', async () => {
    const folder = copyFolder()
    expect(await repairDataFolder(folder, silent)).toBeNull()
    expect(await worldOf(folder)).toBe(whole)
  })

  it('what it has written is on the disk before it takes the place of the old files', async () => {
    const folder = copyFolder()
    damageLine(join(folder, 'world.jsonl'), 3)
    const steps: string[] = []
    const [sync, rename] = [files.syncFolder, files.rename]
    vi.spyOn(files, 'syncFolder').mockImplementation((path) => {
      steps.push(`sync ${path.slice(folder.length)}`)
      sync(path)
    })
    vi.spyOn(files, 'rename').mockImplementation((from, to) => {
      steps.push(`rename ${from.slice(folder.length)}`)
      rename(from, to)
    })
    await repairDataFolder(folder, silent)
    const at = steps.indexOf('rename /repairing-1')
    expect(at).toBeGreaterThan(0)
    expect(steps.slice(0, at)).toEqual(
      expect.arrayContaining(['', '/changes', '/log'].map((name) => `sync /repairing-1${name}`)),
    )
    vi.restoreAllMocks()
  })

  it('restores a damaged world file from a snapshot and the commits since, with nothing lost', async () => {
    const folder = copyFolder()
    damageLine(join(folder, 'world.jsonl'), 3)
    const repaired = await repairDataFolder(folder, silent)
    expect(repaired).toMatchObject({ left_out: [] })
    expect(readFileSync(join(repaired!.moved_to, 'world.jsonl'))).not.toEqual(
      readFileSync(join(original, 'world.jsonl')),
    )
    expect(await worldOf(folder)).toBe(whole)
  })

  it('begins with a snapshot if its commits lead further than those of the world file', async () => {
    const folder = copyFolder()
    const path = join(folder, 'changes', readdirSync(join(folder, 'changes')).at(-1)!)
    damageLine(path, 3)
    const { seq } = (await repairDataFolder(folder, silent))!
    expect(await worldOf(folder)).toBe(whole)
    expect((await checkFolder(folder)).problems).toEqual([])
    expect(seq).toBeGreaterThan(80)
  })

  it('restores no world from a snapshot of lost commits, although later commits have their numbers', async () => {
    const folder = createTemporaryFolder()
    const first = await setUpPayments({ data: folder })
    const worldFile = readFileSync(join(folder, 'world.jsonl'))
    await first.customer()
    await first.sandbox.call('snapshots.keep', { name: 'before the loss' })
    const { seq } = first.sandbox.store.world
    await first.sandbox.close()
    // As after a kill: the world file is older than the commits.
    writeFileSync(join(folder, 'world.jsonl'), worldFile)
    const segment = join(folder, 'changes', readdirSync(join(folder, 'changes')).sort().at(-1)!)
    damageLine(segment, 3)
    damageLine(segment, readLineTexts(segment).length)
    expect((await repairDataFolder(folder, silent))!.seq).toBeLessThan(seq)

    const sandbox = await startSandbox({ data: folder })
    while (sandbox.store.world.seq <= seq) await sandbox.call('clock.advance', { by: 'PT1H' })
    const expected = canonical(sandbox.store.world)
    await sandbox.close()
    damageLine(join(folder, 'world.jsonl'), 2)
    expect(await refusalOf(folder)).toMatch(/world\.jsonl/)
    await repairDataFolder(folder, silent)
    const repaired = await startSandbox({ data: folder })
    expect(canonical(repaired.store.world)).toBe(expected)
    await repaired.close()
  })

  it('restores a damaged world file from the first commit on, if there is no snapshot', async () => {
    const folder = copyFolder()
    damageLine(join(folder, 'world.jsonl'), 3)
    rmSync(join(folder, 'snapshots'), { recursive: true })
    expect(await repairDataFolder(folder, silent)).toMatchObject({ left_out: [] })
    expect(await worldOf(folder)).toBe(whole)
  })

  it('keeps the commits before a damaged one, and names the lost ones and their requests', async () => {
    const folder = copyFolder()
    const path = join(folder, 'changes', readdirSync(join(folder, 'changes')).at(-1)!)
    rmSync(join(folder, 'snapshots'), { recursive: true })
    const lines = readLineTexts(path).length
    damageLine(path, lines - 3)
    const repaired = await repairDataFolder(folder, silent)
    expect(repaired!.left_out.join('\n')).toMatch(
      /Commits \d+ to \d+ of .*: commit \d+, or a part of its import, is lost/,
    )
    await worldOf(folder)
    expect((await checkFolder(folder)).problems).toEqual([])
  })

  it('takes no line of another file for a commit', async () => {
    const folder = copyFolder()
    const path = join(folder, 'changes', readdirSync(join(folder, 'changes')).at(-1)!)
    cpSync(join(folder, 'world.jsonl'), path)
    const { seq } = (await repairDataFolder(folder, silent))!
    expect(seq).toBeGreaterThan(80)
    await worldOf(folder)
    expect((await checkFolder(folder)).problems).toEqual([])
  })

  it('keeps the other entries of the log, and never gives out a lost uid again', async () => {
    const folder = copyFolder()
    const path = join(folder, 'log', readdirSync(join(folder, 'log'))[0]!)
    const requests = readLineTexts(path).flatMap((text, index) => {
      const uid = /^\{"uid":"(x\d+)"/.exec(text)?.[1]
      return uid === undefined ? [] : [{ uid, line: index + 1 }]
    })
    const { uid: newest, line } = requests.at(-1)!
    damageLine(path, line)
    const repaired = await repairDataFolder(folder, silent)
    expect(repaired!.left_out).toEqual([`Line ${line} of ${path}: it is damaged`])
    const sandbox = await startSandbox({ data: folder })
    await sandbox.client().get('/customers')
    const { value } = (await sandbox.call('exchanges.list', { limit: 1000 })) as { value: { data: { uid: string }[] } }
    expect(value.data).toHaveLength(requests.length - 1 + 2)
    expect(value.data.map(({ uid }) => uid)).not.toContain(newest)
    await sandbox.close()
  })

  it('begins files after those that are there, so that no start deletes them and gives out their numbers again', async () => {
    const folder = copyFolder()
    const log = join(folder, 'log')
    for (const name of readdirSync(log)) rmSync(join(log, name))
    writeFileSync(join(log, '000000000199.jsonl'), '{"sandbank":"log","vers')
    await repairDataFolder(folder, silent)
    const numbers: number[] = []
    for (let start = 0; start < 2; start++) {
      const sandbox = await startSandbox({ data: folder, log_length: 8 })
      for (let n = 0; n < 5; n++) await sandbox.client().get('/customers')
      const { value } = (await sandbox.call('exchanges.list', {})) as { value: { data: { uid: string }[] } }
      numbers.push(...value.data.slice(0, 5).map(({ uid }) => Number(uid.slice(1))))
      await sandbox.close()
    }
    expect(new Set(numbers).size).toBe(10)
    expect((await checkFolder(folder)).problems).toEqual([])
  })

  describe('keeps an import as a whole or leaves it out', () => {
    /** A folder after an import, as a kill leaves it. */
    async function importBundle() {
      const { sandbox: source, api } = await setUpCustomers()
      await api.post('/customers', { external_uid: 'imported' })
      await call(source, 'clock.advance', { by: 'PT30H' })
      const { text } = await call(source, 'bundles.export', {})
      const data = createTemporaryFolder()
      const sandbox = await startSandbox({ data, seed: 'other', clock: 'frozen' })
      await sandbox.client().post('/customers', { external_uid: 'own' })
      const { seq: before } = sandbox.store.world
      await call(sandbox, 'bundles.import', { text })
      const folder = copyDataFolder(data)
      const { seq: after } = sandbox.store.world
      await sandbox.close()
      const newest = (name: string) => join(folder, name, readdirSync(join(folder, name)).sort().at(-1)!)
      return { before, after, folder, changes: newest('changes'), log: newest('log') }
    }

    async function expectWorld(folder: string, external_uid: string) {
      const sandbox = await startSandbox({ data: folder })
      const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
      expect(data.map((customer) => customer.external_uid)).toContain(external_uid)
      expect(await call(sandbox, 'ledger.check', {})).toMatchObject({ balanced: true })
      await sandbox.close()
      expect((await checkFolder(folder)).problems).toEqual([])
    }

    it.each([3, 1])('out, if one of its commits is damaged, %d from the end', async (fromEnd) => {
      const { before, after, folder, changes } = await importBundle()
      damageLine(changes, readLineTexts(changes).length + 1 - fromEnd)
      const repaired = await repairDataFolder(folder, silent)
      expect(repaired!.seq).toBe(before)
      expect(repaired!.left_out[0]).toBe(
        `Commits ${before + 1} to ${after - fromEnd} of ${changes}: commit ${before + 1}, or a part of its import, is lost`,
      )
      await expectWorld(folder, 'own')
    })

    it('as a whole, if only an entry of its log is damaged', async () => {
      const { after, folder, log } = await importBundle()
      damageLine(log, readLineTexts(log).length)
      expect((await repairDataFolder(folder, silent))!.seq).toBe(after)
      await expectWorld(folder, 'imported')
    })

    it('as a whole, if a later commit is damaged', async () => {
      const { after, folder } = await importBundle()
      const sandbox = await startSandbox({ data: folder })
      await sandbox.client().post('/customers', { external_uid: 'later' })
      const copy = copyDataFolder(folder)
      await sandbox.close()
      const path = join(copy, 'changes', readdirSync(join(copy, 'changes')).sort().at(-1)!)
      damageLine(path, readLineTexts(path).length)
      expect((await repairDataFolder(copy, silent))!.seq).toBe(after)
      await expectWorld(copy, 'imported')
    })
  })

  it('moves a damaged snapshot away', async () => {
    const folder = copyFolder()
    damageLine(join(folder, 'snapshots', 'a.jsonl'), 2)
    const repaired = await repairDataFolder(folder, silent)
    expect(existsSync(join(folder, 'snapshots', 'a.jsonl'))).toBe(false)
    expect(statSync(join(repaired!.moved_to, 'snapshots', 'a.jsonl')).size).toBeGreaterThan(0)
    expect(await worldOf(folder)).toBe(whole)
  })

  it('refuses a folder in which no world is whole, and changes nothing', async () => {
    const folder = copyFolder()
    damageLine(join(folder, 'world.jsonl'), 1)
    rmSync(join(folder, 'snapshots'), { recursive: true })
    const before = readdirSync(folder)
    await expect(repairDataFolder(folder, silent)).rejects.toThrow(/cannot be repaired, and nothing was changed/)
    expect(readdirSync(folder).sort()).toEqual(before.sort())
  })
})
