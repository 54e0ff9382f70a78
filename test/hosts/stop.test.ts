import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { identifyProcess, isRunning, parsePs, readProcess } from '../../src/api/system/processes.ts'
import { type RuntimeFile, runtimeFolder } from '../../src/main/runtime-files.ts'
import { CLI, runInProcess, type ServeOutput, serve, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder, isLocked } from '../support/folder.ts'
import { occupyPort } from '../support/ports.ts'
import { waitFor } from '../support/wait.ts'

/** Commands find, and stop, the sandbox of a runtime file and nothing else: neither another process with its pid, nor what answers at its address. */

const isLinux = process.platform === 'linux'
const isWindows = process.platform === 'win32'

const createEnv = () => ({ XDG_RUNTIME_DIR: createTemporaryFolder() })
const isAlive = (pid: number) => isRunning(identifyProcess(pid))

/** A program that is no sandbox. */
function startVictim(): ChildProcess & { pid: number } {
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void victim.kill('SIGKILL'))
  return victim as ChildProcess & { pid: number }
}

const fileOf = (origin: string, details: Partial<RuntimeFile> = {}): RuntimeFile => ({
  api: `${origin}/api/v1`,
  gui: `${origin}/#key=k`,
  control: `${origin}/control`,
  control_key: 'k',
  data: null,
  version: '0',
  nonce: 'nonce',
  started_at: '2999-01-01T00:00:00Z',
  ...identifyProcess(process.ppid),
  process_start: null,
  ...details,
})

function plant(env: NodeJS.ProcessEnv, content: unknown, name = 'planted.json'): string {
  mkdirSync(runtimeFolder(env), { recursive: true, mode: 0o700 })
  const path = join(runtimeFolder(env), name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const readFiles = (env: NodeJS.ProcessEnv) =>
  readdirSync(runtimeFolder(env)).map((name) => JSON.parse(readFileSync(join(runtimeFolder(env), name), 'utf8')))

const originOf = ({ api }: ServeOutput) => new URL(api).origin

type Served = Awaited<ReturnType<typeof serve>>

describe('sandbank stop', () => {
  it.each([
    ['another program that answers everything', (_req, res) => res.end('{}')],
    ['a sandbox with another nonce', (_req, res) => res.end(JSON.stringify({ pid: 1, nonce: 'another' }))],
  ] satisfies [string, RequestListener][])(
    'ends no program that got the pid, while the address belongs to %s',
    async (_name, answer) => {
      const env = createEnv()
      const victim = startVictim()
      plant(env, { ...fileOf((await occupyPort(answer)).origin), pid: victim.pid, hostname: identifyProcess(1).host })
      const { code, stdout, stderr } = await runInProcess(['stop'], env)
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toMatch(/^No sandbox is running/)
      expect(isAlive(victim.pid)).toBe(true)
    },
  )

  it.runIf(isLinux)(
    'ends no program that got the pid, also if the sandbox of another process answers at the address',
    async () => {
      const env = createEnv()
      const victim = startVictim()
      const { line } = await serveInProcess()
      const content = fileOf(originOf(line), { control_key: line.control_key, pid: victim.pid, process_start: '1' })
      const path = plant(env, content)
      expect(await runInProcess(['stop', '--all'], env)).toMatchObject({ code: 3, stdout: '' })
      expect(isAlive(victim.pid)).toBe(true)
      expect((await fetch(`${originOf(line)}/health`)).status).toBe(200)
      expect(existsSync(path), 'its process has ended').toBe(false)
    },
  )

  it('stops a sandbox of a container through its address, and no process of this machine with its pid', async () => {
    const env = createEnv()
    const victim = startVictim()
    const { line, ended } = await serve(['--ephemeral'], env)
    const [file] = readFiles(env) as RuntimeFile[]
    const other = { host: 'container', boot_id: null, pid_namespace: 'pid:[1]', pid: victim.pid, process_start: '1' }
    const elsewhere = createEnv()
    plant(elsewhere, { ...file, ...other, hostname: 'container' })
    expect(await runInProcess(['stop'], elsewhere)).toMatchObject({ code: 0, stdout: `Stopped ${originOf(line)}\n` })
    expect(await ended).toMatchObject({ code: 0 })
    expect(isAlive(victim.pid)).toBe(true)
  })

  it('leaves the file of a container alone whose address is another one here, and says where it runs', async () => {
    const env = createEnv()
    const file = fileOf('http://127.0.0.1:9', { host: 'container', boot_id: null, pid_namespace: 'pid:[1]' })
    const path = plant(env, file)
    expect(await runInProcess(['stop'], env)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^No sandbox is/),
    })
    const named = await runInProcess(['stop', '--url', 'http://127.0.0.1:9'], env)
    expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('runs on container') })
    expect(existsSync(path)).toBe(true)
    plant(env, { ...file, started_at: '2020-01-01T00:00:00Z' })
    await serveInProcess([], env)
    expect(existsSync(path), 'after 30 days the next start removes it').toBe(false)
  })

  const canUnshare = isLinux && spawnSync('unshare', ['-rpfm', '--mount-proc', 'true']).status === 0
  it.runIf(canUnshare)('stops a sandbox with pid 1 in another pid namespace', async () => {
    const env = createEnv()
    const options = ['-rpf', '--kill-child', '--mount-proc']
    const args = [...options, process.execPath, CLI, 'serve', '--port', '0', '--json', '--ephemeral']
    const child = spawn('unshare', args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    expect(readFiles(env)).toMatchObject([{ pid: 1 }])
    expect(await runInProcess(['stop'], env)).toMatchObject({ code: 0, stdout: expect.stringContaining('Stopped') })
    expect(await ended).toBe(0)
  })

  it('--all asks all of them, which end cleanly, and --url one that has no runtime file here, by its key', async () => {
    const env = createEnv()
    const data = join(createTemporaryFolder(), 'data')
    const served = [serve(['--ephemeral'], env), serve(['--data', data], env), serve(['--ephemeral'], createEnv())]
    const [a, b, c] = (await Promise.all(served)) as [Served, Served, Served]
    const { code, stdout } = await runInProcess(['stop', '--all'], env)
    expect({ code, lines: stdout.trim().split('\n').toSorted() }).toEqual({
      code: 0,
      lines: [a, b].map(({ line }) => `Stopped ${originOf(line)}`).toSorted(),
    })
    for (const { ended } of [a, b]) expect(await ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(readdirSync(runtimeFolder(env))).toEqual([])
    expect(isLocked(data)).toBe(false)
    const url = originOf(c.line)
    expect(await runInProcess(['stop', '--url', url], env)).toMatchObject({
      code: 1,
      stderr: `No sandbox of this user runs at ${url}: to stop another one, pass its key in SANDBANK_CONTROL_KEY\n`,
    })
    const withKey = { ...env, SANDBANK_CONTROL_KEY: c.line.control_key }
    expect(await runInProcess(['stop', '--url', `${url}/worlds/a`], withKey)).toMatchObject({
      code: 0,
      stdout: `Stopped ${url}\n`,
    })
    expect(await c.ended).toMatchObject({ code: 0 })
  })

  it.runIf(isLinux)('waits until the process has ended, at most for --timeout, and sends it no signal', async () => {
    const env = createEnv()
    const victim = startVictim()
    const called: string[] = []
    const { origin } = await occupyPort((req, res) => {
      called.push(req.url!)
      res.end(JSON.stringify({ nonce: 'nonce', stopping: true }))
    })
    plant(env, { ...fileOf(origin), ...identifyProcess(victim.pid) })
    const { code, stdout, stderr } = await runInProcess(['stop', '--timeout', '0.3s'], env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `Process ${victim.pid} at ${origin} has not ended within 0.3s: it is closing; wait, or end it\n`,
    )
    expect(called).toEqual(['/control/sandbox.identify', '/control/sandbox.stop'])
    expect(isAlive(victim.pid)).toBe(true)
  })
})

