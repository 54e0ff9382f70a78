import { parseDeepLink } from '../api/contract/deep-links.ts'

/** Opens `sandbank://` addresses that the system passes. A web page may have written them. */

interface DeepLinkContext {
  /** Resolves with true if the user agrees. */
  ask(question: string, button: string): Promise<boolean>
  /** Resolves when the user has closed it. */
  showRefusal(line: string): Promise<void>
  openBundle(path: string): Promise<void>
  /** Navigates a window on that world; null is the root world. */
  go(address: string, world: string | null): void
  hasWorld(name: string): boolean
}

const EVERY_MS = 200

export function createDeepLinks({ ask, showRefusal, openBundle, go, hasWorld }: DeepLinkContext) {
  let isAsking = false
  let latest = Number.NEGATIVE_INFINITY
  const answer = async (text: string) => {
    const link = parseDeepLink(text, process.platform)
    if (typeof link === 'string') return showRefusal(link)
    if (link.kind === 'page') {
      const { address, world } = link
      // A window of its own for each name would let a page open any number of them.
      if (world === null || hasWorld(world)) return go(address, world)
      return showRefusal(`There is no world “${world}”: create it at Worlds, or open the address without ?world=.`)
    }
    // Nothing of the file is read before the answer: it may be on a disk of another machine.
    const question = `A sandbank:// address asks to open ${link.path}. Its world replaces the current one. Undo brings the current one back.`
    if (await ask(question, 'Open')) await openBundle(link.path)
  }
  return {
    /** One question at a time, and five addresses a second: a page could open a thousand. Those that come meanwhile are dropped. */
    async open(text: string, now = performance.now()): Promise<void> {
      if (isAsking || now - latest < EVERY_MS) return
      latest = now
      isAsking = true
      try {
        await answer(text)
      } finally {
        isAsking = false
      }
    },
  }
}
