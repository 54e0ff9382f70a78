export { formatAmount, MINUS } from '../../api/contract/terms/format-amount.ts'

const grouped = new Intl.NumberFormat('en-US')
export const formatCount = (n: number) => grouped.format(n)

export const formatMilliseconds = (ms: number) => (ms < 100 ? ms.toFixed(1) : formatCount(Math.round(ms)))

/** 1 request, 2 requests */
export const plural = (n: number, one: string, more = `${one}s`) => `${formatCount(n)} ${n === 1 ? one : more}`
