// What Sandbank is built from: which packages and actions, how they are pinned, which licences they have.
// `npm run licenses` writes the licence texts of everything that is shipped; `npm run sbom` lists it for scanners (out/sbom.cdx.json).
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packagePlaces } from './architecture.mjs'
import { fail, root } from './prepare.mjs'

/** Licences under which a package may be shipped: permissive ones, and the Open Font License for the typefaces. */
const ALLOWED = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'OFL-1.1']

/** Packages under another licence: each is shipped as a file of its own, so that it can be exchanged. */
const ALLOWED_APART = { openpgp: 'LGPL-3.0+' }

/** Packages that may run a script when they are installed, with the reason. There is none: .npmrc turns all of them off. */
const INSTALL_SCRIPTS = {}

/** Images of containers that are named without a digest, with the place that says so. */
const UNPINNED_IMAGES = { 'node:20-slim': 'docs/headless.md' }

const REGISTRY = 'https://registry.npmjs.org/'
const LICENSES = 'resources/third-party-licenses.txt'

const readJson = (folder, path) => JSON.parse(readFileSync(join(folder, path), 'utf8'))

/** The packages of the lock file by path, without the project itself. */
const lockedPackages = (folder) =>
  Object.entries(readJson(folder, 'package-lock.json').packages).filter(([path]) => path !== '')

/** The packages whose code or files are part of the built app: those that src imports, and what they need. Electron ships its own licences. */
export function shippedPackages(folder) {
  const locked = Object.fromEntries(lockedPackages(folder))
  const direct = Object.keys(packagePlaces).filter((name) => !name.startsWith('node:') && name !== 'electron')
  const found = new Map()
  const add = (name, from) => {
    const path = resolvePackage(locked, name, from)
    if (!path) throw new Error(`package-lock.json has no ${name}, which ${from || 'src'} needs`)
    if (found.has(path)) return
    found.set(path, { ...locked[path], name })
    for (const dependency of Object.keys(locked[path].dependencies ?? {})) add(dependency, path)
  }
  for (const name of direct) add(name, '')
  return [...found]
    .map(([path, entry]) => ({ ...entry, path }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** As Node does: in the folder of the package that needs it, then in each folder above. */
function resolvePackage(locked, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (locked[path]) return path
    if (!folder) return undefined
  }
}

/** All errors of the lock file, the licences, the workflows and the images. */
export const supplyChainErrors = (folder) => [
  ...lockedPackages(folder).flatMap(([path, entry]) => lockErrors(folder, path, entry)),
  ...shippedPackages(folder).flatMap(licenseErrors),
  ...workflowErrors(folder),
  ...imageErrors(folder),
  ...(existsSync(join(folder, LICENSES)) && readFileSync(join(folder, LICENSES), 'utf8') === licenseTexts(folder)
    ? []
    : [`${LICENSES} is out of date: run npm run licenses`]),
]

function lockErrors(folder, path, { version, integrity, resolved, link, hasInstallScript }) {
  const errors = []
  const report = (text) => errors.push(`package-lock.json: ${path} ${text}`)
  if (link || !/^\d+\.\d+\.\d+/.test(version ?? '')) report('is not a version of the registry')
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) report('has no SHA-512 digest: run npm install again')
  if (resolved && !resolved.startsWith(REGISTRY)) report(`comes from ${resolved}, expected ${REGISTRY}`)
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if ((hasInstallScript || runsScript(folder, path)) && !Object.hasOwn(INSTALL_SCRIPTS, name))
    report('runs a script when it is installed: choose another package, or give the reason in scripts/supply-chain.mjs')
  return errors
}

/** The lock file may not say it. npm also builds a package that has a binding.gyp and no install script. */
function runsScript(folder, path) {
  if (!existsSync(join(folder, path, 'package.json'))) return false
  const { scripts = {}, gypfile } = readJson(folder, join(path, 'package.json'))
  const isNative = existsSync(join(folder, path, 'binding.gyp')) && gypfile !== false
  return isNative || ['preinstall', 'install', 'postinstall'].some((name) => scripts[name])
}

function licenseErrors({ path, name, license }) {
  if (license !== undefined && ALLOWED_APART[name] === license) return []
  const choices = (license ?? '').replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((name) => ALLOWED.includes(name)))
    ? []
    : [`${path} is shipped under ${license ?? 'no licence'}, expected ${ALLOWED.join(', ')}`]
}

