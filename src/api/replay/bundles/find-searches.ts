/**
 * Finds many searches in many texts, in one pass over the texts (Aho–Corasick), so that the time is linear in both. A search
 * may begin and end with *, and ignores case.
 */
export class SearchFinder {
  readonly #root = createNode()
  readonly #searches = new Set<string>()

  add(text: string) {
    const search = parseSearch(text)
    if (search.part === '' || this.#searches.has(keyOf(search))) return
    this.#searches.add(keyOf(search))
    let node = this.#root
    for (const character of search.part) {
      const next = node.next.get(character) ?? createNode(node.depth + character.length)
      node.next.set(character, next)
      node = next
    }
    node.searches.push(search)
  }

  /** For each search that is in a text, the first one and the position in it. */
  find(texts: Iterable<string>): FoundSearches {
    this.#link()
    const found = new Map<string, FoundSearch>()
    for (const text of texts) {
      const small = text.toLowerCase()
      if (small.length !== text.length) continue
      let node = this.#root
      let at = 0
      for (const character of small) {
        at += character.length
        while (node !== this.#root && !node.next.has(character)) node = node.fallback!
        node = node.next.get(character) ?? this.#root
        for (let end: Node | undefined = node; end; end = end.shorter)
          for (const search of end.searches) {
            const start = at - end.depth
            const key = keyOf(search)
            const fits = (search.isOpenStart || start === 0) && (search.isOpenEnd || at === text.length)
            if (fits && !found.has(key)) found.set(key, { text, start })
          }
      }
    }
    return { get: (text) => found.get(keyOf(parseSearch(text))) }
  }

  /** For each node, the longest beginning of a search with which it ends, and the longest search. */
  #link() {
    const queue = [this.#root]
    for (const node of queue)
      for (const [character, next] of node.next) {
        let fallback = node.fallback
        while (fallback && !fallback.next.has(character)) fallback = fallback.fallback
        next.fallback = fallback?.next.get(character) ?? this.#root
        next.shorter = next.fallback.searches.length > 0 ? next.fallback : next.fallback.shorter
        queue.push(next)
      }
  }
}

export interface FoundSearches {
  get(search: string): FoundSearch | undefined
}

interface FoundSearch {
  readonly text: string
  readonly start: number
}

interface Search {
  readonly isOpenStart: boolean
  readonly part: string
  readonly isOpenEnd: boolean
}

export function parseSearch(text: string): Search {
  const [, start, part = '', end] = /^(\*?)(.*?)(\*?)$/s.exec(text.toLowerCase()) ?? []
  return { isOpenStart: start === '*', part, isOpenEnd: end === '*' }
}

const keyOf = ({ isOpenStart, part, isOpenEnd }: Search) => `${isOpenStart ? '*' : ''}${part}${isOpenEnd ? '*' : ''}`

interface Node {
  readonly depth: number
  readonly next: Map<string, Node>
  readonly searches: Search[]
  fallback?: Node
  shorter?: Node | undefined
}

const createNode = (depth = 0): Node => ({ depth, next: new Map(), searches: [] })
