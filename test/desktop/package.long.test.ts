import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
// @ts-expect-error: the scripts are plain JavaScript, so that they run without a build.
import { npmCommand } from '../../scripts/npm-command.mjs'

/**
 * The package for Linux as electron-builder's library assembles it, with a stand-in for Electron's binary. npm downloads electron-builder
 * for this test. It checks resources/electron-builder.yml against its schema before it begins.
 */

const [builder] = /electron-builder@[\d.]+/.exec(readFileSync('scripts/package.mjs', 'utf8'))!
const output = mkdtempSync(join(tmpdir(), 'sandbank-package-'))
afterAll(() => rmSync(output, { recursive: true, force: true }))
const deb = join(output, 'deb')
const installed = join(deb, 'opt/Sandbank')
const read = (...path: string[]) => readFileSync(join(deb, ...path), 'utf8')
const hasDpkg = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'dpkg-deb')))

function assemble(): void {
  const { version } = JSON.parse(readFileSync('node_modules/electron/package.json', 'utf8')) as { version: string }
  const script = ['node', 'test/desktop/assemble-package.mjs', output, version]
  const { command, args, shell } = npmCommand(['exec', '--yes', `--package=${builder}`, '--', ...script])
  execFileSync(command, args, { shell, stdio: 'pipe' })
}

describe.skipIf(process.platform === 'win32')('the assembled package for Linux', () => {
  beforeAll(assemble, 600_000)

  it('has an archive with the hosts, the preload script, the window and the library, and nothing else', () => {
    const { asar } = JSON.parse(readFileSync(join(output, 'result.json'), 'utf8')) as { asar: string[] }
    const needed = [
      ...[/^\/out\/main\/(index|cli)\.js$/, /^\/out\/main\/chunks\/[\w.-]+\.js$/, /^\/out\/preload\/index\.cjs$/],
      ...[/^\/out\/renderer\/index\.html$/, /^\/out\/renderer\/assets\/[\w.-]+\.(js|css|woff2|svg)$/],
      ...[/^\/resources\/scenarios\/[\w-]+\.yaml$/, /^\/resources\/program\.json$/, /^\/package\.json$/],
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

  it('has a desktop entry that passes files and addresses, and is named after the binary and the window', () => {
    const entry = read('usr/share/applications', packageJson.desktopName)
    expect(entry).toMatch(/^Exec=\/opt\/Sandbank\/sandbank-desktop %U$/m)
    expect(entry).toMatch(/^StartupWMClass=sandbank-desktop$/m)
    expect(entry).toMatch(/^Icon=sandbank-desktop$/m)
    const [, types = ''] = /^MimeType=(.*)$/m.exec(entry) ?? []
    expect(new Set(types.split(';').filter(Boolean))).toEqual(
      new Set(['application/vnd.sandbank.bundle', 'application/yaml', 'x-scheme-handler/sandbank']),
    )
  })

  it('has a MIME type for each ending', () => {
    const types = read('usr/share/mime/packages/sandbank-desktop.xml')
    const patterns = [...types.matchAll(/<glob pattern="([^"]+)"/g)].map(([, pattern]) => pattern)
    expect(patterns.sort()).toEqual(['*.sandbank', '*.yaml', '*.yml'])
  })

  it('has the AppArmor profile of its binary, and scripts that install and remove it', () => {
    const profile = read('opt/Sandbank/resources/apparmor-profile')
    expect(profile).toContain('profile "sandbank-desktop" "/opt/Sandbank/sandbank-desktop" flags=(unconfined)')
    expect(profile).toMatch(/^ {2}userns,$/m)
    expect(read('DEBIAN/postinst')).toContain("APPARMOR_PROFILE_TARGET='/etc/apparmor.d/sandbank-desktop'")
    expect(read('DEBIAN/postrm')).toContain("APPARMOR_PROFILE_DEST='/etc/apparmor.d/sandbank-desktop'")
    for (const script of ['postinst', 'postrm']) execFileSync('sh', ['-c', `bash -n ${join(deb, 'DEBIAN', script)}`])
  })

  it('has the command and the licences, and the command can be run', () => {
    for (const path of ['usr/bin/sandbank', 'opt/Sandbank/resources/bin/sandbank']) {
      accessSync(join(deb, path), constants.X_OK)
      expect(read(path)).toBe(readFileSync('resources/command/sandbank', 'utf8'))
    }
    expect(statSync(join(installed, 'resources/third-party-licenses.txt')).size).toBeGreaterThan(10_000)
  })

  it.skipIf(!hasDpkg)('is a deb that dpkg reads', () => {
    const file = join(output, 'sandbank.deb')
    execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', deb, file], { stdio: 'pipe' })
    const field = (name: string) => String(execFileSync('dpkg-deb', ['--field', file, name])).trim()
    expect([field('Package'), field('Version'), field('Homepage')]).toEqual([
      packageJson.name,
      packageJson.version,
      packageJson.homepage,
    ])
    const content = String(execFileSync('dpkg-deb', ['--contents', file]))
    for (const path of ['./opt/Sandbank/resources/app.asar', './usr/bin/sandbank'])
      expect(content).toMatch(new RegExp(`^-rwx?.* root/root .* ${path.replaceAll('.', '\\.')}$`, 'm'))
  })
})
