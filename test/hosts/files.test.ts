import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAside } from '../../src/api/files.ts'
import { openSandbox } from '../../src/api/sandbox.ts'
import { runInProcess, serveInProcess } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { START } from '../support/sandbox.ts'

/** `sandbank replay`, `export`, `import` and `check` on the command line. */

const FIXTURES = join(import.meta.dirname, '../replay/recordings/fixtures')

/** A data folder with a Customer and a refused request. */
async function recorded() {
  const data = join(createTemporaryFolder(), 'data')
  const world = { seed: 'test', start: START, world: 'empty', clock: 'frozen' } as const
  const sandbox = await openSandbox({ version: 'test', data, port: 0, ...world })
  const api = apiClient(sandbox)
  const { body } = await api.post('/customers', OLIVE)
  await api.get(`/customers/${String(body.uid)}`)
  await sandbox.call('clock.advance', { by: 'PT1H' })
  await api.get('/customers?limit=-1')
  await sandbox.close()
  return data
}

const expectOneLine = (stderr: string) => expect(stderr.trimEnd().split('\n')).toHaveLength(1)

interface Report {
  same: number
  differs: number
  refused: number
  unrecorded: number
  exchanges: Record<string, unknown>[]
}

describe('a data folder', () => {
  it('is exported, checked, imported and replayed without a difference', async () => {
    const data = await recorded()
    const place = createTemporaryFolder()
    const file = join(place, 'it.sandbank')
    const exported = await runInProcess(['export', data, '--out', file])
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    const [counts, left] = exported.stdout.split('\n')
    expect(counts).toBe(
      `${file}: 4 requests, 1 operator action, 2 commits. Personal data is masked, and keys are left out.`,
    )
    expect(left).toMatch(/^Not masked: the length of names and numbers, .*; countries, /)
    expect(readdirSync(place)).toEqual(['it.sandbank'])
    expect(readFileSync(file, 'utf8')).not.toMatch(/Olive|olive@|512-04|5155550123|harbor-demo-key/)

    const there = join(place, 'there')
    const imported = await runInProcess(['import', file, '--data', there])
    expect(imported).toMatchObject({ code: 0, stderr: '' })
    expect(imported.stdout).toMatch(
      /: 4 requests and 1 operator action, recorded since commit \d+\. Its clock is frozen/,
    )
    const checked = await runInProcess(['check', there])
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(checked.stdout).toMatch(new RegExp(`^${there}: all \\d+ files are whole, the books balance\\. Checked: `))
    expect(await runInProcess(['import', file, '--data', there])).toMatchObject({ code: 1, stdout: '' })

    const replayed = await runInProcess(['replay', file])
    expect(replayed).toMatchObject({ code: 0, stderr: '' })
    expect(replayed.stdout).toMatch(/4 same, 0 differ, 0 refused, 0 without a recorded response\n$/)
  })

  it('is exported with the values that --keep names, and says so', async () => {
    const data = await recorded()
    const file = join(data, '../kept.sandbank')
    const { code, stdout } = await runInProcess(['export', data, '--out', file, '--keep', 'ssn_last_four,state'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /\nNot masked: the last four digits of Social Security numbers .*; the states of addresses; /,
    )
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text.split('\n')[0]!).not_masked[0]).toMatch(/^the last four digits of Social Security numbers/)
    expect(text).toContain('"ssn_last_four":"8823"')
    expect(text).not.toMatch(/Olive|512-04/)
    const refused = await runInProcess(['export', data, '--out', file, '--keep', 'names'])
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^--keep: ssn_last_four, state, suffix, separated by commas, are expected; found names/,
      ),
    })
  })

  it('is exported, and the export says how many long texts are cut', async () => {
    const data = join(createTemporaryFolder(), 'data')
    const sandbox = await openSandbox({ version: 'test', data, port: 0, world: 'empty', clock: 'frozen' })
    await apiClient(sandbox).post('/customers', { details: { first_name: 'Olive '.repeat(1_000) } })
    await sandbox.close()
    const { code, stdout } = await runInProcess(['export', data, '--out', join(data, '../cut.sandbank')])
    expect(code).toBe(0)
    expect(stdout).toContain(
      '\nIn 3 places a text of more than 4096 characters is cut: a replay may differ there.\nNot',
    )
  })

  it('--json prints only one document with the documented keys', async () => {
    const data = await recorded()
    const file = join(data, '../it.sandbank')
    await runInProcess(['export', data, '--out', file])
    const { code, stdout, stderr } = await runInProcess(['replay', file, '--json'])
    expect({ code, stderr, lines: stdout.split('\n').length }).toEqual({ code: 0, stderr: '', lines: 2 })
    const report = JSON.parse(stdout) as Report
    expect(Object.keys(report)).toEqual(['same', 'differs', 'refused', 'unrecorded', 'exchanges'])
    expect(report).toMatchObject({ same: 4, differs: 0, refused: 0, unrecorded: 0 })
    for (const exchange of report.exchanges) {
      expect(Object.keys(exchange)).toEqual([
        ...['index', 'method', 'path', 'verdict', 'recorded', 'replayed', 'differences'],
      ])
      for (const side of ['recorded', 'replayed'] as const)
        expect(Object.keys(exchange[side] as object)).toEqual(['status', 'body'])
    }
    const before = readFileSync(join(data, 'world.jsonl'), 'utf8')
    const tried = await runInProcess(['replay', file, '--data', data, '--dry-run', '--advance', '1d', '--json'])
    expect(Object.keys(JSON.parse(tried.stdout) as Report)).toEqual([...Object.keys(report), 'changes'])
    expect(readFileSync(join(data, 'world.jsonl'), 'utf8')).toBe(before)
    expect((await runInProcess(['check', data])).code).toBe(0)
    // In another world the responses differ, so the exit code is not 0.
    const other = join(data, '../other')
    const made = await openSandbox({
      version: 'test',
      data: other,
      port: 0,
      world: 'empty',
      seed: 'x',
      clock: 'frozen',
    })
    const { uid } = made.programs()[0]!
    await made.call('programs.update', { uid, customer_types: ['secondary'] })
    await made.close()
    const into = await runInProcess(['replay', file, '--data', other, '--json'])
    expect(into).toMatchObject({ code: 1 })
    const { refused, exchanges } = JSON.parse(into.stdout) as Report
    expect(refused).toBe(2)
    const [difference] = exchanges[1]!.differences as object[]
    expect(Object.keys(difference!)).toEqual(['at', 'recorded', 'replayed'])
    const again = await openSandbox({ version: 'test', data: other, port: 0 })
    expect((await again.call('exchanges.list', {})) as unknown).toMatchObject({ value: { total_count: 4 } })
    await again.close()
  })
})

