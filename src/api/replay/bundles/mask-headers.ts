import { decodePercents } from '../../http/percent.ts'
import type { Dictionary } from './dictionary.ts'
import type { TextMask } from './mask-text.ts'

/** Masks headers and callers: addresses, clients, and texts of the caller. */

interface Masks {
  readonly dictionary: Dictionary
  readonly texts: TextMask
}

export function maskHeader(masks: Masks, name: string, value: string): string {
  const { texts } = masks
  if (/^(x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|via)$/.test(name))
    return maskIps(masks, value)
  if (/^(cookie|set-cookie|authorization|proxy-authorization)$/.test(name)) return '[removed]'
  if (name === 'user-agent') return maskUserAgent(masks, value)
  if (name === 'x-sandbank-hints')
    return value
      .split(', ')
      .map((hint) => encodeURIComponent(texts.patterns(decodePercents(hint)).toWellFormed()))
      .join(', ')
  if (/^(content-|accept|date$|connection$|host$|etag$|transfer-)/.test(name)) return texts.patterns(value)
  return texts.text(value)
}

export function maskCaller(masks: Masks, caller: string): string {
  const [, address = '', agent = ''] = /^([^,]*)(.*)$/s.exec(caller) ?? []
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(address)
  return (isLocal ? address : maskIps(masks, address)) + maskUserAgent(masks, agent)
}

/** Keeps the names of products, and removes the details of the machine in parentheses. */
const maskUserAgent = ({ texts }: Masks, text: string) => texts.text(text.replaceAll(/\([^)]*(?:\)|$)/g, '(removed)'))

const maskIps = ({ dictionary, texts }: Masks, text: string) =>
  texts.text(
    text.replaceAll(/\d{1,3}(?:\.\d{1,3}){3}|(?<![\da-f])[\da-f]*(?::[\da-f]*){2,}(?:%\w+)?/gi, (ip) =>
      dictionary.ip(ip),
    ),
  )
