import { join } from 'node:path'

/**
 * How to run Sandbank in a terminal without a window. An installed app has a launcher for it (`resources/command/`), which
 * passes the arguments after `--` to the app's own binary.
 */

interface Installation {
  readonly packaged: boolean
  /** The app's resources folder. */
  readonly resources: string
  readonly cli: string
  readonly platform?: NodeJS.Platform
  readonly env?: NodeJS.ProcessEnv
}

/** The folder of the packages deb and rpm, which also put the launcher on the PATH. */
const INSTALLED = '/opt/Sandbank/'

export function terminalCommand({
  packaged,
  resources,
  cli,
  platform = process.platform,
  env = process.env,
}: Installation) {
  if (!packaged) return `node ${quote(cli)}`
  if (platform === 'win32') return quote(join(resources, 'bin', 'sandbank.cmd'))
  // An AppImage is one file, so a terminal cannot reach the launcher in it.
  if (platform === 'linux' && env.APPIMAGE) return `${quote(env.APPIMAGE)} --`
  if (platform === 'linux' && resources.startsWith(INSTALLED)) return 'sandbank'
  return quote(join(resources, 'bin', 'sandbank'))
}

const quote = (path: string) => (/^[\w./\\:@-]+$/.test(path) ? path : `"${path}"`)

/** The arguments of a command; undefined if the desktop is to be opened. */
export function commandArguments(argv: readonly string[]): readonly string[] | undefined {
  const at = argv.indexOf('--')
  return at === -1 ? undefined : argv.slice(at + 1)
}
