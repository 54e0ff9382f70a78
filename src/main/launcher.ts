import { join } from 'node:path'

/**
 * How a terminal is told to run a command of Sandbank without a window. An installed app brings a launcher for it
 * (`resources/command/`), which hands what stands behind `--` to the app's own binary.
 */

interface Installed {
  readonly packaged: boolean
  /** The app's folder of resources. */
  readonly resources: string
  readonly cli: string
  readonly platform?: NodeJS.Platform
  readonly env?: NodeJS.ProcessEnv
}

/** Where the package for Debian puts the app; it puts the launcher on the path as well. */
const DEBIAN = '/opt/Sandbank/'

export function commandOf({ packaged, resources, cli, platform = process.platform, env = process.env }: Installed) {
  if (!packaged) return `node ${quoted(cli)}`
  if (platform === 'win32') return quoted(join(resources, 'bin', 'sandbank.cmd'))
  // An AppImage is one file: nothing of it lies where a terminal could reach it.
  if (platform === 'linux' && env.APPIMAGE) return `${quoted(env.APPIMAGE)} --ozone-platform=headless --disable-gpu --`
  if (platform === 'linux' && resources.startsWith(DEBIAN)) return 'sandbank'
  return quoted(join(resources, 'bin', 'sandbank'))
}

const quoted = (path: string) => (/^[\w./\\:@-]+$/.test(path) ? path : `"${path}"`)

/** The arguments of a command, when one is given; the desktop is opened otherwise. */
export function commandIn(argv: readonly string[]): readonly string[] | undefined {
  const at = argv.indexOf('--')
  return at === -1 ? undefined : argv.slice(at + 1)
}
