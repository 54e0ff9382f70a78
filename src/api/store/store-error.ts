/** Something about the data folder that its owner must know and can mend. One line: what was found, what to do. */
export class StoreError extends Error {
  override name = 'StoreTrouble'
}
