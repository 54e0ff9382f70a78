import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { methodNames, methods } from '../src/api/contract/control.ts'
import { openSandbox, type Sandbox } from '../src/api/sandbox.ts'
import { SERVE_HELP } from '../src/main/options.ts'

/**
 * The documentation is correct: links and names lead somewhere, and the command blocks run. A block that cannot run here
 * has the comment `<!-- not tested: reason -->` above it.
 */

const ROOT = join(import.meta.dirname, '..')
const inFolder = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

const docs = inFolder('docs').filter((path) => path.endsWith('.md'))
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'src/README.md', ...docs]
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')

const FENCE = /^```.*\n[\s\S]*?^```$/gm
const proseOf = (page: string) => textOf(page).replaceAll(FENCE, '')

interface Block {
  readonly language: string
  readonly text: string
  /** The comment in front of it. */
  readonly comment: string | undefined
}

const BLOCK = /(?:^<!-- (?<comment>.*) -->\n)?^```(?<language>sh|js)\n(?<text>[\s\S]*?)^```$/gm
const blocksOf = (page: string): Block[] => [...textOf(page).matchAll(BLOCK)].map(({ groups }) => groups as never)

const NOT_TESTED = /^not tested: /
const isRunnable = ({ comment = '' }: Block) => !NOT_TESTED.test(comment)

/** The relative links of a page: the file that each leads to, and the anchor in it. */
const linksOf = (page: string) =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split('#')
      const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path!)).replaceAll('\\', '/')
      return { target, file, anchor }
    })

function reachableFrom(page: string, seen = new Set<string>()): Set<string> {
  if (seen.has(page)) return seen
  seen.add(page)
  for (const { file } of linksOf(page)) if (pages.includes(file)) reachableFrom(file, seen)
  return seen
}

describe('README.md', () => {
  it('has at most 120 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('leads to every page of the documentation', () => {
    const reachable = reachableFrom('README.md')
    expect(pages.filter((page) => !reachable.has(page))).toEqual([])
  })
})

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string) => [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))

const FILE_ENDINGS = new Set(['ts', 'mjs', 'jsonl', 'yaml', 'md'])

describe.each(pages)('%s', (page) => {
  it('has links that lead to existing files and headings', () => {
    const broken = linksOf(page).filter(
      ({ file, anchor }) =>
        !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
    )
    expect(broken).toEqual([])
  })

  it('names existing npm scripts and control methods', () => {
    const text = textOf(page)
    const scripts = [...text.matchAll(/npm run ([a-z]+(?::[a-z]+)*)/g)].map(([, name]) => name!)
    expect(scripts.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([])
    const groups = new Set(methodNames.map((name) => name.split('.')[0]))
    const named = [...proseOf(page).matchAll(/`([a-z]+)\.([a-z_]+)`/g)]
      .filter(([, group, name]) => groups.has(group!) && !FILE_ENDINGS.has(name!))
      .map(([, group, name]) => `${group}.${name}`)
    expect(named.filter((name) => !Object.hasOwn(methods, name))).toEqual([])
  })
})

const sources = ['src', 'test', 'scripts', 'bench', 'resources', 'docs', '.github'].flatMap(inFolder)
const isPath = (name: string) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(name)
const isKnown = (name: string) =>
  existsSync(join(ROOT, name)) ||
  sources.some((path) => (name.endsWith('/') ? `/${path}`.includes(`/${name}`) : `/${path}`.endsWith(`/${name}`)))

it.each(pages.filter((page) => page !== 'docs/glossary.md'))('%s names existing files', (page) => {
  const names = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!).filter(isPath)
  const files = names.filter((name) => /\.tsx?$/.test(name) || /^(src|test|scripts|bench|resources|docs)\//.test(name))
  expect(files.filter((name) => !isKnown(name))).toEqual([])
})

describe('docs/headless.md', () => {
  it('lists every option of serve and every environment variable', () => {
    const page = textOf('docs/headless.md')
    for (const [option] of SERVE_HELP.matchAll(/--[a-z-]+/g)) expect(page).toContain(`| \`${option}\` |`)
    for (const [variable] of SERVE_HELP.matchAll(/SANDBANK_[A-Z_]+/g)) expect(page).toContain(`| \`${variable}\` |`)
  })
})

describe('command blocks', () => {
  const blocks = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })))

  it('can be pasted into an interactive shell: no comments for zsh, no history expansion', () => {
    for (const { page, language, text } of blocks) {
      if (language !== 'sh') continue
      expect(text, page).not.toMatch(/(^|\s)#/m)
      expect(text, page).not.toMatch(/![^\s=]/)
    }
  })

  it('say why they are not run', () => {
    const skipped = blocks.filter((block) => !isRunnable(block))
    for (const { page, comment } of skipped) console.info(`${page}: ${comment}`)
    for (const { comment } of blocks)
      if (comment !== undefined) expect(comment).toMatch(/^(not tested: .{10,}|tested with a running sandbox)$/)
  })
})

