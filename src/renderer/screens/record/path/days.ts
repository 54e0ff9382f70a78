/** Days beside each other, on which banks are open or closed. */

/** Days on which banks are closed are narrower. */
export const CLOSED_WIDTH = 0.47

export interface Day {
  readonly start: number
  readonly end: number
  readonly closed: boolean
  readonly holiday: string | undefined
  /** In days of full width. */
  readonly left: number
  readonly width: number
}

/** The position of an instant on the scale, from 0 to 1; undefined if it is after the last day. */
export function positionOnScale(days: readonly Day[], at: number): number | undefined {
  const last = days.at(-1)!
  const day = days.find(({ end }) => at < end)
  if (!day) return undefined
  const within = Math.max(0, (at - day.start) / (day.end - day.start))
  return (day.left + within * day.width) / (last.left + last.width)
}
