import { randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Addresses that open the window in a browser of this machine without the control key in them: any user of the machine can read the command
 * line of a process that starts a browser. Each is valid once. The page that it leads to passes the key on in the fragment.
 */

export const OPENS_WITHIN_MS = 60_000
/** A caller with the key may ask for many. */
const MOST = 1_000

interface Opening {
  readonly code: Buffer
  /** Of the window, with its key. */
  readonly address: string
  readonly until: number
}

export class Openings {
  #waiting: Opening[] = []
  readonly #now: () => number

  constructor(now = () => Date.now()) {
    this.#now = now
  }

  /** Returns the path that leads to the address. */
  add(address: string): string {
    const code = randomBytes(18)
    const until = this.#now() + OPENS_WITHIN_MS
    this.#waiting = [...this.#valid().slice(1 - MOST), { code, address, until }]
    return `/open/${code.toString('base64url')}`
  }

  /** undefined for a code that is unknown, too old, or was taken before. Compares in constant time. */
  take(text: string): string | undefined {
    const given = Buffer.from(text, 'base64url')
    const found = this.#valid().filter(({ code }) => code.length === given.length && timingSafeEqual(code, given))
    this.#waiting = this.#waiting.filter((one) => !found.includes(one))
    return found[0]?.address
  }

  /** What the path of a code answers. */
  answer(code: string): { readonly status: number; readonly html: string } {
    const address = this.take(code)
    if (address === undefined) return { status: 404, html: page(USED) }
    const url = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
    const redirect = `<meta http-equiv="refresh" content="0; url=${url}">`
    return { status: 200, html: page(`<p><a href="${url}">Open the window</a>`, redirect) }
  }

  #valid(): Opening[] {
    const now = this.#now()
    return this.#waiting.filter(({ until }) => now < until)
  }
}

const USED =
  '<p>This address has opened the window before, or is older than 60 seconds. <code>sandbank open</code> opens it again; in a clone of the repository that is <code>npx sandbank open</code>.'

const page = (body: string, head = '') =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Sandbank</title>${head}${body}`
