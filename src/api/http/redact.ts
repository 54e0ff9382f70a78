import type { Seal } from '../store/seal.ts'

/**
 * What the request log keeps of a request. Tokens and keys are taken out; a Social Security number is sealed wherever
 * it stands, so that a replay can send it again; a body that cannot be parsed is masked by pattern.
 */

const SECRET_HEADERS = new Set(['authorization', 'x-control-key', 'cookie', 'set-cookie', 'proxy-authorization'])
const SSN = /\b\d{3}(-|%2D)\d{2}\1\d{4}\b/gi
const LOOSE_SSN = /\d{3}-?\d{2}-?\d{4}/g
const isSsnName = (name: string) => /ssn/i.test(name) && !/last_four/i.test(name)

export type HeaderList = [string, string][]

export const redactText = (text: string, { seal }: Seal): string =>
  text.replace(SSN, (number) => seal(number.replace(/%2D/gi, '-')))

export function redactHeaders(headers: Readonly<Record<string, unknown>>, seal: Seal): HeaderList {
  return Object.entries(headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.has(name) ? '[removed]' : redactText(Array.isArray(value) ? value.join(', ') : String(value), seal),
  ])
}

export function redactBody(text: string, type: string | undefined, seal: Seal): string {
  if (text === '') return ''
  if (type?.includes('x-www-form-urlencoded')) return redactForm(text, seal)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return text.replace(LOOSE_SSN, '[masked]')
  }
  const clean = redactValue(parsed, seal, 0)
  const written = JSON.stringify(clean)
  // Only what had to be changed is written anew: a replay sends the caller's own bytes where it can.
  return written === JSON.stringify(parsed) ? text : written
}

function redactValue(value: unknown, seal: Seal, depth: number): unknown {
  if (depth > 64) return '[too deep]'
  if (typeof value === 'string') return redactText(value, seal)
  if (Array.isArray(value)) return value.map((part) => redactValue(part, seal, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      redactText(name, seal),
      isSsnName(name) && (typeof part === 'string' || typeof part === 'number') && part !== ''
        ? seal.seal(String(part))
        : redactValue(part, seal, depth + 1),
    ]),
  )
}

function redactForm(text: string, seal: Seal): string {
  const pairs = [...new URLSearchParams(text)]
  const clean = pairs.map(([name, value]): [string, string] => [
    redactText(name, seal),
    isSsnName(name) && value !== '' ? seal.seal(value) : redactText(value, seal),
  ])
  const changed = pairs.some(([name, value], i) => name !== clean[i]![0] || value !== clean[i]![1])
  return changed ? new URLSearchParams(clean).toString() : text
}
