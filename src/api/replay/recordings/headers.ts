import { isSecretHeader } from '../../http/secret-fields.ts'
import { removeTokens } from '../../http/secret-text.ts'
import type { HeaderList } from './recording.ts'

/** The value of a secret header: that it was sent matters, its value must not be passed on. */
export const REMOVED = '[removed]'

/** In lower case, without the pseudo headers of HTTP/2 and without secrets. */
export const withoutSecrets = (headers: HeaderList): HeaderList =>
  headers
    .map(([name, value]) => [name.trim().toLowerCase(), value] as const)
    .filter(([name]) => name !== '' && !name.startsWith(':') && (name === 'authorization' || !isSecretHeader(name)))
    .map(([name, value]) => [name, name === 'authorization' ? REMOVED : value])

export const headerOf = (headers: HeaderList, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

/** As in the request log. */
export const withoutTokens = removeTokens