describe('a HAR file and curl lines', () => {
  it('are replayed into a fresh demo world; curl lines have no responses to differ from', async () => {
    const har = await runInProcess(['replay', join(FIXTURES, 'chrome.har'), '--json'])
    const report = JSON.parse(har.stdout) as Report
    expect(report.exchanges.length).toBeGreaterThan(0)
    expect(report.same + report.differs + report.refused).toBeGreaterThan(0)
    expect(har.code).toBe(report.differs + report.refused > 0 ? 1 : 0)
    const curl = await runInProcess(['replay', join(FIXTURES, 'posix.txt'), '--json'])
    const lines = JSON.parse(curl.stdout) as Report
    expect(lines).toMatchObject({ same: 0, differs: 0 })
    expect(lines.refused + lines.unrecorded).toBe(lines.exchanges.length)
    expect(curl.code).toBe(lines.refused > 0 ? 1 : 0)
    expect(lines.exchanges[0]).toMatchObject({ recorded: null, differences: [] })
  })

  it('are replayed into a running sandbox at its address, with and without its control key', async () => {
    const place = createTemporaryFolder()
    const file = join(place, 'lines.txt')
    const served = await serveInProcess(['--world', 'empty'], { SANDBANK_CONTROL_KEY: 'the-control-key-1' })
    writeFileSync(file, `curl -H 'authorization: x' -H 'x-trace-id: 1' ${served.api}/pools`)
    for (const control of [{}, { SANDBANK_CONTROL_KEY: 'the-control-key-1' }]) {
      const { code, stdout } = await runInProcess(
        ['replay', file, '--url', served.api.replace('/api/v1', ''), '--json'],
        control,
      )
      expect(code).toBe(0)
      expect((JSON.parse(stdout) as Report).exchanges[0]).toMatchObject({ path: '/pools', replayed: { status: 200 } })
    }
    writeFileSync(file, `curl -X POST -H 'authorization: x' -H 'x-trace-id: 1' ${served.api}/customers -d '{}'`)
    const customers = async () =>
      JSON.parse((await served.run('call', 'GET', 'customers', 'include_initiated=true')).stdout)
    const { total_count } = await customers()
    const tried = await runInProcess(['replay', file, '--url', served.api, '--dry-run'], served.env)
    expect(tried).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Nothing was changed. It would'),
    })
    expect(tried.stdout).toMatch(/\nRecords\n +customers .* initiated\n/)
    expect(await customers()).toMatchObject({ total_count })
    expect((await served.run('world', 'list')).stdout).toBe('No worlds besides the one of the sandbox itself\n')
    const sent = await runInProcess(['replay', file, '--url', served.api], served.env)
    const [, operation = ''] = /^undo: sandbank undo (\d+) --url \S+ \(with what came later\)\n$/.exec(sent.stderr)!
    expect(await customers()).toMatchObject({ total_count: total_count + 1 })
    expect((await served.run('undo', operation)).code).toBe(0)
    expect(await customers()).toMatchObject({ total_count })
    const wrong = await runInProcess(['replay', file, '--url', served.api], { SANDBANK_CONTROL_KEY: 'another' })
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('refuses the control key')
  })
})

