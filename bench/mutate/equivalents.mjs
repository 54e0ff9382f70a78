// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
// Planted defects that make no difference, so no test can notice them. An entry names the file, the text of the line, what is changed
// and into what; `nth` if the line has it several times. So it holds wherever the line moves, and ends when the line changes.

import { oneLine } from './sites.mjs'

export const equivalents = [
  {
    path: 'src/api/contract/control/methods.ts',
    line: "'faults.clear': method({ isAction: true, summary: 'Remove all faults', input: nothing, output: Faults }),",
    before: 'true',
    after: 'false',
    reason: 'It counts only whether a method has the mark, and its type is `true`.',
  },
  {
    path: 'src/api/contract/terms/list.ts',
    line: "const sign = order.slice(cutAt) === '_desc' ? -1 : 1",
    before: '1',
    after: '1 + 1',
    reason: 'Only the sign of the result of a comparison counts.',
  },
  {
    path: 'src/api/contract/terms/order.ts',
    line: 'return (x < y ? -1 : 1) * sign',
    before: '1',
    after: '1 + 1',
    reason: 'Only the sign of the result of a comparison counts.',
  },
  {
    path: 'src/api/control/bundles.ts',
    line: 'let length = 0',
    before: '0',
    after: '0 + 1',
    reason: 'The limit is a million characters below the longest text, so one more or less does not matter.',
  },
  {
    path: 'src/api/domain/rules/ledger.ts',
    line: 'if (!account) throw new Error(`There is no Synthetic Account ${uid} to post to`)',
    before: 'throw new Error(`There is no Synthetic Account ${uid} to post to`)',
    after: '(removed)',
    reason: 'Accounts are never deleted, and a bundle with a payment of a missing one is refused.',
  },
  {
    path: 'src/api/http/redact.ts',
    line: "if (at < 0) return steps.join('/')",
    before: '0',
    after: '0 + 1',
    reason: 'A path begins with a slash, so the question mark is never its first character.',
  },
  {
    path: 'src/api/replay/bundles/import.ts',
    line: 'return { balanced: false, problems: [(error as Error).message] }',
    before: 'return { balanced: false, problems: [(error as Error).message] }',
    after: 'return undefined',
    reason: 'The records were checked before, so the check of the books does not throw.',
  },
  {
    path: 'src/api/store/draft.ts',
    line: 'const noIndex = (field: string) => new Error(`No index on ${field}: declare it in world.ts`)',
    before: 'new Error(`No index on ${field}: declare it in world.ts`)',
    after: 'undefined',
    reason: 'Types exclude a field without an index.',
  },
  {
    path: 'src/api/views/records.ts',
    line: 'schemas.set(key, schema)',
    before: 'schemas.set(key, schema)',
    after: '(removed)',
    reason: 'The schema is created again for each page, and is the same.',
  },
]

/** The entry for this defect, if it was judged. */
export const findEquivalent = ({ path, source, before, after, nth }) =>
  equivalents.find(
    (entry) =>
      entry.path === path &&
      entry.line === source &&
      entry.before === oneLine(before) &&
      entry.after === oneLine(after) &&
      (entry.nth ?? 1) === nth,
  )
