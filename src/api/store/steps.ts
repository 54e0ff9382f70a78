/**
 * Long work as a generator. Between two steps its caller can let other work run, report progress, or stop. A step counts
 * as one, or as the number it yields; 'last' means that the rest runs at once.
 */
export type Steps<T> = Generator<Count, T, void>
type Count = number | 'last' | undefined

export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** As a part of longer work: its 'last' is not the end. */
export const asSubsteps = <T>(steps: Steps<T>) => recount(steps, (count) => (count === 'last' ? 0 : count))

/** As a part of longer work whose progress is counted in something else. */
export const withoutCount = <T>(steps: Steps<T>) => recount(steps, (count) => (count === 'last' ? 'last' : 0))

/** Calls `check` before each step, also before the last: what it throws ends the steps. */
export const checkSteps = <T>(steps: Steps<T>, check: () => void) => recount(steps, (count) => count, check)

function* recount<T>(steps: Steps<T>, toCount: (count: Count) => Count, check = () => {}): Steps<T> {
  try {
    for (;;) {
      check()
      const step = steps.next()
      if (step.done) return step.value
      yield toCount(step.value)
    }
  } finally {
    steps.return(undefined as never)
  }
}

/** Maps one item per step. */
export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T) => R): Steps<R[]> {
  const results: R[] = []
  for (const item of items) {
    results.push(map(item))
    yield
  }
  return results
}

const SLICE = 1_000

/** The items in parts that take about a millisecond. */
export function* inSlices<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < items.length; from += SLICE) yield items.slice(from, from + SLICE)
}

/** Does the work for each item, a part of them per step. */
export function* eachInSteps<T>(items: readonly T[], work: (item: T) => void): Steps<void> {
  for (const part of inSlices(items)) {
    for (const item of part) work(item)
    yield
  }
}
