import { writeFile } from 'node:fs/promises'
import { writeAside } from '../api/files.ts'

/** Writes a file where the user has chosen. Until it is complete, a file that was there stays. */
export async function saveFile(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeAside(path, (temporary) => writeFile(temporary, content))
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new Error(`${path} cannot be written (${reason}): choose another place.`)
  }
}
