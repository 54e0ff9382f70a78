import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
// @ts-expect-error: the scripts are plain JavaScript, so that they run without a build.
import { npmCommand } from '../../scripts/npm-command.mjs'
import { electron } from './electron-app.ts'
import { expectWorking, user } from './packaged-app.ts'

/**
 * The package for Linux as electron-builder's library assembles it with a real Electron: what is in it, and that it runs, unpacked and installed
 * by dpkg. npm downloads electron-builder for this test. It checks resources/electron-builder.yml against its schema before it begins.
 */

const [builder] = /electron-builder@[\d.]+/.exec(readFileSync('scripts/package.mjs', 'utf8'))!
const output = join(tmpdir(), `sandbank-package-${process.pid}`)
const deb = join(output, 'deb')
const debFile = join(output, 'sandbank.deb')
const installed = join(deb, 'opt/Sandbank')
const read = (...path: string[]) => readFileSync(join(deb, ...path), 'utf8')
/** A program that blocks this thread has its own limit: that of a hook or a test could not end it. */
const ASSEMBLES_WITHIN_MS = 570_000
const ANSWERS_WITHIN_MS = 60_000
const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0

/** Why electron-builder could not be fetched. */
let missing: string | undefined

function assemble(): void {
  // The app runs as another user, who may read it.
  mkdirSync(output, { mode: 0o755 })
  const { version } = JSON.parse(readFileSync('node_modules/electron/package.json', 'utf8')) as { version: string }
  const script = ['node', 'test/desktop/assemble-package.mjs', output, version, dirname(electron)]
  const { command, args, shell } = npmCommand(['exec', '--yes', `--package=${builder}`, '--', ...script])
  const { status, stdout, stderr } = spawnSync(command, args, {
    shell,
    encoding: 'utf8',
    timeout: ASSEMBLES_WITHIN_MS,
  })
  if (status === 0) return
  // Only npm's own lines: electron-builder downloads, too.
  const [, failure] =
    /^npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ENOTCACHED)$/m.exec(stderr) ?? []
  if (failure === undefined) throw new Error(`${stdout}\n${stderr}`)
  missing = `npm could not fetch ${builder} (${failure})`
}

