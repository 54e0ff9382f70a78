import { ApiError } from '../../contract/errors.ts'
import {
  type DrawnSetting,
  drawnSettings,
  drawnValues,
  type Program,
  type ProgramChanges,
} from '../../contract/resources/programs.ts'
import { digitsAt } from '../../store/uid.ts'
import type { ReadWorld } from '../../store/world.ts'

/** Each setting is drawn on its own, so a further one changes none of the others. */
function drawValue(seed: string, setting: DrawnSetting) {
  const values = drawnValues[setting]
  return values[Number(digitsAt(`${seed} ${setting}`, 0, 9)) % values.length]
}

/**
 * The settings of a Program after changes: hard_mode draws those that the changes do not give and that are at their default or drawn
 * already. One that is given is no longer drawn. Without hard_mode those that were drawn are at their default again.
 */
export function drawSettings<P extends Program>(before: P, after: P, given: ProgramChanges): P {
  const isGiven = (setting: DrawnSetting) => given[setting] !== undefined
  const was = before.drawn_settings.filter((setting) => !isGiven(setting))
  if (given.hard_mode === undefined) return { ...after, drawn_settings: was }
  const reset = Object.fromEntries(was.map((setting) => [setting, drawnValues[setting][0]]))
  const seed = given.hard_mode
  if (seed === null) return { ...after, ...reset, drawn_settings: [] }
  const undrawn = { ...after, ...reset }
  const drawn = drawnSettings.filter((setting) => !isGiven(setting) && undrawn[setting] === drawnValues[setting][0])
  if (drawn.length === 0)
    throw new ApiError(
      'invalidArgument',
      `hard_mode: nothing is left to draw, as each of ${drawnSettings.join(', ')} is given or not at its default; leave one out, or hard_mode`,
    )
  const values = Object.fromEntries(drawn.map((setting) => [setting, drawValue(seed, setting)]))
  return { ...undrawn, ...values, drawn_settings: drawn }
}

/** Of the first Program: a reset and fresh worlds keep it. */
export function hardModeOf({ collections }: ReadWorld): string | undefined {
  const [first] = collections.programs.inOrder()
  return first?.hard_mode ?? undefined
}
