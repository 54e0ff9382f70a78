export const MINUS = '\u2212'

const grouped = new Intl.NumberFormat('en-US')
export const formatCount = (n: number) => grouped.format(n)

export const formatMilliseconds = (ms: number) => (ms < 100 ? ms.toFixed(1) : formatCount(Math.round(ms)))

/** 1 request, 2 requests */
export const plural = (n: number, one: string, more = `${one}s`) => `${formatCount(n)} ${n === 1 ? one : more}`

/** An amount as on a bank statement: thousands separators, two decimals, a real minus. It stays text, never a float. */
export function formatAmount(value: string, movement = false): string {
  const [, minus, whole, places] = /^(-?)(\d+)\.(\d{2})$/.exec(value) ?? []
  if (whole === undefined) return value
  const zero = /^0+$/.test(whole) && places === '00'
  const sign = zero ? '' : minus ? MINUS : movement ? '+' : ''
  return `${sign}${separateThousands(whole)}.${places}`
}

function separateThousands(digits: string): string {
  const groups = [digits.slice(0, digits.length % 3)].filter(Boolean)
  for (let at = digits.length % 3; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3))
  return groups.join(',')
}