describe.skipIf(!electron || process.platform !== 'linux')('the package for Linux, with a real Electron', () => {
  beforeAll(assemble, 600_000)
  afterAll(() => rmSync(output, { recursive: true, force: true }))
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing)
  })

  it('has an app that starts, serves, and ends cleanly', () =>
    expectWorking(join(output, 'dist/linux-unpacked/sandbank-desktop')))

  it('has an archive with the hosts, the preload script, the window and the library, and nothing else', () => {
    const { asar } = JSON.parse(readFileSync(join(output, 'result.json'), 'utf8')) as { asar: string[] }
    const needed = [
      ...[
        /^\/out\/main\/(electron|index|cli)\.js$/,
        /^\/out\/main\/chunks\/[\w.-]+\.js$/,
        /^\/out\/preload\/index\.cjs$/,
      ],
      ...[/^\/out\/renderer\/index\.html$/, /^\/out\/renderer\/assets\/[\w.-]+\.(js|css|woff2|svg)$/],
      ...[
        /^\/resources\/icons\/256x256\.png$/,
        /^\/resources\/tray\/[\w@]+\.png$/,
        /^\/resources\/scenarios\/[\w-]+\.yaml$/,
        /^\/resources\/program\.json$/,
        /^\/package\.json$/,
      ],
      ...[/^\/docs\/[a-z-]+\.md$/, /^\/out\/documents\/descriptions\.txt$/, /^\/resources\/agents\.md$/],
    ]
    const folders = asar.filter((path) => asar.some((other) => other.startsWith(`${path}/`)))
    const files = asar.filter((path) => !folders.includes(path))
    expect(files.filter((path) => !needed.some((pattern) => pattern.test(path)))).toEqual([])
    for (const pattern of needed)
      expect(
        files.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true)
  })

  it('has the fuses set in the binary: of nine only the two for the archive', () => {
    const { fuses } = JSON.parse(readFileSync(join(output, 'result.json'), 'utf8')) as {
      fuses: Record<string, unknown>
    }
    const isOn = Array.from({ length: 9 }, (_, at) => fuses[at] === '1'.charCodeAt(0))
    expect(isOn).toEqual([false, false, false, false, true, true, false, false, false])
  })

  it('has a desktop entry that passes paths, and is named after the binary and the window', () => {
    const entry = read('usr/share/applications', packageJson.desktopName)
    expect(entry).toMatch(/^Exec=\/opt\/Sandbank\/sandbank-desktop %U$/m)
    expect(entry).toMatch(/^StartupWMClass=sandbank-desktop$/m)
    expect(entry).toMatch(/^Icon=sandbank-desktop$/m)
    const [, types = ''] = /^MimeType=(.*)$/m.exec(entry) ?? []
    expect(types.split(';').filter(Boolean)).toEqual(['application/vnd.sandbank.bundle', 'x-scheme-handler/sandbank'])
  })

  it('has a MIME type for bundles, and claims no YAML file of the computer', () => {
    const types = read('usr/share/mime/packages/sandbank-desktop.xml')
    expect(types.match(/<mime-type type="[^"]+"/g)).toEqual(['<mime-type type="application/vnd.sandbank.bundle"'])
    expect(types.match(/<glob pattern="[^"]+"/g)).toEqual(['<glob pattern="*.sandbank"'])
  })

  it('has its icon in each size of the theme hicolor, and that of its windows', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512].map((size) => `${size}x${size}`)
    const icons = 'usr/share/icons/hicolor'
    expect(readdirSync(join(deb, icons)).sort()).toEqual(sizes.sort())
    for (const size of sizes)
      expect(readFileSync(join(deb, icons, size, 'apps/sandbank-desktop.png'))).toEqual(
        readFileSync(`resources/icons/${size}.png`),
      )
  })

  it('has the AppArmor profile of its binary, and scripts that install and remove it', () => {
    const profile = read('opt/Sandbank/resources/apparmor-profile')
    expect(profile).toContain('profile "sandbank-desktop" "/opt/Sandbank/sandbank-desktop" flags=(unconfined)')
    expect(profile).toMatch(/^ {2}userns,$/m)
    expect(read('DEBIAN/postinst')).toContain("APPARMOR_PROFILE_TARGET='/etc/apparmor.d/sandbank-desktop'")
    expect(read('DEBIAN/postrm')).toContain("APPARMOR_PROFILE_DEST='/etc/apparmor.d/sandbank-desktop'")
    for (const script of ['postinst', 'postrm']) execFileSync('sh', ['-c', `bash -n ${join(deb, 'DEBIAN', script)}`])
  })

  it('has the command, which can be run, the scenarios as files, the licences, and only English', () => {
    for (const path of ['usr/bin/sandbank', 'opt/Sandbank/resources/bin/sandbank']) {
      accessSync(join(deb, path), constants.X_OK)
      expect(read(path)).toBe(readFileSync('resources/command/sandbank', 'utf8'))
    }
    expect(readdirSync(join(installed, 'locales'))).toEqual(['en-US.pak'])
    const scenarios = join(installed, 'resources/app.asar.unpacked/resources/scenarios')
    expect(readdirSync(scenarios)).toEqual(readdirSync('resources/scenarios'))
    expect(statSync(join(installed, 'resources/third-party-licenses.txt')).size).toBeGreaterThan(10_000)
  })

  it.skipIf(!hasDpkg)(
    'is a deb that dpkg reads, installs and removes, and the installed app and its command work',
    async (context) => {
      execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', deb, debFile], { stdio: 'pipe' })
      const field = (name: string) => String(execFileSync('dpkg-deb', ['--field', debFile, name])).trim()
      expect([field('Package'), field('Version'), field('Homepage')]).toEqual([
        packageJson.name,
        packageJson.version,
        packageJson.homepage,
      ])
      if (process.getuid!() !== 0) context.skip('only root installs a deb')
      if (spawnSync('dpkg-query', ['--show', packageJson.name]).status === 0) context.skip('it is installed already')
      const places = ['/opt/Sandbank', '/usr/bin/sandbank', `/usr/share/applications/${packageJson.desktopName}`]
      const remove = () => execFileSync('dpkg', ['--purge', packageJson.name], { stdio: 'pipe' })
      onTestFinished(() => void (places.some((place) => existsSync(place)) && remove()))
      execFileSync('dpkg', ['--force-unsafe-io', '--install', debFile], { stdio: 'pipe' })
      expect(places.filter((place) => !existsSync(place))).toEqual([])
      await expectWorking('/opt/Sandbank/sandbank-desktop')
      const { uid, gid } = user
      const env = { ...process.env, ...user.env }
      const version = execFileSync('sandbank', ['--version'], {
        uid,
        gid,
        env,
        cwd: '/',
        timeout: ANSWERS_WITHIN_MS,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect(String(version)).toBe(`${packageJson.version}\n`)
      remove()
      expect(places.filter((place) => existsSync(place))).toEqual([])
    },
  )
})
