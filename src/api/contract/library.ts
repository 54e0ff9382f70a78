import { z } from 'zod'
import { ClockMode, Pace } from './control/clock.ts'
import { WorldKind } from './control/worlds.ts'
import { parseInstant } from './terms/amounts-of-time.ts'
import { EXPECTED_SEED, isOneLine, SEED_OF_HARD_MODE } from './terms/texts.ts'

/** The options of `startSandbox()`. The error of each says what is expected. */

const oneOf = <T extends string>(values: readonly T[]) =>
  z.enum(values as readonly [T, ...T[]], { error: values.map((value) => `'${value}'`).join(' or ') }).optional()

const EARLIEST = Date.UTC(1900, 0)
const LATEST = Date.UTC(9000, 0)
/** Assumed (invented): a world begins in a year from 1900 to 9000. */
export const canBeStart = (ms: number): boolean => ms >= EARLIEST && ms <= LATEST

const text = (error: string, most: number) =>
  z.string({ error }).min(1, { error }).max(most, { error }).refine(isOneLine, { error })

const PORT = 'a port from 0 to 65535; without it the sandbox takes a free one'
const INSTANT = 'an instant such as 2026-11-23T15:00:00Z, or a Date, of a year from 1900 to 9000'
function parseOrNaN(instant: string): number {
  try {
    return parseInstant(instant)
  } catch {
    return Number.NaN
  }
}

export const MIN_CONTROL_KEY = 16
const KEY = `a text of ${MIN_CONTROL_KEY} to 200 characters of ASCII; without it the key is random`

export const StartOptions = z.strictObject({
  port: z.int({ error: PORT }).min(0, { error: PORT }).max(65_535, { error: PORT }).optional(),
  data: text('the path of a folder; without it nothing is saved', 4_096).optional(),
  world: oneOf(WorldKind.options),
  seed: text('a text of at most 200 characters without control characters', 200).optional(),
  start: z
    .union([z.string(), z.date()], { error: INSTANT })
    .transform((start) => (typeof start === 'string' ? parseOrNaN(start) : start.getTime()))
    .refine(canBeStart, { error: INSTANT })
    .optional(),
  clock: oneOf(ClockMode.options),
  pace: oneOf(Pace.options),
  hard_mode: z
    .string()
    .regex(SEED_OF_HARD_MODE, { error: EXPECTED_SEED.replace(/ are$/, '') })
    .optional(),
  control_key: z
    .string({ error: KEY })
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]{14,198}[\x21-\x7e])$/, { error: KEY })
    .optional(),
  child: z.boolean({ error: 'true or false' }).optional(),
})
export type StartOptions = z.output<typeof StartOptions>
