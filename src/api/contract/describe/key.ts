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

/** Of what completion knows beside the names. No name has a key with a blank. */
export const WORDS_KEY = 'words of completion'

/** Two lines: the keys between tabs, and what they stand for. JSON has neither tabs nor ends of lines. A file of ASCII alone is read faster. */
export const toPrepared = (keys: readonly string[], value: object) =>
  `\t${keys.join('\t')}\t\n${JSON.stringify(value).replaceAll(/[^ -~]/g, toEscape)}\n`
const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Searches the lines and reads the one that it needs: reading all of them takes longer than a command takes to run. */
export function findPrepared<T>(lines: string, key: string): T | undefined {
  const at = lines.indexOf(`\t${key}\t`)
  const start = lines.indexOf('\n', at) + 1
  return at === -1 ? undefined : (JSON.parse(lines.slice(start, lines.indexOf('\n', start))) as T)
}