describe.runIf(!isWindows)('a stopped sandbox', () => {
  it('does not count as none: each command says at once that it does not answer, with its pid and address', async () => {
    const env = createEnv()
    const { line, child } = await serve(['--ephemeral'], env)
    child.kill('SIGSTOP')
    await waitFor(() => expect(readProcess(line.pid)?.state).toMatch(/^[Tt]/))
    const says = `The sandbox at ${originOf(line)}, process ${line.pid}, does not answer: it is stopped; kill -CONT ${line.pid} lets it go on`
    for (const command of [['status'], ['logs'], ['stop'], ['stop', '--all'], ['status', '--url', line.api]]) {
      const began = performance.now()
      // To stop it has failed; the others had none to ask.
      const code = command[0] === 'stop' ? 1 : 3
      expect(await runInProcess(command, env), command.join(' ')).toEqual({ code, stdout: '', stderr: `${says}\n` })
      expect(performance.now() - began).toBeLessThan(2_000)
    }
    expect(await runInProcess(['wait', '--timeout', '0.01s'], env)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(says),
    })
    expect((await runInProcess(['doctor'], env)).stdout).toContain(`FAIL  ${says}`)
    const second = await serveInProcess([], env)
    expect(await runInProcess(['status', '-o', 'json'], env)).toMatchObject({
      code: 0,
      stderr: `${says}\n`,
      stdout: expect.stringContaining(second.line.api),
    })
    child.kill('SIGCONT')
    await second.end()
    expect(await runInProcess(['stop'], env)).toMatchObject({ code: 0 })
  })
})

