import { join } from 'node:path'

/** The files that belong to a built host, relative to the folder of the main process; the same in an archive. */
export const appPaths = (folder: string) => ({
  window: join(folder, '../renderer'),
  preload: join(folder, '../preload/index.cjs'),
  library: join(folder, '../../resources/scenarios'),
  cli: join(folder, 'cli.js'),
})
