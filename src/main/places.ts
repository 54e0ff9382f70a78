import { join } from 'node:path'

/** Where a built host finds what comes with it: beside its own folder, in an archive as in a checkout. */
export const placesOf = (folder: string) => ({
  window: join(folder, '../renderer'),
  preload: join(folder, '../preload/index.cjs'),
  library: join(folder, '../../resources/scenarios'),
  cli: join(folder, 'cli.js'),
})
