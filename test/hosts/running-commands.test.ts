import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import program from '../../resources/program.json' with { type: 'json' }
import { identifyProcess } from '../../src/api/system/processes.ts'
import { runtimeFolder } from '../../src/main/runtime-files.ts'
import { runInProcess, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { importsOf } from '../support/imports.ts'

/** The commands that work with a running sandbox, which they find by its runtime file. */

const BUSINESS = 'LLFoFC1PiYy8EK7P'

const filesOf = (env: NodeJS.ProcessEnv) => {
  const folder = runtimeFolder(env)
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

describe('a runtime file', () => {
  it('has address, key and process of a running sandbox, is readable by its owner alone, and is removed at the end', async () => {
    const { line, env, end } = await serveInProcess()
    const [file, ...others] = filesOf(env)
    expect(others).toEqual([])
    expect(JSON.parse(readFileSync(file!, 'utf8'))).toEqual({
      api: line.api,
      gui: line.gui,
      control: line.control,
      control_key: line.control_key,
      data: null,
      version: expect.any(String),
      ...identifyProcess(process.pid),
      started_at: expect.any(String),
      nonce: expect.any(String),
    })
    if (process.platform !== 'win32') {
      expect(statSync(file!).mode & 0o777).toBe(0o600)
      expect(statSync(runtimeFolder(env)).mode & 0o777).toBe(0o700)
    }
    await end()
    expect(filesOf(env)).toEqual([])
  })

  it('is in the runtime folder of the system, or next to the default data folder', () => {
    expect(runtimeFolder({ XDG_RUNTIME_DIR: '/run/user/1' })).toBe(join('/run/user/1', 'sandbank'))
    const home = join('/home', 'a')
    expect(runtimeFolder({}, 'linux', home)).toBe(join(home, '.config', 'Sandbank', 'running'))
    expect(runtimeFolder({}, 'darwin', home)).toBe(join(home, 'Library', 'Application Support', 'Sandbank', 'running'))
    expect(runtimeFolder({ APPDATA: 'C:\\a' }, 'win32', home)).toBe(join('C:\\a', 'Sandbank', 'running'))
  })

  it('cannot be written: the sandbox runs all the same', async () => {
    const { line } = await serveInProcess([], { XDG_RUNTIME_DIR: join(import.meta.filename, 'no-folder') })
    expect((await fetch(line.api.replace('/api/v1', '/health'))).status).toBe(200)
  })

  it('of several sandboxes the newest is taken, which is said, and --url chooses', async () => {
    const first = await serveInProcess()
    const second = await serveInProcess([], { XDG_RUNTIME_DIR: first.env.XDG_RUNTIME_DIR! })
    const apiOf = async (...args: string[]) => {
      const { stdout, stderr } = await first.run('status', '-o', 'json', ...args)
      return { api: (JSON.parse(stdout) as { api: string }).api, stderr }
    }
    const newest = await apiOf()
    expect(newest.api).toBe(second.line.api)
    expect(newest.stderr).toContain('2 sandboxes are running; this is the newest')
    expect(await apiOf('--url', first.line.api)).toEqual({ api: first.line.api, stderr: '' })
    const refused = await first.run('stop')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('choose one with --url, or pass --all')
  })
})

describe('sandbank call', () => {
  it('signs the request and prints the response on stdout, its status on stderr', async () => {
    const { run } = await serveInProcess()
    const { code, stdout, stderr } = await run(
      'call',
      'GET',
      '/api/v1/customers',
      'limit=1',
      'external_uid=demo-business-1',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ limit: 1, data: [{ uid: BUSINESS }] })
    expect(stderr).toMatch(
      /^200 OK {2}GET \/customers\?limit=1&external_uid=demo-business-1 {2}\d+ ms {2}trace id [\w-]{36}\n$/,
    )
    expect((await run('call', 'get', 'customers')).code).toBe(0)
  })

  it('key=value makes a JSON body with the types that the interface declares', async () => {
    const { run } = await serveInProcess(['--world', 'empty'])
    const created = await run(
      'call',
      'POST',
      'customers',
      'email=a@x.test',
      'details.address.city=Ames',
      'is_business=false',
    )
    expect(created.code).toBe(0)
    const { uid } = JSON.parse(created.stdout) as { uid: string }
    const log = await run('control', 'exchanges.list', 'limit=1')
    const [{ uid: exchange }] = (JSON.parse(log.stdout) as { data: { uid: string }[] }).data as [{ uid: string }]
    const { request } = JSON.parse((await run('control', 'exchanges.get', `{"uid":"${exchange}"}`)).stdout) as {
      request: { body: string }
    }
    expect(JSON.parse(request.body)).toMatchObject({ email: 'a@x.test', details: { address: { city: 'Ames' } } })
    const file = join(createTemporaryFolder(), 'body.json')
    writeFileSync(file, '{"email":"b@x.test"}')
    expect((await run('call', 'PUT', `customers/${uid}`, '-d', `@${file}`)).code).toBe(0)
    expect((await run('call', 'POST', 'customers', '-d', '{"email":"c@x.test"}')).code).toBe(0)
  })

  it('--dry-run says what it would do and what would follow, and changes nothing; so do control and clock', async () => {
    const { run } = await serveInProcess()
    const describeWorld = async () => (await run('control', 'world.describe')).stdout
    const before = await describeWorld()
    const tried = await run('call', 'POST', '/customers', 'email=ada@example.test', '--dry-run', '--advance', '2bd')
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining('"ada@example.test"') })
    expect(tried.stderr).toMatch(/^201 {2}POST \/customers/)
    expect(tried.stderr).toMatch(
      /Nothing was changed\. It would do this:\n\nClock.*\n\nRecords\n +customers .*initiated/s,
    )
    const refused = await run('call', 'GET', '/customers/abcdefghijklmnop', '--dry-run')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('It would do this:\n\nNo balance') })
    const clock = await run('clock', 'advance', '2bd', '--dry-run', '--json')
    expect(JSON.parse(clock.stdout)).toMatchObject({ answers: [{ method: 'clock.advance', refused: null }] })
    const lock = [
      'moves.make',
      `{"collection":"customers","uid":"${BUSINESS}","move":"lock","inputs":{"lock_reason":"x"}}`,
    ]
    expect((await run('control', ...lock, '--dry-run')).stderr).toContain('lock_reason, locked_at changed')
    expect(await run('clock', 'advance', 'soon', '--dry-run')).toMatchObject({ code: 1 })
    expect(await run('call', 'GET', '/customers', '--dry-run', '--advance', '1zz')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--advance: "1zz" is no amount of time'),
    })
    expect(await run('call', 'GET', '/customers', '--advance', '1d')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--advance: --dry-run is expected, too'),
    })
    expect(await describeWorld()).toBe(before)
  })

  it('--dry-run --json has the shape of --json, and what would change', async () => {
    const { run } = await serveInProcess()
    for (const command of [
      ['call', 'POST', '/customers', 'email=ada@example.test'],
      ['call', 'POST', '/customers', 'customer_type=primry'],
    ]) {
      const shapes = [await run(...command, '--dry-run', '--json'), await run(...command, '--json')].map(
        ({ stdout }) => JSON.parse(stdout) as object,
      )
      expect(Object.keys(shapes[0]!)).toEqual([...Object.keys(shapes[1]!), 'changes'])
      expect(shapes[0]).toMatchObject({ trace_id: expect.any(String), operation: null, hints: [] })
    }
  })

  it('finds its request in the log, however many others came before its answer, and says what undo takes along', async () => {
    const { line, run, env } = await serveInProcess(['--clock', 'frozen'])
    const { origin } = new URL(line.api)
    const busy = createServer(async (req, res) => {
      const { method = '', url = '' } = req
      const headers = req.headers as Record<string, string>
      const body = await text(req)
      const answer = await fetch(origin + url, { method, headers, ...(body === '' ? {} : { body }) })
      const others = method === 'POST' && url === '/api/v1/customers' ? 25 : 0
      await Promise.all(Array.from({ length: others }, () => fetch(`${line.api}/pools`)))
      res.writeHead(answer.status).end(await answer.text())
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void busy.close())
    await once(busy, 'listening')
    const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`
    const at = { ...env, SANDBANK_CONTROL_KEY: line.control_key }
    const call = (field: string) => runInProcess(['call', 'POST', 'customers', field, '--url', url], at)
    const { stderr } = await call('email=a@x.test')
    expect(stderr).toMatch(/\nundo: sandbank undo \d+ --url \S+ \(with what came later\)\n$/)
    const { operation } = JSON.parse((await run('control', 'exchanges.get', 'uid=x2')).stdout) as { operation: number }
    expect(stderr).toContain(`sandbank undo ${operation} `)
    expect((await call('customer_type=primry')).stderr).toContain('Repair   Send "primary" as customer_type')
  })

  it('exits with 1 when it is refused, and says why and how to pass', async () => {
    const { run } = await serveInProcess()
    const { code, stdout, stderr } = await run('call', 'POST', 'transfers', 'usd_transfer_amount=12.345')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 400 })
    expect(stderr).toMatch(/^400 Bad Request {2}POST \/transfers/)
    expect(stderr).toMatch(/\nWhy {6}.+\nTo pass {2}.+\nRepair {3}Send "12\.35" as usd_transfer_amount; .+\n$/)
    const misspelled = await run('call', 'POST', 'customers', 'customer_type=primry')
    expect(misspelled.stderr).toMatch(/\nRepair {3}Send "primary" as customer_type\nor {7}Leave out customer_type\n$/)
    const tried = await run('call', 'POST', 'customers', 'customer_type=primry', '--dry-run')
    expect(tried.stderr).toContain('\nRepair   Send "primary" as customer_type\n')
  })

  it('says how to undo what it has changed, as control and the actions of commands do; what changes nothing does not', async () => {
    const { run } = await serveInProcess(['--clock', 'frozen'])
    const undoOf = async (...args: string[]) => /^undo: .*$/m.exec((await run(...args)).stderr)?.[0]
    for (const [args, what] of [
      ['call POST customers email=a@x.test', 'request POST /customers'],
      ['control clock.advance by=PT1H', 'advance of 1 hour'],
      ['clock advance 1h', 'advance of 1 hour'],
      ['webhooks create', 'action: created a webhook'],
      ['reach customers=under_review --apply', 'action: took the steps to a goal'],
    ] as const) {
      const line = await undoOf(...args.split(' '))
      expect(line).toMatch(/^undo: sandbank undo \d+ \(with what came later\)/)
      const [, operation = ''] = /undo (\d+)/.exec(line!)!
      expect((await run('undo', operation)).stdout).toContain(`Undone: ${what}, operation ${operation};`)
    }
    await run('world', 'create', 'a')
    expect(await undoOf('reach', 'customers=initiated', '--apply', '--in', 'a')).toMatch(/--world a \(with/)
    const unsaved = await run('reach', 'customers=rejected', '--apply', '--save', '/dev/null/steps.yaml')
    expect(unsaved).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--save: .* cannot be written/) })
    expect(await undoOf('call', 'POST', 'customers', '--world', 'a')).toMatch(/^undo: sandbank undo \d+ --world a \(/)
    for (const args of ['call GET customers', 'control clock.read', 'clock', 'snapshot keep x', 'undo --list'])
      expect(await undoOf(...args.split(' '))).toBeUndefined()
    expect(await undoOf('call', 'POST', 'customers', 'customer_type=x')).toBeUndefined()
  })

  it('works at an address without a runtime file, with the key in SANDBANK_CONTROL_KEY or as the demo Program', async () => {
    const { line } = await serveInProcess()
    const env = { XDG_RUNTIME_DIR: createTemporaryFolder(), SANDBANK_URL: line.api }
    expect((await runInProcess(['call', 'GET', 'customers'], env)).code).toBe(0)
    const refused = await runInProcess(['clock'], env)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The control key is missing: set SANDBANK_CONTROL_KEY/),
    })
    expect((await runInProcess(['clock'], { ...env, SANDBANK_CONTROL_KEY: line.control_key })).code).toBe(0)
    const gone = await runInProcess(['call', 'GET', 'customers', '--url', 'http://127.0.0.1:9'], env)
    expect(gone).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Nothing answers at http:\/\/127.0.0.1:9/) })
  })
})

describe('sandbank token, control, clock, logs, snapshot', () => {
  it('token prints an access token', async () => {
    const { run, line } = await serveInProcess()
    const { stdout } = await run('token', '--program', program.name)
    const response = await fetch(`${line.api}/customers`, {
      headers: { authorization: stdout.trim(), 'x-trace-id': 'token-test' },
    })
    expect(response.status).toBe(200)
    const unknown = await run('token', '--program', 'nope')
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no Program nope: one of ${program.uid}`),
    })
  })

  it('clock shows, freezes, advances by business days and to a time', async () => {
    const { run } = await serveInProcess(['--clock', 'frozen', '--start', '2026-11-20T15:00:00Z'])
    expect((await run('clock')).stdout).toMatch(/^2026-11-20T15:00:00\.000Z {2}frozen, pace fast; nothing scheduled\n$/)
    expect((await run('clock', 'advance', '1bd')).stdout).toMatch(/2026-11-20T15:00:00.000Z → 2026-11-23T/)
    expect((await run('clock', 'advance', '1', 'day')).stdout).toMatch(/→ 2026-11-24T/)
    expect((await run('clock', 'to', '2026-12-01')).stdout, 'at midnight in New York').toMatch(
      /→ 2026-12-01T05:00:00.000Z/,
    )
    expect((await run('clock', 'advance', 'soon')).stderr).toContain(
      '"soon" is no amount of time: expected is one such as',
    )
    const back = await run('clock', 'to', '2026-11-01')
    expect(back).toMatchObject({ code: 1, stderr: expect.stringMatching(/^clock\.advance is refused: /) })
    expect(JSON.parse((await run('clock', 'run', '--json')).stdout)).toMatchObject({ mode: 'running' })
    expect((await run('clock', 'freeze')).stdout).toContain('frozen')
  })

  it('logs prints the newest requests, oldest first', async () => {
    const { run } = await serveInProcess()
    await run('call', 'GET', 'customers', 'limit=1')
    const { stdout } = await run('logs', '-n', '2')
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
    expect(stdout).toMatch(
      new RegExp(`^${time} {2}POST {4}/auth {2}201 .*\n${time} {2}GET {5}/customers\\?limit=1 {2}200 .* ms\n$`),
    )
    const lines = (await run('logs', '--json')).stdout.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(['/auth', '/customers?limit=1'])
  })

  it('logs --real-time prints the real time of each request beside the simulated one, as --json does', async () => {
    const { run } = await serveInProcess(['--clock', 'frozen', '--start', '2031-11-20T15:00:00Z'])
    const before = Date.now()
    await run('call', 'GET', 'customers', 'limit=1')
    const line = /^2031-11-20 15:00:00 {2}(\S+) {2}GET {5}\/customers\?limit=1 {2}200 .* ms\n$/
    const [, time = ''] = line.exec((await run('logs', '-n', '1', '--real-time')).stdout) ?? []
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now())
    expect(JSON.parse((await run('logs', '-n', '1', '--json')).stdout)).toMatchObject({ received_at: time })
  })

  it('logs --follow prints those that come, until the sandbox ends', async () => {
    const { run, end, line } = await serveInProcess()
    const following = run('logs', '-f', '-n', '0')
    const ask = () => fetch(`${line.api}/pools`)
    for (let at = 0; at < 3; at++) await ask()
    await end()
    const { code, stdout, stderr } = await following
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'The sandbox has ended\n' })
    expect(stdout === '' || stdout.includes('GET     /pools  401')).toBe(true)
  })

  it('snapshot keeps, lists, compares, restores and deletes', async () => {
    const { run } = await serveInProcess()
    expect((await run('snapshot', 'list')).stdout).toBe('No snapshots\n')
    expect((await run('snapshot', 'keep', 'before')).stdout).toMatch(/^Saved before: commit \d+, /)
    await run('call', 'POST', 'customers', 'email=z@x.test')
    expect((await run('snapshot', 'list')).stdout).toMatch(/^before {2}\S+ {2}commit \d+\n$/)
    expect((await run('snapshot', 'compare', 'before')).stdout).toMatch(
      /^Clock .*\n\nCustomer z@x\.test is new, initiated\.\n\nRecords\n {2}customers .*only in the current world\n$/,
    )
    expect((await run('snapshot', 'restore', 'before')).stdout).toMatch(
      /^Restored before as commit \d+: 1 record changed, the clock is at \S+\n$/,
    )
    expect((await run('snapshot', 'delete', 'before')).stdout).toBe('Deleted before\n')
    expect((await run('snapshot', 'restore', 'before')).code).toBe(1)
  })

  it('undo and redo go back and forth by operations, and list them', async () => {
    const { run } = await serveInProcess(['--clock', 'frozen', '--start', '2026-11-20T15:00:00Z'])
    await run('call', 'POST', 'customers', 'email=z@x.test')
    await run('clock', 'advance', '4d')
    expect((await run('undo', '--list')).stdout).toMatch(/^\d+ +\S+ +advance of 2 business days +2 tasks\n/)
    expect((await run('undo')).stdout).toMatch(
      /^Undone: advance of 2 business days, operation \d+; the clock is at .*\. To redo: sandbank redo\n$/,
    )
    expect((await run('clock')).stdout).toMatch(/^2026-11-20T15:00/)
    expect((await run('redo')).stdout).toMatch(/^Redone: advance of 2 business days, .* To undo: sandbank undo\n$/)
    const refused = await run('redo')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('there is nothing to redo')])
    expect((await run('undo', 'x')).code).toBe(2)
  })

  it('world creates, lists, compares, saves and drops, and --world NAME calls in one', async () => {
    const { run, line } = await serveInProcess()
    expect((await run('world', 'list')).stdout).toBe('No worlds besides the one of the sandbox itself\n')
    const origin = new URL(line.api).origin
    const created = await run('world', 'create', 'a', '--from', 'empty', '--start', '2026-11-24')
    expect(created.stdout).toBe(
      `a\n\n  API      ${origin}/worlds/a/api/v1\n  Window   ${origin}/worlds/a/${new URL(line.gui).hash}\n`,
    )
    await run('world', 'create', 'b', '--from', 'world:a')
    const list =
      /^a {2}empty {4}2026-11-24T\S+ {2}commit \d+ {2}\S+\nb {2}world:a {2}2026-11-24T\S+ {2}commit \d+ {2}\S+\n$/
    expect((await run('world', 'list')).stdout).toMatch(list)
    const { uid } = JSON.parse((await run('call', 'POST', 'customers', 'email=a@x.test', '--world', 'b')).stdout)
    expect((await run('world', 'compare', 'a', 'b')).stdout).toMatch(
      /^Customer a@x\.test is only in b, initiated\.\n\nRecords\n {2}customers .*only in b\n$/,
    )
    const at = `${origin}/worlds/b`
    expect((await run('call', 'GET', `customers/${uid}`, '--url', at)).code).toBe(0)
    const folder = join(createTemporaryFolder(), 'kept')
    expect((await run('world', 'keep', 'b', folder)).stdout).toBe(`Saved b: sandbank serve --data ${folder}\n`)
    expect((await runInProcess(['check', folder])).code).toBe(0)
    expect((await run('world', 'drop', 'a')).stdout).toBe('Dropped a\n')
    expect((await run('world', 'drop', 'a')).code).toBe(1)
    expect((await run('clock', '--world', 'none')).code).toBe(1)
  })

  it('control takes JSON, a file or fields, and prints the answer', async () => {
    const { run } = await serveInProcess()
    const keys = async (...args: string[]) => Object.keys(JSON.parse((await run('control', ...args)).stdout) as object)
    expect(await keys('clock.read')).toContain('now')
    expect(await keys('records.list', '{"collection":"customers"}')).toContain('total_count')
    expect(await keys('records.list', 'collection=customers', 'limit=1')).toContain('total_count')
    const refused = await run('control', 'fly.now')
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^fly\.now is refused: .*no control method/),
    })
  })
})

