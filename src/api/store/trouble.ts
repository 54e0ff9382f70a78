/** Something about the data folder that its owner must know and can mend. One line: what was found, what to do. */
export class StoreTrouble extends Error {
  override name = 'StoreTrouble'
}