/** A tag can be moved to other code, a digest cannot. */
function workflowErrors(folder) {
  const workflows = join(folder, '.github', 'workflows')
  return readdirSync(workflows).flatMap((file) =>
    [...readFileSync(join(workflows, file), 'utf8').matchAll(/^.*\b(?:uses|image|container):[ \t]*(\S+)(.*)$/gm)]
      .filter(([, name, rest]) => !name.startsWith('./') && !isPinned(name, rest))
      .map(([, name]) => `.github/workflows/${file}: ${name} is not pinned, expected owner/name@<digest> # <version>`),
  )
}

const isPinned = (name, rest) =>
  /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/.test(name) && /^\s+# v?\d+\.\d+(\.\d+)?\s*$/.test(rest)

/** Images in Dockerfiles and in commands, also in the documentation. One that is not pinned must be known, and still be in use. */
export function imageErrors(folder) {
  const texts = [
    ...filesIn(folder, '.', false),
    ...['docs', '.ci', '.github', 'scripts', 'resources'].flatMap((name) => filesIn(folder, name)),
  ].filter((path) => IMAGE_FILES.test(path))
  const found = texts.flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(IMAGES)].map(([, from, run]) => ({
      path,
      image: from ?? run,
    })),
  )
  const unpinned = found.filter(({ image }) => image !== 'scratch' && !/@sha256:[0-9a-f]{64}$/.test(image))
  const isKnown = ({ path, image }) => Object.hasOwn(UNPINNED_IMAGES, image) && UNPINNED_IMAGES[image] === path
  return [
    ...unpinned
      .filter((one) => !isKnown(one))
      .map(({ path, image }) => `${path}: the image ${image} is not pinned, expected <name>@sha256:<digest>`),
    ...Object.entries(UNPINNED_IMAGES)
      .filter(([image, path]) => existsSync(join(folder, path)) && !unpinned.some((one) => one.image === image))
      .map(([image]) => `scripts/supply-chain.mjs names the image ${image}, which nothing uses: remove it`),
  ]
}

const IMAGE_FILES = /(^|[\\/])(?:[^\\/]*\.(?:md|sh|mjs|ya?ml)|(?:Docker|Container)file[^\\/]*|run)$/

/** The image of `FROM image` or of `docker run … image`, whose options are written with `=` or without a value. */
const IMAGES =
  /^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(\S+)|\b(?:docker|podman)[ \t]+(?:run|pull|create)[ \t]+(?:-\S+[ \t]+)*([\w./-]+[:@]\S+)/gm

const filesIn = (folder, path, isRecursive = true) =>
  existsSync(join(folder, path))
    ? readdirSync(join(folder, path), { recursive: isRecursive, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    : []

/** Their licences require that the text goes with every copy. Equal texts are written once. */
export function licenseTexts(folder) {
  const byText = new Map()
  for (const { path, name, version } of shippedPackages(folder)) {
    const text = licenseFiles(folder, path)
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`])
  }
  const parts = [...byText].map(([text, names]) => `${names.join(', ')}\n\n${text}`)
  const title = 'Sandbank contains the following packages, under the licences below.'
  return `${[title, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function licenseFiles(folder, path) {
  const names = readdirSync(join(folder, path)).filter((name) => /^(licen[cs]e|copying|notice)\b/i.test(name))
  if (names.length === 0) throw new Error(`${path} has no licence file, expected LICENSE`)
  return names
    .sort()
    .map((name) =>
      readFileSync(join(folder, path, name), 'utf8')
        .replaceAll('\r\n', '\n')
        .trim(),
    )
    .join('\n\n')
}

/** CycloneDX, from npm itself, without the packages that are only needed to build and test. Works without a network. */
function writeSbom() {
  const cli = process.env.npm_execpath
  const [command, ...before] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  const args = [...before, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
    maxBuffer: 64 << 20,
  })
  if (status !== 0) fail(`npm sbom failed: ${stderr}`)
  const text = `${JSON.stringify(shippedPart(JSON.parse(stdout), root), null, 2)}\n`
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, 'out', 'sbom.cdx.json'), text)
}

/** Electron is part of the installed app, so it is listed as well. What is shipped is required, whatever npm calls it. */
export function shippedPart(sbom, folder) {
  const { electron } = Object.fromEntries(
    lockedPackages(folder).map(([path, { version }]) => [path.slice('node_modules/'.length), version]),
  )
  const shipped = new Set(shippedPackages(folder).map(({ name, version }) => `${name}@${version}`))
  shipped.add(`electron@${electron}`)
  const refs = new Set([...shipped, sbom.metadata.component['bom-ref']])
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, type: 'application', name: 'sandbank' } },
    components: sbom.components
      .filter((component) => shipped.has(component['bom-ref']))
      .map((component) => ({ ...component, scope: 'required', properties: [] })),
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--sbom')) writeSbom()
  else writeFileSync(join(root, LICENSES), licenseTexts(root))
}
