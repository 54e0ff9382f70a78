// The copy of the checkout in which the defects are planted.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesIn, root } from '../../scripts/prepare.mjs'
import { plantAll } from './sites.mjs'

export const folder = join(root, 'out', 'mutate')
export const tree = join(folder, 'tree')

/** Tests that need a browser or Electron, read the text of the sources, or measure what is built. */
const EXCLUDED = [
  /^test\/hosts\/(window|initial-javascript|prepare|start)/,
  /^test\/desktop\//,
  /^test\/(architecture|mutate|supply-chain|window-code|docs)/,
  /\.long\.test\./,
]

export const sourceFiles = () =>
  filesOf('src/api')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readText(path) }))

export const testFiles = () =>
  filesOf('test').filter((path) => /\.test\.tsx?$/.test(path) && !EXCLUDED.some((pattern) => pattern.test(path)))

const filesOf = (part) => filesIn(join(root, part)).map((path) => `${part}/${path}`)

/** What git knows or would add. */
function checkoutFiles() {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  return stdout.split('\0').filter((path) => path && existsSync(join(root, path)))
}

/** Of everything that the outcome of a test may depend on. */
export function hashCheckout() {
  const isLeftOut = (path) =>
    /^(docs|bench\/mutate)\/|\.md$/.test(path) || EXCLUDED.some((pattern) => pattern.test(path))
  const sum = createHash('sha256').update(process.version)
  for (const path of checkoutFiles().filter((path) => !isLeftOut(path)))
    sum.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return sum.digest('hex')
}

export const readText = (path) => readFileSync(join(root, path), 'utf8')

export const hashFile = (path) =>
  createHash('sha256')
    .update(readFileSync(join(tree, path)))
    .digest('hex')

/** Copies the checkout, plants the defects, and builds. The packages are those of the checkout. */
export function buildTree(defects, checkout) {
  const stamp = join(tree, 'stamp')
  const content = [checkout, ...defects.map(({ name }) => name)].join('\n')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === content) return
  rmSync(tree, { recursive: true, force: true })
  for (const path of checkoutFiles()) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    cpSync(join(root, path), join(tree, path))
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction')
  cpSync(join(root, 'bench/mutate/planted.mjs'), join(tree, 'src/planted.mjs'))
  for (const path of new Set(defects.map((defect) => defect.path))) {
    const own = defects.filter((defect) => defect.path === path)
    const module = `${'../'.repeat(path.split('/').length - 2)}planted.mjs`
    writeFileSync(join(tree, path), plantAll(readText(path), own, module))
  }
  for (const args of [
    ['scripts/types.mjs'],
    ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--logLevel', 'warn'],
  ]) {
    const { status } = spawnSync(process.execPath, args, { cwd: tree, stdio: 'inherit' })
    if (status !== 0) throw new Error('The copy with the planted defects cannot be built: see above')
  }
  writeFileSync(stamp, content)
}
