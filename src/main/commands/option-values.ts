import { readFileSync } from 'node:fs'
import { EXPECTED_SEED, SEED_OF_HARD_MODE } from '../../api/contract/terms/texts.ts'
import { OptionError } from './command.ts'

/** What the texts of options mean. Each reader throws what it expects. */

export function refuse(expected: string, found: string): never {
  throw new OptionError(`${expected} expected; found ${found === '' ? 'an empty text' : found}`)
}

export const number = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : refuse(`a number from ${least} to ${most} is`, text)
}

/** A date alone is its midnight in UTC. */
export function instant(text: string): string {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/.exec(text) ?? []
  const ms = date === undefined ? Number.NaN : Date.parse(text)
  // Date.parse() takes 2026-02-31 for a day of March.
  if (!Number.isNaN(ms) && new Date(date!).toISOString().startsWith(date!)) return new Date(ms).toISOString()
  return refuse('an ISO 8601 instant such as 2026-11-23T14:30:00Z is', text)
}

/** Names separated by commas. */
export const names = (known: readonly string[]) => (text: string) => {
  const given = text.split(',').map((name) => name.trim())
  const unknown = given.find((name) => !known.includes(name))
  return unknown === undefined ? given : refuse(`${known.join(', ')}, separated by commas, are`, unknown)
}

/** As browsers send them: scheme, host and port, without a path. */
export function origins(texts: readonly string[]): readonly string[] {
  for (const text of texts)
    if (!/^https?:/.test(text) || !URL.canParse(text) || new URL(text).origin !== text)
      refuse('the origin of a web page, such as http://localhost:5173, is', text)
  return texts
}

export function receiver(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return text.replace(/\/$/, '')
  return refuse('an address such as http://127.0.0.1:8080/hooks, without ? and #, is', text)
}

/** What a new world begins with, as `worlds.create` takes it. */
export function source(text: string): string | Readonly<Record<string, string | number>> {
  const [, kind = '', name = ''] = /^(snapshot|commit|world):(.+)$/s.exec(text) ?? []
  if (kind === 'commit' && /^\d+$/.test(name)) return { commit: Number(name) }
  if (kind === 'snapshot' || kind === 'world') return { [kind]: name }
  if (['demo', 'empty', 'hosted', 'current'].includes(text)) return text
  return refuse('one of demo, empty, hosted, current, snapshot:NAME, commit:NUMBER, world:NAME is', text)
}

/** The uid and the HMAC key of a Program. */
export function program(text: string): { readonly uid: string; readonly hmac_key: string } {
  const [, uid, hmac_key] = /^([^:]+):(.{16,})$/s.exec(text) ?? []
  // The text may hold a key, so it is not repeated.
  if (uid === undefined || hmac_key === undefined)
    throw new OptionError('a uid and a key of at least 16 characters are expected, with a colon between them')
  return { uid, hmac_key }
}

/** The text of a file. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(`a file that can be read is (${(error as NodeJS.ErrnoException).code})`, path)
  }
}

export const hardModeSeed = (text: string) => (SEED_OF_HARD_MODE.test(text) ? text : refuse(EXPECTED_SEED, text))

export const topics = (given: readonly string[]) => (given.includes('all') ? null : given)

export function retries(text: string): number[] {
  if (text === 'none') return []
  if (/^\d{1,6}(,\d{1,6})*$/.test(text)) return text.split(',').map(Number)
  return refuse('seconds separated by commas, such as 30,60,120, or none are', text)
}
