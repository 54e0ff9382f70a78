import { z } from 'zod'

/** What a bundle says about its mask. */

/** What the user may keep, and what a reader then sees. */
export const keepable = {
  ssn_last_four: 'the last four digits of Social Security numbers and tax identifiers',
  state: 'the states of addresses',
  suffix: 'suffixes of names, such as Jr',
} as const
export type Keepable = keyof typeof keepable
export const keepableNames = Object.keys(keepable) as [Keepable, ...Keepable[]]
export const Keepable = z.enum(keepableNames)

/** A longer text is cut in bundles: masking takes up to 5 µs for each character. */
export const MAX_MASKED = 4_096

/** What was cut in an export. */
export const describeCuts = (cut: number): string =>
  `In ${cut} ${cut === 1 ? 'place' : 'places'} a text of more than ${MAX_MASKED} characters is cut: a replay may differ there.`

/** What no mask may change without changing what the sandbox does. */
const ALWAYS_LEFT = [
  'the length of names and numbers, with capitals, blanks and signs',
  'countries, and the last part of email addresses, such as .com',
  'whether a person is under 18, but no day, month or year of birth',
  'words in free texts that are no value of another field',
  'amounts, times, uids, routing numbers, outcomes, and the names of Programs',
  'the values of the demo world, which belong to no person',
] as const

/** Everything personal that stays readable in a bundle with these values kept. */
export const leftByMask = (keep: readonly Keepable[] = []): readonly string[] => [
  ...keepableNames.filter((name) => keep.includes(name)).map((name) => keepable[name]),
  ...ALWAYS_LEFT,
]
