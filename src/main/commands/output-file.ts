import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OptionError } from './command.ts'

/** Checks a file that an option names before the work begins, not after. `createFolder`: for one whose folder may be missing. */
export function refuseUnwritable(option: string, file: string, createFolder: (folder: string) => void = () => {}) {
  try {
    createFolder(dirname(file))
    accessSync(dirname(file), constants.W_OK)
    const exists = existsSync(file)
    writeFileSync(file, '', { flag: 'a' })
    // An interrupted command must not leave an empty file.
    if (!exists) rmSync(file)
  } catch (error) {
    throw new OptionError(`${option}: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
