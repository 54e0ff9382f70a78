/** A problem with the data folder that its owner can fix. One line: what was found, what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** Ends the errors about damaged files. */
export const WHAT_TO_DO =
  'Nothing was changed. Restore a copy of the folder, or run sandbank repair on it, which keeps what is whole'

/** An error of the file system. */
export const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string'

export const unreadable = (path: string, error: NodeJS.ErrnoException) =>
  new StoreError(`${path} cannot be read (${error.code}). ${WHAT_TO_DO}`, { cause: error })
