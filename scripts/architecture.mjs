// The import rules: which folder may import which, where each outside package may be imported, and what the store and the domain may not
// use. In short: imports go down only; the window imports only the contract; each outside package is imported only where its row allows it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { filesIn } from './prepare.mjs'

const window = ['renderer/ui', 'renderer/data', 'renderer/format']

const engine = ['api/contract', 'api/store', 'api/domain', 'api/http', 'api/time']

const lockFiles = ['lock', 'lock-socket'].map((name) => `api/store/${name}.ts`)

/** A place is a folder or a file of src; the longest one that contains a file counts. `/*` makes each subfolder a place. */
export const places = {
  // Processes, private files and temporary folders of this machine: small, as every command and the library load it.
  'api/system': { may: ['api/system'] },
  'api/contract/terms': { may: ['api/contract/terms', 'api/contract/errors.ts'] },
  'api/contract': { may: ['api/contract'] },
  'api/store': { may: ['api/store', 'api/contract'], deterministic: true },
  'api/store/files.ts': { may: ['api/store', 'api/system/private-files.ts'], deterministic: true },
  // The lock waits for other processes, so it needs real time and random names. A simulation replaces it.
  ...Object.fromEntries(lockFiles.map((file) => [file, { may: ['api/store', 'api/system'] }])),
  'api/domain/rules': { may: ['api/domain/rules', 'api/contract', 'api/store'], deterministic: true },
  'api/domain': { may: ['api/domain', 'api/contract', 'api/store'], deterministic: true },
  'api/time': { may: ['api/time', 'api/contract', 'api/store', 'api/domain'] },
  'api/http': { may: ['api/http', 'api/contract', 'api/store', 'api/domain'] },
  'api/webhooks': { may: ['api/webhooks', 'api/contract', 'api/store'] },
  'api/views': { may: ['api/views', ...engine], readOnly: true },
  'api/replay': { may: ['api/replay', 'api/views', ...engine] },
  'api/scenarios': { may: ['api/scenarios', 'api/replay', 'api/views', ...engine] },
  // Of the webhooks only to refuse a key that cannot encrypt.
  'api/control': {
    may: ['api/webhooks/pgp.ts', 'api/control', 'api/scenarios', 'api/replay', 'api/views', ...engine],
  },
  'api/reach': { may: ['api/reach', 'api/control', ...engine] },
  'api/worlds': {
    may: [
      'api/worlds',
      'api/reach',
      'api/control',
      'api/webhooks',
      'api/scenarios',
      'api/replay',
      'api/views',
      ...engine,
    ],
  },
  'api/sandbox.ts': { may: ['api'] },
  'api/files.ts': { may: ['api'] },
  main: { may: ['main', 'api/system', 'api/sandbox.ts', 'api/files.ts', 'api/contract'] },
  // It sends events as the sandbox does, and loads nothing else of it.
  'main/commands/forward.ts': { may: ['api/webhooks/bounded-request.ts'] },
  // The client and the fixtures contain no sandbox, so that they load fast; start.ts opens one.
  'main/library': {
    may: ['main/library', 'api/system', 'api/contract/terms/texts.ts', 'api/contract/library.ts'],
  },
  // With the contract, as startSandbox() opens a sandbox anyway.
  'main/library/options.ts': { may: ['main/library', 'main/commands/closest.ts', 'api/contract'] },
  'main/library/start.ts': {
    may: ['main/library', 'main/app-paths.ts', 'api/system', 'api/sandbox.ts', 'api/contract'],
  },
  preload: {
    may: ['api/contract/control/client.ts', 'api/contract/control/notices.ts', 'api/contract/desktop.ts'],
    typesOnly: true,
  },
  'renderer/format': { may: ['renderer/format', 'api/contract'] },
  'renderer/ui': { may: ['renderer/ui', 'renderer/format'] },
  'renderer/data': { may: ['renderer/data', 'renderer/format', 'api/contract'] },
  'renderer/forms': { may: ['renderer/forms', ...window, 'api/contract'] },
  'renderer/actions': { may: ['renderer/actions', ...window, 'api/contract'] },
  'renderer/components': {
    may: ['renderer/components', 'renderer/forms', 'renderer/actions', ...window, 'api/contract'],
  },
  'renderer/frame': {
    may: ['renderer/frame', 'renderer/components', 'renderer/forms', 'renderer/actions', ...window, 'api/contract'],
  },
  // Each folder is a place of its own: a screen imports no other screen.
  'renderer/screens/*': {
    may: ['renderer/components', 'renderer/forms', 'renderer/actions', ...window, 'api/contract'],
  },
  ...Object.fromEntries(
    ['main.tsx', 'App.tsx', 'screens.tsx'].map((file) => [`renderer/${file}`, { may: ['renderer', 'api/contract'] }]),
  ),
}

