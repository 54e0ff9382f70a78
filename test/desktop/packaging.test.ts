import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
// @ts-expect-error: the scripts are plain JavaScript, so that they run without a build.
import { npmCommand } from '../../scripts/npm-command.mjs'
// @ts-expect-error: as above.
import { planSigning } from '../../scripts/signing.mjs'
import { BUNDLE, SCENARIOS } from '../../src/api/contract/file-kinds.ts'
import { appPaths } from '../../src/main/app-paths.ts'
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
  readonly target: readonly { readonly target: string; readonly arch: readonly string[] }[]
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
  readonly linux: System & { readonly syncDesktopName: boolean; readonly files: readonly string[] }
  readonly mac: System & { readonly identity: string; readonly fileAssociations: readonly Association[] }
  readonly win: System
  readonly protocols: readonly { readonly schemes: readonly string[] }[]
  readonly deb: { readonly fpm: readonly string[] }
  readonly rpm: object
  readonly nsis: { readonly artifactName: string }
  readonly portable: { readonly artifactName: string }
}

/** Width and height of a PNG. */
const sizeOf = (path: string) => {
  const png = readFileSync(join(root, builder.directories.buildResources, path))
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

describe('the package', () => {
  it('is an AppImage, a deb and an rpm, a dmg, an NSIS installer and a portable app, each for both architectures', () => {
    const targets = (system: System) => system.target.map(({ target }) => target)
    expect([builder.linux, builder.mac, builder.win].map(targets)).toEqual([
      ['AppImage', 'deb', 'rpm'],
      ['dmg'],
      ['nsis', 'portable'],
    ])
    for (const { target } of [builder.linux, builder.mac, builder.win])
      for (const { arch } of target) expect(arch).toEqual(['x64', 'arm64'])
    expect(builder.rpm).toEqual(builder.deb)
    const names = [builder.nsis, builder.portable].map(({ artifactName }) => artifactName)
    expect(new Set(names).size, 'no file replaces another one').toBe(2)
    for (const name of names) expect(name).toMatch(/\$\{arch\}/)
  })

  it('has its icon in each size of Linux, and in one of at least 512 pixels for macOS and Windows', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512]
    expect(builder.linux.icon).toBe('icons')
    for (const size of sizes) expect(sizeOf(`icons/${size}x${size}.png`)).toEqual([size, size])
    expect(readdirSync(join(root, 'resources/icons'))).toHaveLength(sizes.length)
    for (const { icon } of [builder.mac, builder.win]) expect(sizeOf(icon)).toEqual([1024, 1024])
    const ofWindow = appPaths(join(root, 'out/main')).icon
    expect(builder.linux.files).toEqual([relative(root, ofWindow).replaceAll('\\', '/')])
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
      'resources/agents.md',
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

  it('is opened by a double click on a bundle; on a scenario only if no other app opens YAML files, which only macOS can tell', () => {
    const endings = (associations: readonly Association[]) =>
      associations.flatMap(({ ext }) => ext).map((ext) => `.${ext}`)
    expect(endings(builder.fileAssociations)).toEqual([BUNDLE])
    expect(endings(builder.mac.fileAssociations).sort()).toEqual([...SCENARIOS].sort())
    expect(builder.mac.fileAssociations.map(({ rank }) => rank)).toEqual(['Alternate'])
    for (const system of [builder.linux, builder.win]) {
      expect(system).not.toHaveProperty('fileAssociations')
      expect(system).not.toHaveProperty('mimeTypes')
    }
  })

  it('is opened by sandbank:// addresses', () => {
    expect(builder.protocols.flatMap(({ schemes }) => schemes)).toEqual(['sandbank'])
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

  it('is signed and notarized where the secrets are present, and says in a line what it leaves out', () => {
    const certificate = { CSC_LINK: 'x', CSC_KEY_PASSWORD: 'y', CSC_NAME: 'Ada Ltd (A1B2C3)' }
    const notary = { APPLE_ID: 'a', APPLE_APP_SPECIFIC_PASSWORD: 'b', APPLE_TEAM_ID: 'c' }
    const windows = { WIN_CSC_LINK: 'x', WIN_CSC_KEY_PASSWORD: 'y' }
    const nothing = { options: [], leftOut: [] }
    const unsigned = (line: string) => ({ options: [], leftOut: [expect.stringMatching(line)], env: {} })
    const options = (isNotarized: boolean) => ['-c.mac.identity=Ada Ltd (A1B2C3)', `-c.mac.notarize=${isNotarized}`]
    expect(planSigning('linux', certificate)).toEqual({ ...nothing, env: {} })
    expect(planSigning('win32', { WIN_CSC_LINK: '' })).toEqual(unsigned('SmartScreen.* WIN_CSC_LINK, WIN_CSC_KEY_PASS'))
    expect(planSigning('win32', { ...windows, ...certificate })).toEqual({ ...nothing, env: windows })
    expect(planSigning('darwin', { CSC_LINK: '', ...windows })).toEqual(unsigned('Gatekeeper.* CSC_LINK, .* not set$'))
    expect(planSigning('darwin', certificate)).toEqual({
      options: options(false),
      env: certificate,
      leftOut: ['The app is not notarized: APPLE_ID, APPLE_APP_SPECIFIC_PASSWORD, APPLE_TEAM_ID are not set'],
    })
    const both = { ...certificate, ...notary }
    expect(planSigning('darwin', both)).toEqual({ options: options(true), leftOut: [], env: both })
    expect(() => planSigning('darwin', { CSC_LINK: 'x' })).toThrow(/^CSC_KEY_PASSWORD, CSC_NAME is not set, expected/)
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
          readonly env?: Readonly<Record<string, string>>
        }[]
      }
    }
  }
  const { strategy, steps, 'runs-on': runsOn } = jobs.build
  const commands = steps.flatMap(({ run = '' }) => run.split('\n'))

  it('builds, tests, also in Electron, and packages, on the three systems', () => {
    expect(runsOn).toMatch(/matrix\.os/)
    expect(strategy.matrix.os.map((os) => os.replace(/-.*/, ''))).toEqual(['ubuntu', 'macos', 'windows'])
    for (const command of ['npm ci', 'npm test', 'npm run test:electron', 'npm run package'])
      expect(
        commands.some((line) => line.includes(command)),
        command,
      ).toBe(true)
    const artifacts = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))!.with!.path!
    for (const ending of ['AppImage', 'deb', 'rpm', 'dmg', 'exe']) expect(artifacts).toContain(`dist/*.${ending}`)
  })

  it('has a secret, or nothing, for each variable of a signature, and runs the installed command', () => {
    const { env = {} } = steps.find(({ run }) => run === 'npm run package')!
    expect(() => planSigning('darwin', env)).not.toThrow()
    for (const platform of ['darwin', 'win32']) expect(planSigning(platform, env).leftOut).toEqual([])
    for (const [name, value] of Object.entries(env)) expect(value, name).toMatch(/^\$\{\{ .*\bsecrets\.[A-Z_]+ \}\}$/)
    const tried = steps.filter(({ run = '' }) => /sandbank(\.cmd)? --version/.test(run))
    expect(tried).toHaveLength(strategy.matrix.os.length)
  })

  it('has Node 24 for Electron, and leaves the restriction of AppArmor on', () => {
    const first = steps.findIndex(({ run = '' }) => run.includes('install-electron'))
    const node = steps.slice(0, first).findLast(({ uses }) => uses?.startsWith('actions/setup-node'))
    expect(node?.with?.['node-version']).toBe(24)
    expect(commands.filter((line) => /apparmor_restrict|--no-sandbox/.test(line))).toEqual([])
    expect(read('test/desktop/electron-app.ts')).toContain('chromiumSandbox: true')
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
