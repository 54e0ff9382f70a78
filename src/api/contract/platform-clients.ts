import type { Exchange } from './control/exchanges.ts'

/** The platform's own clients: what each does, and what it needs of the Program. docs/connect.md has the same table. */

interface PlatformClient {
  readonly name: string
  /** In its User-Agent, unless it cannot be told from others. */
  readonly agent?: RegExp
  readonly does: string
  /** The setting of the Program without which it fails. */
  readonly setting?: 'trace_ids_optional' | 'tokens_in_all_worlds' | 'shows_nulls' | 'accepts_bearer'
}

/**
 * Assumed (sibling): the User-Agent of an SDK has the name of its generator and its language, as in `speakeasy-sdk/java`, and that of the clients of
 * before their version.
 */
export const platformClients: readonly PlatformClient[] = [
  {
    name: 'Java SDK',
    agent: /\bspeakeasy-sdk\/java\b/i,
    does: 'one access token for each process, whatever the base URL; `x-trace-id` always',
    setting: 'tokens_in_all_worlds',
  },
  {
    name: 'TypeScript SDK',
    agent: /\bspeakeasy-sdk\/typescript\b/i,
    does: '`x-trace-id` for `POST /auth` only',
    setting: 'trace_ids_optional',
  },
  {
    name: '.NET SDK',
    agent: /\bspeakeasy-sdk\/(?:csharp|dotnet)\b/i,
    does: 'a new token for each call; `x-trace-id` always',
  },
  {
    name: 'Go and JavaScript clients of before',
    agent: /\b(?:openapi-generator|swagger-codegen)\/(?:1\.1\.0\/go|1\.9\.1\/javascript)\b/i,
    does: 'no `x-trace-id`; the prefix `custom` before the token on loopback',
    setting: 'trace_ids_optional',
  },
  {
    name: 'Agent-tool server',
    does: 'reads keys such as `settled_at` without asking whether they exist',
    setting: 'shows_nulls',
  },
  {
    name: 'Code after the Authentication Guide',
    does: 'the prefix `Bearer` before the token',
    setting: 'accepts_bearer',
  },
]

/** What it needs, in a few words. */
export const needsOf = ({ setting }: PlatformClient): string => (setting ? `\`${setting}\`` : 'nothing')

/** The client that sent a request. */
export const findPlatformClient = ({ caller }: Pick<Exchange, 'caller'>): PlatformClient | undefined =>
  platformClients.find(({ agent }) => agent?.test(caller))
