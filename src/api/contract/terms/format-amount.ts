export const MINUS = '\u2212'

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
