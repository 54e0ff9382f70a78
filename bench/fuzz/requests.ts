import type { MethodName } from '../../src/api/contract/control/methods.ts'
import type { ForgedToken } from './forged-tokens.ts'
import type { BuilderContext } from './valid-requests.ts'

/** One request as plain data, so that it can be sent again and printed as a curl line. */
export interface FuzzRequest {
  readonly door: 'api' | 'control'
  /** The endpoint or control method; null when the path belongs to none. */
  readonly name: string | null
  readonly method: string
  /** Without the origin. */
  readonly path: string
  /** Several values are sent as several headers. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly text?: string
  /** It replaces $REPEATED when the request is sent. */
  readonly repeated?: { readonly unit: string; readonly times: number }
  /** The text is the one of largeInputs with this name. */
  readonly large?: { readonly name: string; readonly bytes: number }
  /** The token is forged in this way when the request is sent. */
  readonly token?: ForgedToken
  /** The text is a bundle of the present world, with a defect that follows from this seed. */
  readonly edit?: string
  /** Sent at the same time, one after the other: the request replaces the world. */
  readonly meanwhile?: readonly FuzzRequest[]
  /** It must be refused. */
  readonly isForbidden?: true
  /** The world is that of an edited bundle, whose books may differ. */
  readonly hasEditedWorld?: boolean
  /** Faults are active: errors and dropped connections are expected. */
  readonly hasFaults?: boolean
}

/** What the requests of a run are generated from. */
export interface RequestContext extends BuilderContext {
  readonly seed: string
  /** Returns a new trace id. */
  readonly trace: () => string
  /** About as many requests are in the request log. */
  readonly exchanges: () => number
  /** The latest requests of the API. */
  readonly recent: () => readonly FuzzRequest[]
  /** Addresses of receivers that do everything wrong. */
  readonly receivers: readonly string[]
}

export const controlRequest = (name: MethodName, input: unknown): FuzzRequest => ({
  door: 'control',
  name,
  method: 'POST',
  path: `/control/${name}`,
  headers: JSON_TYPE,
  text: asText(input),
})

/** A request that replaces the world by its own bundle with one defect. */
export const editedImport = (seed: string): FuzzRequest => ({
  ...controlRequest('bundles.import', { text: '' }),
  edit: seed,
})

export const JSON_TYPE = { 'content-type': 'application/json' }

/** A lone surrogate cannot be encoded, so it is replaced. */
export function encoded(value: unknown): string {
  return encodeURIComponent(String(value ?? '').toWellFormed())
}

export const asText = (value: unknown): string => JSON.stringify(value) ?? ''
