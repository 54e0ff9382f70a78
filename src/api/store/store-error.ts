/** A problem with the data folder that its owner can fix. One line: what was found, what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}
