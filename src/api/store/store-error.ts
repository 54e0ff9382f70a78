/** A problem with the data folder that its owner can fix. One line: what was found, what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** Ends the errors about damaged files. */
export const WHAT_TO_DO =
  'Nothing was changed. Restore a copy of the folder, or run sandbank repair on it, which keeps what is whole'