describe('the folder of runtime files', () => {
  it.runIf(!isWindows)('may have anything: what is no file of a sandbox is skipped with a word', async () => {
    const env = createEnv()
    const { line } = await serveInProcess([], env)
    const [file] = readFiles(env) as RuntimeFile[]
    const folder = runtimeFolder(env)
    const other = join(createTemporaryFolder(), 'other.json')
    writeFileSync(other, JSON.stringify(file))
    for (const [at, target] of ['/dev/zero', '/dev/tty', '/dev/urandom', 'link-3.json', other].entries())
      symlinkSync(target, join(folder, `link-${at}.json`))
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    mkdirSync(join(folder, 'folder.json'))
    const socket = createSocket().listen(join(folder, 'socket.json'))
    onTestFinished(() => void socket.close())
    plant(env, ' '.repeat(1 << 20), 'large.json')
    const broken = ['', '{', 'null', '[]', '1', '"x"', '{}', '\0']
    const wrong = [
      ...[{ pid: 1.5 }, { pid: '1' }, { pid: -1 }, { pid: 0 }, { pid: 2 ** 60 }, { pid: null }, { host: null }],
      ...[{ control: 1 }, { control: 'file:///etc/passwd' }, { api: 'here' }, { gui: {} }, { started_at: 'soon' }],
      ...[{ control_key: '' }, { nonce: undefined }, { data: [] }, { boot_id: 1 }],
    ].map((change) => ({ ...file, ...change }))
    for (const [at, content] of [...broken, ...wrong].entries()) plant(env, content, `broken-${at}.json`)
    for (const command of ['status', 'wait', 'clock', 'logs']) {
      const began = performance.now()
      const { code, stdout, stderr } = await runInProcess(
        [command, ...(command === 'status' ? ['-o', 'json'] : [])],
        env,
      )
      expect(performance.now() - began).toBeLessThan(5_000)
      expect(code, stderr).toBe(0)
      if (command === 'status') expect(JSON.parse(stdout)).toMatchObject({ api: line.api, pid: line.pid })
      expect(stderr).not.toContain('Internal error')
      const lines = stderr.trim().split('\n')
      expect(
        lines.filter((text) => !/^\S+\.json was skipped: the file of a running sandbox is expected, found /.test(text)),
      ).toEqual([])
      expect(lines).toHaveLength(9 + broken.length + wrong.length)
      for (const found of ['a link', 'a pipe', 'a folder', 'a socket', '1048576 bytes', 'another content'])
        expect(
          lines.some((text) => text.endsWith(`found ${found}`)),
          found,
        ).toBe(true)
    }
  })

  it.each([
    ['answers a byte now and then', (res) => void setInterval(() => res.write(' '), 50).unref()],
    [
      'never ends to answer',
      (res) => {
        const write = () => {
          while (res.write('x'.repeat(1 << 16)));
          res.once('drain', write)
        }
        write()
      },
    ],
    ['never answers', () => {}],
  ] satisfies [string, (res: Parameters<RequestListener>[1]) => void][])(
    'may name an address that %s: no command waits for it for long',
    async (_name, answer) => {
      const env = createEnv()
      const path = plant(env, fileOf((await occupyPort((_req, res) => answer(res))).origin))
      const began = performance.now()
      const { code, stderr } = await runInProcess(['status'], env)
      expect(code).toBe(3)
      expect(stderr).toMatch(
        /^(No sandbox is running|The sandbox at .*, process \d+, does not answer: wait, or end that process)/,
      )
      expect(performance.now() - began).toBeLessThan(9_000)
      expect(existsSync(path)).toBe(true)
    },
  )

  it('loses a stale file when a command notices it: nothing listens, or another program answers', async () => {
    const env = createEnv()
    const { line } = await serveInProcess([], env)
    const { origin: other } = await occupyPort((_req, res) => res.writeHead(401).end())
    const stale = ['http://127.0.0.1:9', other].map((origin, at) => plant(env, fileOf(origin), `${at}.json`))
    const { stdout, ...result } = await runInProcess(['status', '-o', 'json'], env)
    expect({ ...result, api: (JSON.parse(stdout) as { api: string }).api }).toEqual({
      code: 0,
      stderr: '',
      api: line.api,
    })
    expect(stale.filter((file) => existsSync(file))).toEqual([])
  })

  it('has nothing left of killed sandboxes after the next start', async () => {
    const env = createEnv()
    const killed = await serve(['--ephemeral'], env)
    killed.child.kill('SIGKILL')
    await killed.ended
    const unfinished = plant(env, '{', '1-1-a.json.new')
    utimesSync(unfinished, new Date(0), new Date(0))
    plant(env, '{', '2-2-b.json.new')
    const { line } = await serveInProcess([], env)
    const left = readdirSync(runtimeFolder(env)).map((name) => (name.startsWith(`${line.pid}-`) ? 'its own' : name))
    expect(left.toSorted()).toEqual(['2-2-b.json.new', 'its own'])
  })
})

it('the columns of ps, where there is no /proc, identify a process as well', () => {
  expect(parsePs('  4531   4533 Ss   Thu Nov 26 22:46:50 2026')).toEqual({
    parent: 4531,
    group: 4533,
    state: 'Ss',
    start: 'Thu Nov 26 22:46:50 2026',
  })
  expect(parsePs('')).toBeUndefined()
  if (!isLinux) return
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,pgid=,state=,lstart=', '-p', String(process.pid)], {
    encoding: 'utf8',
  })
  expect(parsePs(stdout)).toMatchObject({ parent: process.ppid, state: expect.stringMatching(/^[SR]/) })
})
