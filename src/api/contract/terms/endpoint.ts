import type { z } from 'zod'
import type { ErrorKey } from '../errors.ts'

/** Zod is spoken of here, and imported by the contract alone. */
export type Schema = z.ZodType
export type Issue = z.core.$ZodIssue

/** What an endpoint declares. Route, types, document and the name in the request log all come from this. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  readonly group: string
  readonly summary: string
  /** Which token opens it: the access token, or, for POST /auth alone, the refresh token. */
  readonly token?: 'refresh'
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly status: 200 | 201 | 204
  readonly response: z.ZodType
  /** In the order in which they win. What every endpoint may answer is not repeated here. */
  readonly errors: readonly ErrorKey[]
  /** Statuses that the document names although no error here has them: the platform's unexpected failures. */
  readonly documents?: readonly number[]
}

export function endpoint<const E extends Endpoint>(declared: E): E {
  return declared
}

/** `'/customers/{uid}'` → `{ uid: string }` */
export type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & Params<Rest>
  : unknown

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export interface Input<E extends Endpoint> {
  readonly params: Params<E['path']>
  readonly query: Parsed<E['query']>
  readonly body: Parsed<E['body']>
}

export type Output<E extends Endpoint> = z.input<E['response']>