it('files that cannot be read give one line on stderr and exit code 2, and nothing is created', async () => {
  const place = createTemporaryFolder()
  const text = (name: string, content: string) => {
    writeFileSync(join(place, name), content)
    return join(place, name)
  }
  const huge = join(place, 'huge.har')
  const handle = openSync(huge, 'w')
  ftruncateSync(handle, 200 << 20)
  closeSync(handle)
  const data = join(place, 'data')
  const cases: [args: string[], message: RegExp][] = [
    [['replay', huge], /has 200 MB, and at most 100 are read/],
    [['import', huge, '--data', data], /./],
    [['replay', text('half.har', '{"log":{"version":"1.2","entries":[{"request"')], /./],
    [['replay', text('half.sandbank', '{"sandbank":"bundle"}\n')], /^Line 1 of the bundle cannot be read/],
    [['import', text('it.har', '{"log":{}}'), '--data', data], /^This is no bundle/],
    [
      ['replay', text('curl.txt', 'curl http://127.0.0.1/api/v1/pools'), '--url', 'here'],
      /^--url: the URL of a sandbox/,
    ],
    [['replay', join(place, 'curl.txt'), '--url', 'http://127.0.0.1:9'], /^Nothing answers at http:\/\/127.0.0.1:9/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runInProcess(args)
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).toMatch(message)
    expectOneLine(stderr)
  }
  expect(existsSync(data)).toBe(false)
  expect(readdirSync(place).sort()).toEqual(['curl.txt', 'half.har', 'half.sandbank', 'huge.har', 'it.har'])
})

it('what is written under a temporary name is removed if the process ends before it is complete', () => {
  const folder = createTemporaryFolder()
  const before = process.listeners('exit')
  void writeAside(join(folder, 'a.sandbank'), async (temporary) => {
    writeFileSync(temporary, 'half')
    await new Promise(() => {})
  })
  expect(readdirSync(folder)).toHaveLength(1)
  const added = process.listeners('exit').filter((listener) => !before.includes(listener))
  for (const listener of added) (listener as () => void)()
  for (const listener of added) process.off('exit', listener as never)
  expect([added.length, readdirSync(folder)]).toEqual([1, []])
})
