import type { z } from 'zod'
import type { ErrorKey } from '../errors.ts'
import type { ExampleName } from './examples.ts'

/** Only the contract imports zod; other folders use these types. */
export type Schema = z.ZodType
export type Issue = z.core.$ZodIssue

/** The declaration of an endpoint: its route, types, OpenAPI document and name in the request log come from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: `/${string}`
  /** The record in the path of the example. Default: any record of the collection that the path begins with. */
  readonly example?: ExampleName
  readonly group: string
  readonly summary: string
  /** One or two sentences, for the OpenAPI document. */
  readonly description: string
  /** Default: the access token. Only POST /auth takes the refresh token. */
  readonly token?: 'refresh'
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly status: 200 | 201 | 204
  readonly response: z.ZodType
  /** In order of precedence. Errors that every endpoint can answer are not repeated here. */
  readonly errors: readonly ErrorKey[]
  /** Further statuses for the OpenAPI document: the platform's unexpected failures, which never happen here. */
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