/** What the blocks of a page must print. */
const prints: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/status: 'queued'/, /4 seconds later: settled/],
  'docs/connect.md': [/received: wire 250.00 (pending|settled)/, /onboarded: active with 1 accounts/],
  'docs/control.md': [/"balanced":true/, /tasks ran/, /"type":"commit"/],
  'docs/headless.md': [/"status":"ok"/, /2 scenarios passed/],
  'docs/replay.md': [/the books balance/, /2 same, 0 differ, 0 refused/],
  'docs/scenarios.md': [/2 scenarios passed/],
}

/** Beyond the exit code: `curl` succeeds when a control method is refused. */
const refusalsIn = (stdout: string) => stdout.split('\n').filter((line) => line.startsWith('{"errors":'))

const isInstalled = (shell: string) => process.platform !== 'win32' && spawnSync(shell, ['-c', 'true']).status === 0
const shells = (['bash', 'dash', 'zsh'] as const).map((shell) => ({ shell, installed: isInstalled(shell) }))
const runnable = pages.filter((page) => blocksOf(page).some(isRunnable))

describe('a terminal', () => {
  let sandbox: Sandbox
  const children: ChildProcess[] = []
  const folders: string[] = []
  const sessions = new Map<string, Promise<Session>>()

  beforeAll(async () => {
    sandbox = await openSandbox({ version: '0.0.0-test', data: null, port: 0, tell: () => {} })
    for (const { shell, installed } of shells)
      if (installed) for (const page of runnable) sessions.set(`${shell} ${page}`, paste(page, shell))
  })

  afterAll(async () => {
    for (const { pid } of children) killGroup(pid!)
    await Promise.allSettled(sessions.values())
    await sandbox.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  describe.each(shells)('with $shell', ({ shell, installed }) => {
    if (!installed) {
      console.info(`The command blocks are not tested with ${shell}: it is not installed.`)
      return it.skip(`is not tested: ${shell} is not installed`, () => {})
    }
    it.each(runnable)('runs the command blocks of %s', async (page) => {
      const { code, stdout, stderr } = await sessions.get(`${shell} ${page}`)!
      expect(code, `${stderr}\nThe last lines:\n${stdout.split('\n').slice(-5).join('\n')}`).toBe(0)
      expect(refusalsIn(stdout)).toEqual([])
      for (const line of prints[page] ?? []) expect(line.test(stdout), `it prints ${line}`).toBe(true)
    })
  })

  /** Runs all blocks of a page in one session, as a reader pastes them, in a folder that looks like a built clone. */
  async function paste(page: string, shell: string): Promise<Session> {
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-docs-'))
    folders.push(folder)
    mkdirSync(join(folder, 'out'))
    for (const name of ['out/main', 'out/renderer', 'resources']) symlinkSync(join(ROOT, name), join(folder, name))
    const session = blocksOf(page).filter(isRunnable)
    const isServed = session.some(({ comment }) => comment !== undefined)
    const port = isServed ? Number(new URL(sandbox.api).port) : await freePort()
    const script = join(folder, 'session.sh')
    writeFileSync(script, substituted(['set -e', ...session.map(asShell)].join('\n'), port, await freePort()))
    const options = shell === 'zsh' ? ['-f'] : []
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder }
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

/** All that the test changes in a block: the ports, and how the built command is called. */
const substituted = (script: string, port: number, other: number) =>
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

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
