/** Amounts of dollars as whole cents. */

export const toCents = (text: string): bigint => BigInt(text.replace('.', ''))

export const formatCents = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
