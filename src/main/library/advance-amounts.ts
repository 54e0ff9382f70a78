/** How far the clock is to be advanced, as people write it. */

export type AdvanceAmount = { by: string } | { business_days: number } | { until: 'next' | 'idle' }

const UNITS: readonly (readonly [RegExp, 'W' | 'D' | 'H' | 'M' | 'S'])[] = [
  [/^w(eeks?)?$/, 'W'],
  [/^d(ays?)?$/, 'D'],
  [/^h(ours?)?$/, 'H'],
  [/^m(in(utes?)?)?$/, 'M'],
  [/^s(ec(onds?)?)?$/, 'S'],
]

/** `8bd`, `8 business days`, `24h`, `1d12h`, `30 minutes`, `PT24H`, `next`, `idle`; undefined for anything else. */
export function parseAdvance(text: string): AdvanceAmount | undefined {
  const plain = text.trim().toLowerCase()
  if (plain === 'next' || plain === 'idle') return { until: plain }
  const [, days] = /^(\d+)\s*(?:bd|business[ -]?days?)$/.exec(plain) ?? []
  if (days !== undefined) return { business_days: Number(days) }
  if (/^p(?=\d|t\d)[\dtwdhms.]+$/.test(plain)) return { by: plain.toUpperCase() }
  const by = toDuration(plain)
  return by === undefined ? undefined : { by }
}

/** The ISO 8601 duration. */
function toDuration(plain: string): string | undefined {
  const parts = [...plain.matchAll(/(\d{1,12}(?:\.\d{1,12})?)\s*([a-z]{1,12})\s*/g)]
  const units = parts.map(([, , name]) => UNITS.find(([pattern]) => pattern.test(name!))?.[1])
  const isWhole = parts.map(([part]) => part).join('') === plain
  if (parts.length === 0 || !isWhole || units.includes(undefined)) return undefined
  const amountOf = (unit: string) =>
    parts.flatMap(([, amount], at) => (units[at] === unit ? [`${amount}${unit}`] : [])).join('')
  const time = `${amountOf('H')}${amountOf('M')}${amountOf('S')}`
  return `P${amountOf('W')}${amountOf('D')}${time === '' ? '' : `T${time}`}`
}