it('the commands for a running sandbox load nothing of the sandbox itself, so that they start fast', () => {
  const chunks = join(import.meta.dirname, '../../out/main/chunks')
  const load = (file: string, loaded = new Set<string>()): Set<string> => {
    if (loaded.has(file)) return loaded
    loaded.add(file)
    for (const name of importsOf(readFileSync(join(chunks, file), 'utf8')))
      if (name.startsWith('./')) load(name.slice(2), loaded)
    return loaded
  }
  for (const command of [
    ...['call', 'clock', 'logs', 'status', 'worlds', 'webhooks', 'listen', 'doctor', 'completion', 'detach'],
  ]) {
    const files = readdirSync(chunks).filter((name) => name.startsWith(`${command}-`))
    expect(files.length, command).toBeGreaterThan(0)
    const sizes = files.map((file) => [...load(file)].reduce((sum, one) => sum + statSync(join(chunks, one)).size, 0))
    // The smallest, as another chunk may begin with the same word.
    expect(Math.min(...sizes), command).toBeLessThan(110_000)
  }
})

describe('sandbank status, wait', () => {
  it('-o env prints lines that sh evaluates, whatever the characters', async () => {
    const { run, line } = await serveInProcess([], { SANDBANK_CONTROL_KEY: `it's a "key" $HOME \\ \`x\`` })
    const { stdout } = await run('status', '-o', 'env')
    const { execFileSync } = await import('node:child_process')
    if (process.platform !== 'win32')
      for (const shell of ['sh', 'bash'])
        expect(String(execFileSync(shell, ['-c', `${stdout}\nprintf %s "$SANDBANK_CONTROL_KEY|$SANDBANK_URL"`]))).toBe(
          `${line.control_key}|${new URL(line.api).origin}`,
        )
  })

  it('-o json has the fields of serve --json, and the clock', async () => {
    const { run, line } = await serveInProcess()
    const { stdout } = await run('status', '--output', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ ...line, clock: { mode: 'running' } })
    expect((await run('status')).stdout).toContain(`API      ${line.api}`)
  })

  it('wait prints the address of a sandbox that answers, and fails after its time', async () => {
    const { run, line } = await serveInProcess()
    expect(await run('wait')).toEqual({ code: 0, stdout: `${line.api}\n`, stderr: '' })
    expect((await run('wait', '--url', line.api)).stdout).toBe(`${line.api}\n`)
    const late = await run('wait', '--url', 'http://127.0.0.1:9', '--timeout', '0.01s')
    expect(late).toEqual({ code: 3, stdout: '', stderr: 'Nothing answers at http://127.0.0.1:9 within 0.01s\n' })
  })

  it.runIf(process.platform === 'linux')(
    'open passes the browser an address without the key, also of a world',
    async () => {
      const { run, line } = await serveInProcess()
      expect((await run('open', '--print')).stdout).toBe(`${line.gui}\n`)
      const folder = createTemporaryFolder()
      const seen = join(folder, 'seen')
      writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> "${seen}"\n`, { mode: 0o700 })
      const path = process.env.PATH
      process.env.PATH = `${folder}:${path}`
      onTestFinished(() => void (process.env.PATH = path))
      await run('world', 'create', 'one')
      const { origin } = new URL(line.api)
      expect((await run('open')).stdout).toBe(`Opened ${origin}/\n`)
      expect((await run('open', '--world', 'one')).stdout).toBe(`Opened ${origin}/worlds/one/\n`)
      const addresses = () => (existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : [])
      await expect.poll(() => addresses().length).toBe(2)
      const pages = await Promise.all(addresses().map(async (address) => (await fetch(address)).text()))
      for (const prefix of ['/', '/worlds/one/'])
        expect(pages.filter((text) => text.includes(`url=${prefix}#key=${line.control_key}"`))).toHaveLength(1)
      expect(addresses().join()).not.toContain(line.control_key)
    },
  )
})
