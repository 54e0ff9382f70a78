import type { FindInPageOptions, FoundInPageResult, WebContents } from 'electron'
import type { FoundInPage } from '../api/contract/desktop.ts'

interface Contents extends Pick<WebContents, 'findInPage' | 'stopFindInPage'> {
  on(name: 'found-in-page', listener: (event: unknown, result: FoundInPageResult) => void): unknown
}

/** Finds text in the page of the window. A search that is replaced or stopped before its result is known returns null. */
export class PageSearch {
  readonly #contents: Contents
  #pending: { readonly id: number; resolve(found: FoundInPage | null): void } | undefined

  constructor(contents: Contents) {
    this.#contents = contents
    // Earlier events of a request do not have all matches yet.
    contents.on('found-in-page', (_event, { requestId, finalUpdate, matches, activeMatchOrdinal }) => {
      if (finalUpdate && requestId === this.#pending?.id) this.#end({ matches, active: activeMatchOrdinal })
    })
  }

  /** In Electron `findNext` is true for the first request of a text, and false for the next and previous match. */
  find(text: string, { forward, findNext }: Required<Pick<FindInPageOptions, 'forward' | 'findNext'>>) {
    this.#end(null)
    const id = this.#contents.findInPage(text, { forward, findNext })
    return new Promise<FoundInPage | null>((resolve) => {
      this.#pending = { id, resolve }
    })
  }

  stop() {
    this.#end(null)
    this.#contents.stopFindInPage('clearSelection')
  }

  #end(found: FoundInPage | null) {
    this.#pending?.resolve(found)
    this.#pending = undefined
  }
}
