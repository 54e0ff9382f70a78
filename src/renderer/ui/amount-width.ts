import { formatAmount } from '../format/text.ts'

/** Of a figure or a sign, and of a comma or a point, in pixels. */
const FIGURE = 7.95
const POINT = 3.5

interface WidthOptions {
  /** At both sides together. */
  readonly padding?: number
  readonly least: number
  /** The amounts have a sign. */
  readonly isMovement?: boolean
}

/** The width of a column that cuts none of the amounts, as a grid track. */
export function amountTrack(
  amounts: readonly (string | null | undefined)[],
  { padding = 16, least, isMovement = false }: WidthOptions,
): string {
  const longest = amounts.reduce<string>(
    (found, amount) => ((amount?.length ?? 0) > found.length ? amount! : found),
    '',
  )
  const text = formatAmount(longest, isMovement)
  const points = text.match(/[,.]/g)?.length ?? 0
  return `${Math.max(least, padding + Math.ceil(points * POINT + (text.length - points) * FIGURE))}px`
}
