import { OptionError } from './command.ts'

/** How far the clock is to be advanced, as people write it. */
export type AdvanceAmount = { by: string } | { business_days: number } | { until: 'next' | 'idle' }

const UNITS: readonly (readonly [RegExp, 'W' | 'D' | 'H' | 'M' | 'S'])[] = [
  [/^w(eeks?)?$/, 'W'],
  [/^d(ays?)?$/, 'D'],
  [/^h(ours?)?$/, 'H'],
  [/^m(in(utes?)?)?$/, 'M'],
  [/^s(ec(onds?)?)?$/, 'S'],
]

/** `8bd`, `8 business days`, `24h`, `1d12h`, `30 minutes`, `PT24H`, `next`, `idle`. */
export function parseAmount(text: string): AdvanceAmount {
  const plain = text.trim().toLowerCase()
  if (plain === 'next' || plain === 'idle') return { until: plain }
  const [, days] = /^(\d+)\s*(?:bd|business[ -]?days?)$/.exec(plain) ?? []
  if (days !== undefined) return { business_days: Number(days) }
  if (/^p[\dtwdhms.]+$/.test(plain)) return { by: plain.toUpperCase() }
  return { by: toDuration(plain, text) }
}

function toDuration(plain: string, text: string): string {
  const parts = [...plain.matchAll(/(\d{1,12}(?:\.\d{1,12})?)\s*([a-z]{1,12})\s*/g)]
  const units = parts.map(([, , name]) => UNITS.find(([pattern]) => pattern.test(name!))?.[1])
  const isWhole = parts.map(([part]) => part).join('') === plain
  if (parts.length === 0 || !isWhole || units.includes(undefined))
    throw new OptionError(`${text}: 8bd (business days), 24h, 1d12h, PT24H, next or idle is expected`)
  const amountOf = (unit: string) =>
    parts.flatMap(([, amount], at) => (units[at] === unit ? [`${amount}${unit}`] : [])).join('')
  const time = `${amountOf('H')}${amountOf('M')}${amountOf('S')}`
  return `P${amountOf('W')}${amountOf('D')}${time === '' ? '' : `T${time}`}`
}

/** `30`, `30s`, `2m`, `PT30S`: a time to wait in milliseconds. */
export function parseSeconds(option: string, text: string): number {
  const [, amount, unit = 's'] = /^(?:PT)?(\d+(?:\.\d+)?)(ms|s|m)?$/i.exec(text) ?? []
  if (amount === undefined) throw new OptionError(`${option}: a time such as 30s is expected`)
  return Number(amount) * { ms: 1, s: 1_000, m: 60_000 }[unit.toLowerCase() as 'ms' | 's' | 'm']
}
