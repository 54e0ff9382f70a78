// Assembles the app and the inputs of the deb with electron-builder's own library and a real Electron. Writes result.json and the tree of the deb.
// Run by electron-package.test.ts: npm exec --package=electron-builder@… -- node test/desktop/assemble-package.mjs <output> <version> <folder of Electron>
import { chmodSync, cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

const [output, electronVersion, electronDist] = process.argv.slice(2)
// npm exec puts the folder node_modules/.bin of the package first in the PATH.
const bin = process.env.PATH.split(delimiter)[0]
const require = createRequire(realpathSync(join(dirname(bin), 'electron-builder/package.json')))
const { build, Platform, Arch } = require('electron-builder')
const { listPackage } = require('@electron/asar')
const { getCurrentFuseWire } = createRequire(require.resolve('app-builder-lib/package.json'))('@electron/fuses')

const tree = join(output, 'deb')
await build({
  targets: Platform.LINUX.createTarget(['deb'], Arch.x64),
  config: {
    extends: join(process.cwd(), 'resources/electron-builder.yml'),
    electronVersion,
    electronDist,
    // The loader of tests (scripts/real-electron.mjs), where Electron has its default app.
    afterExtract: ({ appOutDir }) => rmSync(join(appOutDir, 'resources/app'), { recursive: true, force: true }),
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
