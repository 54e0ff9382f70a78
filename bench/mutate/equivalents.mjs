// Planted defects that make no difference, so no test can notice them. They are named by file, the text of the line, what is changed and
// into what, so an entry holds wherever the line moves, and ends when it changes. A run lists them apart.

import { oneLine } from './sites.mjs'
export const equivalents = []

/** The entry for this defect, if it was judged. */
export const findEquivalent = ({ path, source, before, after }) =>
  equivalents.find(
    (entry) =>
      entry.path === path &&
      entry.line === source &&
      entry.before === oneLine(before) &&
      entry.after === oneLine(after),
  )
