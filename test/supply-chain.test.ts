import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
// @ts-expect-error: the check is plain JavaScript, so that it runs without a build.
import { imageErrors, shippedPackages, shippedPart, supplyChainErrors } from '../scripts/supply-chain.mjs'

const root = join(import.meta.dirname, '..')
const WORKFLOW = '.github/workflows/build.yml'

interface LockEntry {
  version?: string
  integrity?: string
  resolved?: string
  license?: string
  hasInstallScript?: boolean
}

/** A copy of the files that the check reads. */
let copy = ''
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
  const shipped: string[] = shippedPackages(root).flatMap(({ path }: { path: string }) =>
    readdirSync(join(root, path))
      .filter((name) => /^(package\.json|licen[cs]e.*)$/i.test(name))
      .map((name) => join(path, name)),
  )
  for (const path of ['package-lock.json', WORKFLOW, 'resources/third-party-licenses.txt', ...shipped])
    cpSync(join(root, path), join(copy, path))
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

const errors = (): string[] => supplyChainErrors(copy)

function changeLock(path: string, change: (entry: LockEntry) => void) {
  const file = join(copy, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> }
  change(lock.packages[path]!)
  writeFileSync(file, JSON.stringify(lock))
}

function changeText(path: string, from: string | RegExp, to: string) {
  const text = readFileSync(join(copy, path), 'utf8')
  expect(text).toMatch(from)
  writeFileSync(join(copy, path), text.replace(from, to))
}

it('the project has no errors', () => {
  expect(supplyChainErrors(root)).toEqual([])
  expect(errors()).toEqual([])
})

it('installing runs no scripts', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
})

describe('the check reports', () => {
  it.each<[string, (entry: LockEntry) => void, string]>([
    ['a package without a digest', (entry) => delete entry.integrity, 'has no SHA-512 digest'],
    ['a package with a weaker digest', (entry) => (entry.integrity = 'sha1-abc='), 'has no SHA-512 digest'],
    [
      'a package of another place',
      (entry) => (entry.resolved = 'git+ssh://git@example.com/express.git'),
      'comes from git',
    ],
    ['a package without a version', (entry) => delete entry.version, 'is not a version of the registry'],
    ['an install script', (entry) => (entry.hasInstallScript = true), 'runs a script when it is installed'],
    ['a licence that is not allowed', (entry) => (entry.license = 'GPL-3.0-only'), 'is shipped under GPL-3.0-only'],
    [
      'a licence of which one part is not allowed',
      (entry) => (entry.license = 'MIT AND GPL-3.0-only'),
      'is shipped under MIT AND',
    ],
    ['no licence', (entry) => delete entry.license, 'is shipped under no licence'],
  ])('%s', (_name, change, expected) => {
    changeLock('node_modules/express', change)
    expect(errors()[0]).toContain(expected)
  })

  it('a licence is allowed if one of its choices is', () => {
    changeLock('node_modules/express', (entry) => (entry.license = '(GPL-3.0-only OR MIT)'))
    expect(errors()).toEqual([])
  })

  it('an install script that the lock file does not mention', () => {
    changeText('node_modules/express/package.json', '"scripts": {', '"scripts": { "postinstall": "node x.js",')
    expect(errors()).toEqual([expect.stringContaining('node_modules/express runs a script')])
  })

  it('a package that npm would compile', () => {
    writeFileSync(join(copy, 'node_modules/express/binding.gyp'), '{}')
    expect(errors()).toEqual([expect.stringContaining('node_modules/express runs a script')])
  })

  it.each([
    ['a tag', 'actions/checkout@v4'],
    ['a branch', 'actions/checkout@main # v4.2.2'],
    ['a digest without its version', `actions/checkout@${'0'.repeat(40)}`],
  ])('an action that is pinned by %s', (_name, action) => {
    changeText(WORKFLOW, /actions\/checkout@.*/, action)
    expect(errors()).toEqual([expect.stringContaining(`${WORKFLOW}: actions/checkout@`)])
  })

  it('a container that is not pinned', () => {
    changeText(WORKFLOW, 'timeout-minutes: 45', 'timeout-minutes: 45\n    container: node:20-slim')
    expect(errors()).toEqual([expect.stringContaining('node:20-slim is not pinned')])
  })

  it('a container whose image is on the next line, unless it is pinned', () => {
    const image = (name: string) => `timeout-minutes: 45\n    container:\n      image: ${name}`
    changeText(WORKFLOW, 'timeout-minutes: 45', image(`node@sha256:${'0'.repeat(64)} # 20.19.0`))
    expect(errors()).toEqual([])
    changeText(WORKFLOW, /image: node@.*/, 'image: node:20-slim')
    expect(errors()).toEqual([expect.stringContaining('node:20-slim is not pinned')])
  })

  it('an image in a Dockerfile or in the documentation, unless it is pinned or said not to be', () => {
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      writeFileSync(join(copy, path), text)
    }
    const digest = `@sha256:${'0'.repeat(64)}`
    write('docs/headless.md', 'FROM node:20-slim\n')
    write('Dockerfile', `FROM node:20-slim${digest} AS build\nFROM scratch\n`)
    expect(imageErrors(copy)).toEqual([])
    write('Dockerfile', 'FROM --platform=linux/amd64 node:22 AS build\n')
    write('docs/other.md', '```sh\ndocker run --rm -it python:3 x\n```\nFROM node:20-slim\n')
    write('docs/headless.md', 'Without an image\n')
    expect(errors()).toEqual([
      expect.stringContaining('Dockerfile: the image node:22 is not pinned'),
      expect.stringContaining('docs/other.md: the image python:3 is not pinned'),
      expect.stringContaining('docs/other.md: the image node:20-slim is not pinned'),
    ])
    write('docs/other.md', '')
    expect(imageErrors(copy).at(-1)).toContain('node:20-slim, which nothing uses')
  })

  it('licence texts that are out of date', () => {
    changeText('node_modules/express/LICENSE', 'MIT License', 'MIT License of today')
    expect(errors()).toEqual([expect.stringContaining('run npm run licenses')])
  })
})

it('the list for scanners has what is shipped, Electron included, and nothing that only builds or tests', () => {
  const component = (name: string) => ({ 'bom-ref': name, scope: 'optional' })
  const { version: electron } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'))
  const { version: react } = JSON.parse(readFileSync(join(root, 'node_modules/react/package.json'), 'utf8'))
  const part = shippedPart(
    {
      metadata: { component: component('sandbank@1.0.0') },
      components: [component(`react@${react}`), component(`electron@${electron}`), component('vitest@4.0.0')],
      dependencies: [{ ref: 'sandbank@1.0.0', dependsOn: [`react@${react}`, 'vitest@4.0.0'] }, { ref: 'vitest@4.0.0' }],
    },
    root,
  )
  expect(part.components).toEqual([
    { 'bom-ref': `react@${react}`, scope: 'required', properties: [] },
    { 'bom-ref': `electron@${electron}`, scope: 'required', properties: [] },
  ])
  expect(part.dependencies).toEqual([{ ref: 'sandbank@1.0.0', dependsOn: [`react@${react}`] }])
})
