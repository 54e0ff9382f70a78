import type { Dictionary } from './dictionary.ts'
import type { TextMask } from './mask-text.ts'
import { decode } from './mask-walk.ts'

/** Masks headers and callers: addresses, clients, and texts of the caller. */
export class HeaderMask {
  readonly #dictionary: Dictionary
  readonly #texts: TextMask

  constructor(dictionary: Dictionary, texts: TextMask) {
    this.#dictionary = dictionary
    this.#texts = texts
  }

  header(name: string, value: string): string {
    if (/^(x-forwarded-for|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|via)$/.test(name))
      return this.#maskIps(value)
    if (/^(cookie|set-cookie|authorization|proxy-authorization)$/.test(name)) return '[removed]'
    if (name === 'user-agent') return this.#maskUserAgent(value)
    if (name === 'x-sandbank-hints')
      return value
        .split(', ')
        .map((hint) => encode(this.#texts.patterns(decode(hint))))
        .join(', ')
    if (/^(content-|accept|date$|connection$|host$|etag$|transfer-)/.test(name)) return this.#texts.patterns(value)
    return this.#texts.text(value)
  }

  caller(caller: string): string {
    const [, address = '', agent = ''] = /^([^,]*)(.*)$/s.exec(caller) ?? []
    return (/^(::ffff:)?127\.|^::1$/.test(address) ? address : this.#maskIps(address)) + this.#maskUserAgent(agent)
  }

  /** Keeps the names of products, and removes the details of the machine in parentheses. */
  #maskUserAgent = (text: string) => this.#texts.text(text.replaceAll(/\([^)]*(?:\)|$)/g, '(removed)'))

  #maskIps = (text: string) =>
    this.#texts.text(
      text.replaceAll(/\d{1,3}(?:\.\d{1,3}){3}|(?<![\da-f])[\da-f]*(?::[\da-f]*){2,}(?:%\w+)?/gi, (ip) =>
        this.#dictionary.ip(ip),
      ),
    )
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())
