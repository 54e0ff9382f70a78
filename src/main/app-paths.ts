import { homedir } from 'node:os'
import { join } from 'node:path'

/** The files that belong to a built host, relative to the folder of the main process; the same in an archive. */
export const appPaths = (folder: string) => ({
  window: join(folder, '../renderer'),
  preload: join(folder, '../preload/index.cjs'),
  library: join(folder, '../../resources/scenarios'),
  agents: join(folder, '../../resources/agents.md'),
  tray: join(folder, '../../resources/tray'),
  cli: join(folder, 'cli.js'),
  descriptions: join(folder, '../documents/descriptions.txt'),
  docs: join(folder, '../../docs'),
  /** Only on Linux: elsewhere the binary has it. */
  icon: join(folder, '../../resources/icons/256x256.png'),
})

/** In the system's folder for application data; the same for both hosts, as it does not ask Electron. */
export function applicationFolder(env: NodeJS.ProcessEnv, platform = process.platform, home = homedir()): string {
  const base =
    platform === 'win32'
      ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'))
  return join(base, 'Sandbank')
}

export const defaultDataFolder = (env: NodeJS.ProcessEnv, platform = process.platform, home = homedir()): string =>
  join(applicationFolder(env, platform, home), 'world')
