import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type Sandbox } from '../src/api/sandbox.ts'
import { writeRuntimeFile } from '../src/main/runtime-files.ts'
import { isLong } from './support/campaign.ts'
import { type Block, blocksOf, isRunnable, pages, ROOT } from './support/docs.ts'

/** The command blocks of the documentation run. */

/** The output that the blocks of a page must print. */
const prints: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"status":"(pending|settled)"/, /"us_dollar_amount":"12.34"/],
  'docs/assumptions.md': [/"hard_mode": ?"7"/, /"hard_mode": ?null/],
  'docs/command-line.md': [/Commits {2}\d+/, /2026|tasks? ran/, /Saved before/, /No record differs/, /"balanced":true/],
  'docs/connect.md': [/received: wire 250.00 (pending|settled)/, /onboarded: active with 1 accounts/],
  'docs/control.md': [/"balanced":true/, /tasks ran/, /"type":"commit"/],
  'docs/headless.md': [/"status":"ok"/, /2 scenarios passed/],
  'docs/replay.md': [/the books balance/, /2 same, 0 differ, 0 refused/],
  'docs/scenarios.md': [/2 scenarios passed/],
  'docs/webhooks.md': [
    /received: \/hooks\/test/,
    /"status":"active"/,
    /received: \/hooks\/transactions/,
    /"status":"delivered"/,
    /Z {2}transactions\.status_change {2}\w{16} {2}\w{16} {2}204 {2}\d+ ms/,
    /transactions\.created.*\n {2}delivered .* 1 attempt: 204/,
    / {2}active {2}http:\/\/127\.0\.0\.1:\d+\/hooks {2}all events\n/,
  ],
  'docs/worlds.md': [/"dropped":true/, /"(?:sentences|balances|records|others)":[1-9]/, /the books balance/],
}

/** `curl` exits with 0 when a control method is refused, so the exit code is not enough. */
const refusalsIn = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('{"errors":'))

const isInstalled = (shell: string) => process.platform !== 'win32' && spawnSync(shell, ['-c', 'true']).status === 0
const shells = (['bash', 'dash', 'zsh'] as const).map((shell) => ({ shell, installed: isInstalled(shell) }))
const installed = shells.filter((one) => one.installed)
const runnable = pages.filter((page) => blocksOf(page).some(isRunnable))
/** The long form runs every page in every shell, the short form each page in one of them. */
const pagesFor = (shell: string) =>
  runnable.filter((_, i) => isLong || installed[i % installed.length]?.shell === shell)

describe('a terminal', () => {
  const sandboxes: Sandbox[] = []
  const children: ChildProcess[] = []
  const folders: string[] = []
  const sessions = new Map<string, Promise<Session>>()

  beforeAll(() => {
    // A few at a time: their sandboxes share this process, which must answer each command within seconds.
    const lanes: Promise<unknown>[] = Array.from({ length: 4 }, () => Promise.resolve())
    const all = installed.flatMap(({ shell }) => pagesFor(shell).map((page) => ({ shell, page })))
    for (const [index, { shell, page }] of all.entries()) {
      const session = lanes[index % lanes.length]!.then(() => paste(page, shell))
      sessions.set(`${shell} ${page}`, session)
      lanes[index % lanes.length] = session.catch(() => {})
    }
  })

  afterAll(async () => {
    for (const { pid } of children) killGroup(pid!)
    await Promise.allSettled(sessions.values())
    for (const sandbox of sandboxes) await sandbox.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  describe.each(shells)('with $shell', ({ shell, installed }) => {
    if (!installed) {
      console.info(`The command blocks are not tested with ${shell}: it is not installed.`)
      return it.skip(`is not tested: ${shell} is not installed`, () => {})
    }
    it.each(pagesFor(shell))('runs the command blocks of %s', async (page) => {
      const { code, stdout, stderr } = await sessions.get(`${shell} ${page}`)!
      expect(code, `${stderr}\nThe last lines:\n${stdout.split('\n').slice(-5).join('\n')}`).toBe(0)
      expect(refusalsIn(stdout)).toEqual([])
      for (const line of prints[page] ?? []) expect(line.test(stdout), `it prints ${line}`).toBe(true)
    })
  })

  /** A page in one shell does not see what it did in another. */
  async function openOwn(): Promise<Sandbox> {
    const sandbox = await openSandbox({ version: '0.0.0-test', data: null, port: 0, report: () => {} })
    sandboxes.push(sandbox)
    return sandbox
  }

  /** Runs all blocks of a page in one session, as a reader pastes them, in a folder that looks like a built clone. */
  async function paste(page: string, shell: string): Promise<Session> {
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-docs-'))
    folders.push(folder)
    mkdirSync(join(folder, 'out'))
    for (const name of ['out/main', 'out/renderer', 'resources']) symlinkSync(join(ROOT, name), join(folder, name))
    // For the blocks of a project that has the package.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(ROOT, join(folder, 'node_modules/sandbank'))
    const session = blocksOf(page).filter(isRunnable)
    const isServed = session.some(({ comment }) => comment !== undefined)
    const sandbox = isServed ? await openOwn() : undefined
    // As sandbank serve does for the commands.
    if (sandbox) writeRuntimeFile({ ...sandbox, version: '0.0.0-test' }, { XDG_RUNTIME_DIR: folder })
    const port = sandbox ? Number(new URL(sandbox.api).port) : await freePort()
    const script = join(folder, 'session.sh')
    writeFileSync(script, adaptScript(['set -e', ...session.map(asShell)].join('\n'), port, await freePort()))
    const options = shell === 'zsh' ? ['-f'] : []
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: folder }
    const child = spawn(shell, [...options, script], { cwd: folder, env, detached: true, stdio: 'pipe' })
    children.push(child)
    return ended(child)
  }
})

interface Session {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const asShell = ({ language, text }: Block) =>
  language === 'js' ? `node --input-type=module <<'END_OF_JS'\n${text}END_OF_JS` : text

/** Replaces the ports and the path of the built command; everything else runs as it is. */
const adaptScript = (script: string, port: number, other: number) =>
  script
    .replaceAll('4010', String(port))
    .replaceAll('4011', String(other))
    .replaceAll('npx sandbank', 'node out/main/cli.js')
    .replaceAll(/cli\.js serve(?!.*--port)/g, `cli.js serve --port ${port}`)

/** Ends a block that waits for a server that could not start. */
const TIMEOUT_MS = 120_000

function ended(child: ChildProcess): Promise<Session> {
  let [stdout, stderr] = ['', '']
  child.stdout!.on('data', (chunk) => (stdout += chunk))
  child.stderr!.on('data', (chunk) => (stderr += chunk))
  const timer = setTimeout(() => killGroup(child.pid!), TIMEOUT_MS)
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr })
    }),
  )
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All its processes have ended.
  }
}

/** Below the ports that the system gives to connections, so that no session gets one of another. */
let nextPort = 20_000 + (process.pid % 1_000) * 10
async function freePort(): Promise<number> {
  const port = nextPort++
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}
