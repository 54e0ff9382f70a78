const PAUSE_MS = 250

/**
 * One call at a time, at most four a second, with a pause of `pauses` times as long as it took; calls in the meantime run the work once more
 * afterwards.
 */
export function runPaced(work: () => Promise<void>, pauses: number): () => Promise<void> {
  let isRunning = false
  let again = false
  return async () => {
    again = true
    if (isRunning) return
    isRunning = true
    while (again) {
      again = false
      const begun = performance.now()
      await work()
      // React renders first.
      await pause(0)
      await pause(Math.max(PAUSE_MS, pauses * (performance.now() - begun)))
    }
    isRunning = false
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
