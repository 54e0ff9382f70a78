import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
// @ts-expect-error: the scripts are plain JavaScript, so that they run without a build.
import { npmCommand } from '../../scripts/npm-command.mjs'
import { BUNDLE, SCENARIOS } from '../../src/api/contract/file-kinds.ts'
import { importsOf } from '../support/imports.ts'

/** The configuration of the installers and of the workflow that builds them. They cannot be built here, because that needs GitHub. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface FileSet {
  readonly from: string
  readonly to: string
}
interface Association {
  readonly ext: string | readonly string[]
  readonly rank?: string
}
interface System {
  readonly target: readonly (string | { readonly target: string; readonly arch: readonly string[] })[]
  readonly icon: string
  readonly executableName?: string
  readonly extraResources: readonly FileSet[]
}
const builder = parse(read('resources/electron-builder.yml'), { merge: true }) as {
  readonly appId: string
  readonly directories: { readonly buildResources: string }
  readonly files: readonly string[]
  readonly asar: boolean
  readonly extraResources: readonly FileSet[]
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly fileAssociations: readonly Association[]
  readonly toolsets: { readonly appimage: string }
  readonly linux: System & { readonly syncDesktopName: boolean; readonly fileAssociations: readonly Association[] }
  readonly mac: System & { readonly identity: string; readonly fileAssociations: readonly Association[] }
  readonly win: System
  readonly protocols: readonly { readonly schemes: readonly string[] }[]
  readonly deb: { readonly fpm: readonly string[] }
}

describe('the package', () => {
  it('is an AppImage and a deb, a dmg for both architectures, and an NSIS installer, each with its icon', () => {
    expect(builder.linux.target).toEqual(['AppImage', 'deb'])
    expect(builder.mac.target).toEqual([{ target: 'dmg', arch: ['x64', 'arm64'] }])
    expect(builder.win.target).toEqual(['nsis'])
    for (const { icon } of [builder.linux, builder.mac, builder.win]) {
      const png = readFileSync(join(root, builder.directories.buildResources, icon))
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
      expect([width, height], 'macOS needs at least 512 pixels').toEqual([width, width])
      expect(width).toBeGreaterThanOrEqual(512)
    }
  })

  it('contains the licences of the packages in it', () => {
    const from = 'resources/third-party-licenses.txt'
    expect(builder.extraResources).toContainEqual({ from, to: 'third-party-licenses.txt' })
    expect(packageJson.files).toContain(from)
    const text = read(from)
    for (const name of ['express', 'zod', 'react', '@base-ui/react', '@fontsource-variable/inter'])
      expect(text, name).toMatch(new RegExp(`^(?:.*, )?${name} \\d`, 'm'))
  })

  it('contains the hosts, the preload script, the window and the library, and all of these files exist', () => {
    expect(builder.files).toContain(packageJson.main.replace(/\/[^/]*$/, ''))
    for (const needed of [
      'out/main',
      'out/preload',
      'out/renderer',
      'resources/scenarios',
      'resources/tray',
      'package.json',
    ])
      expect(builder.files).toContain(needed)
    const included = builder.files.filter((path) => !path.startsWith('!'))
    for (const path of [...included, packageJson.main, 'out/preload/index.cjs', 'out/renderer/index.html'])
      expect(existsSync(join(root, path)), path).toBe(true)
  })

  it('sets the fuses: no Node, no inspector, only the verified archive', () => {
    expect(builder.asar).toBe(true)
    expect(builder.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  it('is opened by a double click on a bundle or a scenario, and on no other file', () => {
    const endings = (associations: readonly Association[]) =>
      associations.flatMap(({ ext }) => ext).map((ext) => `.${ext}`)
    for (const { fileAssociations } of [builder.linux, builder.mac])
      expect(endings([...builder.fileAssociations, ...fileAssociations]).sort()).toEqual([BUNDLE, ...SCENARIOS].sort())
  })

  it('is opened by sandbank:// addresses', () => {
    expect(builder.protocols.flatMap(({ schemes }) => schemes)).toEqual(['sandbank'])
  })

  it('is not the app for YAML files on Windows, whose installer would make it the first choice', () => {
    expect(builder.fileAssociations.flatMap(({ ext }) => ext)).toEqual(['sandbank'])
    expect(builder.win).not.toHaveProperty('fileAssociations')
    expect(builder.mac.fileAssociations.map(({ rank }) => rank)).toEqual(['Alternate', 'Alternate'])
  })

  it('has no node_modules: the built main process and preload script import only Node and Electron', () => {
    expect(builder.files).toContain('!node_modules')
    const folders = ['out/main', 'out/main/chunks', 'out/preload']
    const built = folders.flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => /\.c?js$/.test(name))
        .map((name) => read(`${folder}/${name}`)),
    )
    const imported = built.flatMap((text) => [
      ...importsOf(text).filter((name) => !name.startsWith('.')),
      ...[...text.matchAll(/\brequire\(["'`]([^"'`.]+)["'`]\)/g)].map(([, name]) => name!),
    ])
    expect(imported.length).toBeGreaterThan(20)
    expect(imported.filter((name) => name !== 'electron' && !isBuiltin(name))).toEqual([])
  })

  it('has the same name for the windows, the desktop entry and the binary on Linux', () => {
    expect(packageJson.desktopName).toBe(`${builder.linux.executableName}.desktop`)
    expect(builder.linux.syncDesktopName).toBe(true)
    expect(builder.toolsets.appimage, 'a runtime without FUSE 2').toMatch(/^1\./)
  })

  it('has the id under which Windows groups its windows', () => {
    expect(read('src/main/index.ts')).toContain(`const APP_ID = '${builder.appId}'`)
  })

  it('is signed ad-hoc on macOS, where the fuses break the signature of Electron', () => {
    expect(builder.mac.identity).toBe('-')
  })

  it('is built by npm without a shell, as the path of Node has spaces on Windows', () => {
    const execPath = 'C:\\Program Files\\nodejs\\node.exe'
    const script = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js'
    const start = (env: NodeJS.ProcessEnv) => npmCommand(['exec', '--dir', 'a b'], { env, execPath, platform: 'win32' })
    expect(start({ npm_execpath: script })).toEqual({
      command: execPath,
      args: [script, 'exec', '--dir', 'a b'],
      shell: false,
    })
    expect(start({})).toEqual({ command: 'npm', args: ['exec', '--dir', '"a b"'], shell: true })
    expect(npmCommand(['a b'], { env: {}, execPath, platform: 'linux' })).toEqual({
      command: 'npm',
      args: ['a b'],
      shell: false,
    })
    for (const file of ['package', 'prepare'])
      expect(read(`scripts/${file}.mjs`), file).not.toMatch(/shell: process\.platform|npm_execpath/)
  })

  it('contains the headless command: for each system a launcher that finds the binary', () => {
    const launcher = read('resources/command/sandbank')
    const unix = { from: 'resources/command/sandbank', to: 'bin/sandbank' }
    expect(builder.linux.extraResources).toEqual([unix])
    expect(builder.mac.extraResources).toEqual([unix])
    expect(launcher).toContain(`"$app/${builder.linux.executableName}"`)
    expect(launcher).toContain('"$app/MacOS/Sandbank"')
    expect(builder.deb.fpm).toEqual([`${unix.from}=/usr/bin/sandbank`])
    const windows = { from: 'resources/command/sandbank.cmd', to: 'bin/sandbank.cmd' }
    expect(builder.win.extraResources).toEqual([windows])
    expect(read(windows.from)).toMatch(/^"%~dp0\.\.\\\.\.\\Sandbank\.exe" -- %\*\r$/m)
  })
})

describe('the workflow', () => {
  const { jobs } = parse(read('.github/workflows/build.yml')) as {
    readonly jobs: {
      readonly build: {
        readonly 'runs-on': string
        readonly strategy: { readonly matrix: { readonly os: readonly string[] } }
        readonly steps: readonly {
          readonly run?: string
          readonly uses?: string
          readonly with?: { path?: string; 'node-version'?: number }
        }[]
      }
    }
  }
  const { strategy, steps, 'runs-on': runsOn } = jobs.build
  const commands = steps.flatMap(({ run = '' }) => run.split('\n'))

  it('builds, tests in the double and in Electron, and packages, on the three systems', () => {
    expect(runsOn).toMatch(/matrix\.os/)
    expect(strategy.matrix.os.map((os) => os.replace(/-.*/, ''))).toEqual(['ubuntu', 'macos', 'windows'])
    for (const command of ['npm ci', 'npm test', 'npm run test:electron', 'npm run package'])
      expect(
        commands.some((line) => line.includes(command)),
        command,
      ).toBe(true)
    const artifacts = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))!.with!.path!
    for (const ending of ['AppImage', 'deb', 'dmg', 'exe']) expect(artifacts).toContain(`dist/*.${ending}`)
  })

  it('has Node 24 for Electron, and leaves the restriction of AppArmor on', () => {
    const first = steps.findIndex(({ run = '' }) => run.includes('install-electron'))
    const node = steps.slice(0, first).findLast(({ uses }) => uses?.startsWith('actions/setup-node'))
    expect(node?.with?.['node-version']).toBe(24)
    expect(commands.filter((line) => /apparmor_restrict|--no-sandbox/.test(line))).toEqual([])
    expect(read('test/desktop/electron.test.ts')).toContain('chromiumSandbox: true')
  })

  it('names only existing scripts', () => {
    const named = commands.flatMap((line) =>
      [...line.matchAll(/npm (?:run )?(?!ci\b)([\w:]+)/g)].map(([, name]) => name!),
    )
    expect(named.length).toBeGreaterThan(3)
    for (const name of named) expect(Object.keys(packageJson.scripts), name).toContain(name)
    for (const script of Object.values(packageJson.scripts))
      for (const [file] of script.matchAll(/\b(scripts|bench)\/[\w-]+\.mjs/g))
        expect(existsSync(join(root, file)), file).toBe(true)
  })
})

it('the steps for a real machine are at least ten, each with its systems and what must be seen', () => {
  const [, steps = ''] = read('docs/desktop.md').split('### To check on a real machine\n')
  const rows = steps
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll('|', '').trim()))
  expect(rows[0]).toEqual(['Step', 'System', 'What must be seen'])
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) expect([row.length, row.every((cell) => cell !== '')], row[0]).toEqual([3, true])
})
