/**
 * What takes long is written as steps, so that whoever asks for it may give way to others between two of them, say how far
 * it is, and leave it where it is. Each step counts as one, or as the number that it yields; 'last' says that what is left
 * happens at once.
 */
export type Steps<T> = Generator<number | 'last' | undefined, T, void>

/** All of them in one go. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** As a part of something longer, which does not end with it. */
export function* asSubsteps<T>(steps: Steps<T>): Steps<T> {
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      yield step.value === 'last' ? 0 : step.value
    }
  } finally {
    steps.return(undefined as never)
  }
}

/** Each of them made into something, one to a step. */
export function* mapInSteps<T, R>(all: Iterable<T>, made: (one: T) => R): Steps<R[]> {
  const done: R[] = []
  for (const one of all) {
    done.push(made(one))
    yield
  }
  return done
}
