import type { HeaderList } from './recording.ts'

/** That it was there is worth knowing; what it was must not travel further. */
export const REMOVED = '[removed]'

const LEFT_OUT = new Set(['cookie', 'set-cookie', 'set-cookie2', 'proxy-authorization', 'x-control-key'])

/** In lower case, without the pseudo headers of HTTP/2 and without secrets. */
export const withoutSecrets = (headers: HeaderList): HeaderList =>
  headers
    .map(([name, value]) => [name.trim().toLowerCase(), value] as const)
    .filter(([name]) => name !== '' && !name.startsWith(':') && !LEFT_OUT.has(name))
    .map(([name, value]) => [name, name === 'authorization' ? REMOVED : value])

export const headerOf = (headers: HeaderList, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const TOKEN = /(?:auth-)?eyJ[\w-]+\.[\w-]*\.[\w-]*/g

/** As our own request log has it. */
export const withoutTokens = (text: string): string => text.replace(TOKEN, '[token removed]')