/** Where each outside package may be imported. `node:` are the modules of Node. */
export const packagePlaces = {
  zod: [
    'api/contract',
    'api/replay/bundles/bundle.ts',
    'api/replay/bundles/stored-fields.ts',
    'main/commands/mcp.ts',
    'main/preferences.ts',
    'main/open-file.ts',
    'renderer/components/fields/list-fields.ts',
    'renderer/components/list/list-preferences.ts',
    'renderer/screens',
  ],
  lowdb: ['api/store/data-folder.ts'],
  'decimal.js': ['api/domain/rules/money.ts'],
  jose: ['api/http/tokens.ts'],
  openpgp: ['api/webhooks/pgp.ts'],
  express: ['api/http/app.ts', 'api/http/docs.ts', 'api/http/request-handling.ts', 'api/control/server.ts'],
  yaml: ['api/scenarios/file.ts'],
  '@modelcontextprotocol/server': ['main/commands/mcp.ts'],
  electron: [
    'main/index.ts',
    'main/desktop.ts',
    'main/dialogs.ts',
    'main/app-window.ts',
    'main/window.ts',
    'main/menu.ts',
    'main/ipc.ts',
    'main/notifications.ts',
    'main/print.ts',
    'main/tray.ts',
    'preload',
  ],
  'node:': [
    'api/system',
    'api/store',
    'api/http',
    'api/replay',
    'api/scenarios',
    'api/control',
    'api/webhooks',
    'api/worlds',
    'api/sandbox.ts',
    'api/files.ts',
    'main',
  ],
  // The API reaches the files of data folders through store/files.ts, which a simulation replaces.
  'node:fs': [
    ...['api/system', 'api/store/files.ts', ...lockFiles, 'api/files.ts'],
    ...['api/control/server.ts', 'api/http/docs.ts', 'main'],
  ],
  react: ['renderer'],
  'react-dom': ['renderer'],
  'eventsource-parser': ['renderer/data/http-bridge.ts'],
  zustand: [
    'renderer/data',
    'renderer/frame',
    'renderer/screens',
    'renderer/components/context-menu.ts',
    'renderer/components/list/list-preferences.ts',
  ],
  '@base-ui/react': ['renderer/ui'],
  '@tanstack/react-virtual': ['renderer/ui'],
  'lucide-react': [
    'renderer/data/screen-list.ts',
    'renderer/ui',
    'renderer/forms',
    'renderer/actions',
    'renderer/components',
    'renderer/frame',
    'renderer/screens',
  ],
  '@fontsource-variable/inter': ['renderer/styles'],
  '@fontsource-variable/jetbrains-mono': ['renderer'],
}

/** Packages of the project that uses Sandbank, where they may be imported. They are not shipped. */
const packagesOfUsers = {
  vitest: ['main/library/vitest.ts'],
  '@playwright/test': ['main/library/playwright.ts'],
}

/** Files that may be asynchronous, because they wait for a disk. */
const asyncFiles = [
  'check-files',
  'read-folder',
  'data-folder',
  'files',
  'journal',
  'call-log',
  'memory-world-file',
  'repair',
  'segments',
  'snapshots',
  'world-file',
].map((name) => `api/store/${name}.ts`)

const within = (file, place) => file === place || file.startsWith(`${place}/`)

/** The rule of the longest place that contains a file. */
function placeOf(file) {
  const found = Object.keys(places)
    .map((name) => ({ name, folder: folderOf(name, file) }))
    .filter(({ folder }) => within(file, folder))
    .sort((a, b) => b.folder.length - a.folder.length)[0]
  if (!found) return undefined
  const { name, folder } = found
  return { ...places[name], name: folder, may: name === folder ? places[name].may : [folder, ...places[name].may] }
}

/** `renderer/screens/*` becomes `renderer/screens/time` for a file in that folder. */
function folderOf(name, file) {
  if (!name.endsWith('/*')) return name
  const parent = name.slice(0, -1)
  return file.startsWith(parent) ? parent + file.slice(parent.length).split('/')[0] : name
}

