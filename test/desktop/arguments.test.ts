import { join } from 'node:path'
import { expect, it } from 'vitest'
import { argumentsOf, cutAfterAddress, splitArguments } from '../../src/main/arguments.ts'
import { OptionError } from '../../src/main/commands/command.ts'
import { readSecondStart } from '../../src/main/open-file.ts'
import { commandArguments } from '../../src/main/terminal-command.ts'
import { parseServe } from '../support/cli.ts'

/** The argv that each system, installer and test tool passes, and what the app must find in it. */

const APP = '/home/a/Sandbank/sandbank-desktop'
const ELECTRON = '/home/a/node_modules/electron/dist/electron'
const FOLDER = '/home/a/sand bank'
const BUNDLE = '/home/a/my world.sandbank'

interface Start {
  readonly argv: readonly string[]
  readonly isDefaultApp?: boolean
  readonly files?: readonly string[]
  readonly options?: readonly string[]
}

const starts: Record<string, Start> = {
  'npm start -- --port 0': { argv: [ELECTRON, FOLDER, '--port', '0'], isDefaultApp: true, options: ['--port', '0'] },
  'Playwright with a path of the binary': {
    argv: [ELECTRON, '--inspect=0', '--remote-debugging-port=0', FOLDER, '--user-data-dir=/x', '--port', '0', BUNDLE],
    isDefaultApp: true,
    files: [BUNDLE],
    options: ['--port', '0'],
  },
  'Playwright with its own loader': {
    argv: [ELECTRON, '-r', '/x/loader.js', '--inspect=0', '--remote-debugging-port=0', FOLDER, '--ephemeral'],
    isDefaultApp: true,
    options: ['--ephemeral'],
  },
  'electron without a folder': { argv: [ELECTRON], isDefaultApp: true },
  'a double click on an AppImage: AppRun --no-sandbox %U': {
    argv: [APP, '--no-sandbox', 'file:///home/a/my%20world.sandbank'],
    files: [BUNDLE],
  },
  'an AppImage without a file': { argv: [APP, '--no-sandbox'] },
  'a double click with %U on two files, one of them not in ASCII': {
    argv: [APP, 'file:///home/a/my%20world.sandbank', 'file:///home/a/%C3%9C.YAML'],
    files: [BUNDLE, '/home/a/Ü.YAML'],
  },
  'a double click with %U on a file of another machine': {
    argv: [APP, 'file://server/share/a.sandbank'],
    files: ['file://server/share/a.sandbank'],
  },
  'a file in a terminal': { argv: [APP, BUNDLE], files: [BUNDLE] },
  'an address with %U': { argv: [APP, '--no-sandbox', 'sandbank://commit/1'], files: ['sandbank://commit/1'] },
  'a double click on Windows': {
    argv: ['C:\\Program Files\\Sandbank\\Sandbank.exe', 'C:\\Users\\a\\My Files\\b.sandbank'],
    files: ['C:\\Users\\a\\My Files\\b.sandbank'],
  },
  'a start by OLE on Windows': { argv: ['Sandbank.exe', '-Embedding'] },
  'a start after an update or a login on macOS': {
    argv: ['Sandbank', '-psn_0_12345', '-ApplePersistenceIgnoreState', 'YES', '-NSDocumentRevisionsDebugMode', 'YES'],
  },
  'switches of Chromium with a value after =': {
    argv: [APP, '--proxy-server=http://a:1', '--password-store=basic', '--lang=de', BUNDLE, '--data', 'x.sandbank'],
    files: [BUNDLE],
    options: ['--data', 'x.sandbank'],
  },
  'switches of Chromium with a value after a space': {
    argv: [APP, '--password-store', 'basic', '--user-data-dir', '/x', '--port=0'],
    options: ['--port=0'],
  },
  'switches of Chromium without a value before a file': {
    argv: [APP, '--disable-gpu', 'a.yaml', '--enable-features=Foo,Bar', 'b.yml', '--lang', 'c.yaml'],
    files: ['a.yaml', 'b.yml', 'c.yaml'],
  },
  'options of Sandbank': {
    argv: [APP, '--ephemeral', '--allow', '10.0.0.0/8', '--seed', 'b.yaml', 'a.sandbank', '-h'],
    files: ['a.sandbank'],
    options: ['--ephemeral', '--allow', '10.0.0.0/8', '--seed', 'b.yaml', '-h'],
  },
}

// Only desktop entries of Linux have %U, and Windows has other file: addresses.
const tested = Object.entries(starts).filter(([name]) => process.platform !== 'win32' || !name.includes('%U'))

it.each(tested)('finds the files and options of %s', (_name, start) => {
  const { argv, isDefaultApp = false, files = [], options = [] } = start
  const split = splitArguments(argumentsOf(argv, isDefaultApp))
  expect(split).toEqual({ files, options })
  expect(() => parseServe(split.options)).not.toThrow()
  expect(commandArguments(argv), 'a window is opened').toBeUndefined()
})

it.skipIf(process.platform === 'win32')(
  'finds the files of a second start also where Electron has lost what it passed',
  () => {
    const given = { files: ['/home/a/x.yaml'], options: ['--port', '0'] }
    expect(readSecondStart(given, [APP, BUNDLE], '/home')).toEqual(given)
    const argv = [ELECTRON, '--user-data-dir=/x', '--port', FOLDER, '0', 'file:///home/a/my%20world.sandbank', 'b.yaml']
    for (const lost of [undefined, null, {}])
      expect(readSecondStart(lost, argv, '/home')).toEqual({ files: [BUNDLE, '/home/b.yaml'], options: [] })
  },
)

it('ignores unknown options with a window, and refuses them on the command line', () => {
  const args = ['--proxy-server=a:1', '--made-up', '-Embedding', '--port', '0']
  expect(splitArguments(args).options).toEqual(['--port', '0'])
  for (const unknown of ['--proxy-server=a:1', '--made-up', '-Embedding'])
    expect(() => parseServe([unknown, '--port', '0']), unknown).toThrow(OptionError)
})

it('refuses with a window a word that is neither a file nor an option', () => {
  const { options } = splitArguments([join('some', 'folder'), '--port', '0'])
  expect(() => parseServe(options)).toThrow(/some.folder/)
})

it('leaves out what follows an address, which a web page may have written', () => {
  const address = 'sandbank://commit/1'
  expect(cutAfterAddress([APP, address, '--data', '\\\\server\\share', '--', 'serve'])).toEqual([APP, address])
  expect(commandArguments(cutAfterAddress([APP, '--', 'call', address, 'x=1']))).toEqual(['call', address, 'x=1'])
})
