import { writeFile } from 'node:fs/promises'
import { writeAside } from '../api/files.ts'

/** Writes what a window exports where its user has chosen. Until it is complete, a file that was there stays. */
export async function saveFile(path: string, text: string): Promise<void> {
  try {
    await writeAside(path, (temporary) => writeFile(temporary, text))
  } catch (error) {
    throw new Error(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`)
  }
}
