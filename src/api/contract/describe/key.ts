/** What the command line needs to find a name, without a schema. */

/** In the order of their precedence, where two have the same name. */
export const describedKinds = [
  ...(['operation', 'method', 'resource', 'event', 'error', 'machine', 'state'] as const),
  ...(['setting', 'task', 'step', 'outcome', 'command', 'option'] as const),
] as const
export type DescribedKind = (typeof describedKinds)[number]

/** Names that mean the same have one key: blanks, dots and = between their parts are alike. */
export const toKey = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^sandbank /, '')
    .replaceAll(/[\s.=]+/g, '.')
