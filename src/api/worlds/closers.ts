/** Work to do at the end, the latest first. */
export class Closers {
  readonly #all: (() => unknown)[] = []

  add(close: () => unknown) {
    this.#all.push(close)
  }

  async close() {
    for (const close of this.#all.splice(0).reverse()) await close()
  }
}
