import { authEndpoints } from './resources/auth.ts'
import { customerEndpoints } from './resources/customers.ts'
import type { Endpoint } from './terms/endpoint.ts'

/** Every endpoint, in the order of the specification's section 4.1. */
export const endpoints = {
  ...authEndpoints,
  ...customerEndpoints,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