const isCode = (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts')

/** Checks every file, or only the given ones. Biome finds circles. */
export function architectureErrors(root, files) {
  const src = join(root, 'src')
  return (files ?? filesIn(src)).filter(isCode).flatMap((file) => errorsIn(src, file))
}

const targetOf = (src, file, specifier) =>
  relative(src, resolve(src, dirname(file), specifier.replace(/\?.*$/, ''))).replaceAll('\\', '/')

function errorsIn(src, file) {
  const text = readFileSync(join(src, file), 'utf8')
  const parsed = parseSync(file, text)
  const place = placeOf(file)
  if (!place) return [`src/${file} is in no place of the table: add one in scripts/architecture.mjs`]
  const found = []
  for (const { specifier, typeOnly } of importsOf(parsed, text)) {
    if (specifier.startsWith('.')) {
      const target = targetOf(src, file, specifier)
      if (target.startsWith('..')) continue // package.json and resources/
      if (!existsSync(join(src, target))) found.push(`src/${file} imports ${specifier}, which does not exist`)
      else if (!place.may.some((allowed) => within(target, allowed)) && !(file === target))
        found.push(
          `${file} may not import ${target}: ${place.name} may import ${place.may.join(', ')}; move the code down or pass it as an argument`,
        )
      else if (place.typesOnly && !typeOnly) found.push(`${file} may import only types of ${target}`)
    } else {
      const name = packageOf(specifier)
      const allowedPlaces = packagePlaces[name] ?? packagesOfUsers[name]
      if (!allowedPlaces)
        found.push(
          `${file} imports ${name}, which has no place: add one in scripts/architecture.mjs, and a reason in docs/dependencies.md`,
        )
      else if (!allowedPlaces.some((allowed) => within(file, allowed)))
        found.push(`${file} may not import ${name}: only these may: ${allowedPlaces.join(', ')}`)
    }
  }
  if (place.deterministic) found.push(...findNondeterminism(file, parsed.program))
  if (place.readOnly) found.push(...findWrites(file, parsed))
  return found
}

function importsOf({ module }, text) {
  const named = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries
      .filter(({ moduleRequest }) => moduleRequest)
      .map(({ moduleRequest, isType }) => ({ specifier: moduleRequest.value, typeOnly: isType })),
  )
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => ({
    specifier: text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    typeOnly: false,
  }))
  return [...named, ...reexports, ...dynamic]
}

const packageOf = (specifier) =>
  specifier.startsWith('node:fs')
    ? 'node:fs'
    : specifier.startsWith('node:')
      ? 'node:'
      : specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/')

const bannedMembers = {
  'Date.now': 'tx.now',
  'Math.random': 'tx.uid()',
  'performance.now': 'tx.now',
  'crypto.randomUUID': 'tx.uid()',
}
const bannedNames = {
  setTimeout: 'a task',
  setInterval: 'a task',
  setImmediate: 'a task',
  randomUUID: 'tx.uid()',
  randomBytes: 'tx.uid()',
  randomInt: 'tx.uid()',
  performance: 'tx.now',
}

/** The store and the domain use no real time, timers, random numbers or promises. */
function findNondeterminism(file, program) {
  const found = []
  const ban = (what, instead) => found.push(`${file}: ${what} is banned here, use ${instead}`)
  const banAsync = (node) => {
    if (node.async && !asyncFiles.includes(file)) ban('an async function', 'a synchronous one')
  }
  new Visitor({
    MemberExpression(node) {
      const name = `${node.object?.name}.${node.property?.name ?? node.property?.value}`
      if (Object.hasOwn(bannedMembers, name)) ban(name, bannedMembers[name])
    },
    Identifier(node) {
      if (Object.hasOwn(bannedNames, node.name)) ban(node.name, bannedNames[node.name])
    },
    NewExpression(node) {
      if (node.callee?.name === 'Date' && node.arguments.length === 0) ban('new Date() without an argument', 'tx.now')
    },
    CallExpression(node) {
      if (node.callee?.name === 'Date') ban('Date()', 'tx.now')
    },
    FunctionDeclaration: banAsync,
    FunctionExpression: banAsync,
    ArrowFunctionExpression: banAsync,
  }).visit(program)
  return [...new Set(found)]
}

/** Types and functions of the store that can change the world, and what a view uses instead. */
const writingNames = {
  Tx: 'ReadTx',
  WorldTx: 'ReadTx',
  Records: 'ReadRecords',
  Store: 'ReadStore',
  World: 'ReadWorld',
  Collection: 'ReadCollection',
  collectionOf: 'readCollection',
}
const writingMembers = ['put', 'remove', 'schedule', 'setClock', 'transact', 'operate', 'replaceWorld', 'repeatCommit']

/** A view only reads: it gets read-only types, and calls no method that writes. */
function findWrites(file, { module, program }) {
  const found = []
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName } of entries) {
      if (!moduleRequest.value.includes('/store/')) continue
      if (importName.kind !== 'Name')
        found.push(`${file} may not import all of ${moduleRequest.value}: name what it reads`)
      else if (Object.hasOwn(writingNames, importName.name))
        found.push(`${file} may not import ${importName.name}: a view only reads, use ${writingNames[importName.name]}`)
    }
  new Visitor({
    MemberExpression(node) {
      const name = node.property?.name ?? node.property?.value
      if (writingMembers.includes(name)) found.push(`${file}: ${name} is banned here, a view only reads`)
    },
    TSImportType() {
      found.push(`${file}: an inline type import is banned here, import the name`)
    },
  }).visit(program)
  return found
}
