export const MINUS = '\u2212'

const grouped = new Intl.NumberFormat('en-US')
export const count = (n: number) => grouped.format(n)

export const milliseconds = (ms: number) => (ms < 100 ? ms.toFixed(1) : count(Math.round(ms)))

/** 1 request, 2 requests */
export const many = (n: number, one: string, more = `${one}s`) => `${count(n)} ${n === 1 ? one : more}`

/** Money as a statement prints it: two places, thousands apart, a real minus. It stays text: never a float. */
export function written(value: string, movement = false): string {
  const [, minus, whole, places] = /^(-?)(\d+)\.(\d{2})$/.exec(value) ?? []
  if (whole === undefined) return value
  const zero = /^0+$/.test(whole) && places === '00'
  const sign = zero ? '' : minus ? MINUS : movement ? '+' : ''
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${places}`
}
