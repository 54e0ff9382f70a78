import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Files that only their owner reads, in folders where another program may have put something else under their name. */

/** Creates it in place of a file or a link of that name, which is not followed. Opens it to read and write. */
export function createFile(path: string): number {
  rmSync(path, { force: true })
  return openSync(path, 'wx+', 0o600)
}

export function writePrivateFile(path: string, text: string) {
  const file = createFile(path)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

/** A process that reads the file meanwhile finds the old text or the new one. */
export function replacePrivateFile(path: string, text: string) {
  const temporary = `${path}.new`
  try {
    writePrivateFile(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The text, or what was found instead of a small regular file of this user. Never waits, as a pipe or a device would let it. */
export function readSmallFile(path: string, most: number): { readonly text: string } | { readonly found: string } {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return { found: CODES[code] ?? `a file that cannot be read (${code})` }
  }
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) return { found: 'a folder' }
    if (!stats.isFile()) return { found: stats.isFIFO() ? 'a pipe' : 'a device' }
    if (process.getuid && stats.uid !== process.getuid()) return { found: 'a file of another user' }
    if (stats.size > most) return { found: `${stats.size} bytes` }
    const bytes = Buffer.alloc(stats.size)
    return { text: bytes.toString('utf8', 0, readSync(file, bytes, 0, stats.size, 0)) }
  } finally {
    closeSync(file)
  }
}

const CODES: Readonly<Record<string, string>> = {
  ENOENT: 'nothing',
  ELOOP: 'a link',
  EMLINK: 'a link',
  EISDIR: 'a folder',
  ENXIO: 'a socket',
}
