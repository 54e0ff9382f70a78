import { fileURLToPath } from 'node:url'
import { isDeepLink } from '../api/contract/deep-links.ts'
import { BUNDLE, endingOf, SCENARIOS } from '../api/contract/file-kinds.ts'
import { serve } from './commands/table.ts'

/** Reads the arguments of the desktop app, as each system, installer and test tool passes them. */

/**
 * The arguments without the binary. Electron's own binary (`process.defaultApp`) has the app's folder before them, and possibly
 * switches before the folder: Playwright starts `electron --inspect=0 --remote-debugging-port=0 <folder>`.
 */
export function argumentsOf(argv: readonly string[], isDefaultApp: boolean): readonly string[] {
  const args = argv.slice(1)
  if (!isDefaultApp) return args
  const folder = args.findIndex((arg, at) => !arg.startsWith('-') && !REQUIRE.includes(args[at - 1] ?? ''))
  return folder === -1 ? [] : args.slice(folder + 1)
}
const REQUIRE = ['-r', '--require']

/**
 * The system passes an address as the last argument. On Windows a web page can write a quotation mark and further arguments into it,
 * which are left out.
 */
export function cutAfterAddress(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((arg) => arg === '--' || isDeepLink(arg))
  return at === -1 || argv[at] === '--' ? argv : argv.slice(0, at + 1)
}

interface WindowArguments {
  /** Paths of the files and sandbank:// addresses to open. */
  readonly files: readonly string[]
  /** Sandbank's own options, with their values. */
  readonly options: readonly string[]
}

/** Separates files from options. Switches that Sandbank does not know are those of Chromium or of the system, and are left out. */
export function splitArguments(args: readonly string[]): WindowArguments {
  const files: string[] = []
  const options: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const next = args[at + 1]
    const option = /^--([^=]+)(=|$)/.exec(arg)
    if (option && (option[1] === 'help' || Object.hasOwn(serve.options, option[1]!))) {
      options.push(arg)
      if (option[2] === '' && hasValue(option[1]!) && next !== undefined) options.push(args[++at]!)
    } else if (arg === '-h') options.push(arg)
    else if (arg.startsWith('-')) {
      if (FOREIGN_WITH_VALUE.includes(arg) && next !== undefined && !next.startsWith('-') && !isFile(pathOf(next))) at++
    } else if (isDeepLink(arg)) files.push(arg)
    else if (isFile(pathOf(arg))) files.push(pathOf(arg))
    else options.push(arg)
  }
  return { files, options }
}

const hasValue = (name: string) => serve.options[name]?.value !== undefined

/** Switches whose value may be the next argument: Chromium expects `=`, but people write a space; macOS passes the last two. */
const FOREIGN_WITH_VALUE = [
  '--force-device-scale-factor',
  '--lang',
  '--ozone-platform',
  '--password-store',
  '--proxy-server',
  '--remote-debugging-port',
  '--user-data-dir',
  '-ApplePersistenceIgnoreState',
  '-NSDocumentRevisionsDebugMode',
]

const isFile = (path: string) => [BUNDLE, ...SCENARIOS].includes(endingOf(path))

/** File managers of Linux pass `file:///…%20…` where the desktop entry has `%U`. */
function pathOf(arg: string): string {
  if (!/^file:/i.test(arg)) return arg
  try {
    return fileURLToPath(arg)
  } catch {
    return arg // A file of another machine: reading it reports the address.
  }
}
