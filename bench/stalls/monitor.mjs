// Loaded into a sandbox with --import. Measures how long the event loop is blocked, and the peak of the resident memory.
// The parent process requests the figures since its last message by sending any message.
import { openSync, readSync } from 'node:fs'
import { PerformanceObserver, performance } from 'node:perf_hooks'

/** A slice of work ends when a timer can run. */
const SLICE_TIMER_MS = 2
/** A window that paints 60 times a second. */
const FRAME_TIMER_MS = 1000 / 60

let longestCollection = 0
let peak = 0
const readThread = openThreadTimes()
const measures = [measureTimer(SLICE_TIMER_MS), measureTimer(FRAME_TIMER_MS)]
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 10).unref()

/** The longest processor time, and the longest time, from one tick of a timer to the next. */
function measureTimer(every) {
  let last = now()
  let longest = { processor: 0, gap: 0 }
  setInterval(() => {
    const next = now()
    const processor = next.processor - last.processor
    // Other processes may have had the processor in between.
    const gap = next.wall - last.wall - (next.waited - last.waited)
    longest = { processor: Math.max(longest.processor, processor), gap: Math.max(longest.gap, gap) }
    last = next
  }, every).unref()
  return () => {
    const read = longest
    longest = { processor: 0, gap: 0 }
    return read
  }
}

function now() {
  return { wall: performance.now(), ...readThread() }
}

/** Of the main thread, in milliseconds. Only Linux tells; elsewhere the times of the process have to do. */
function openThreadTimes() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`)
    const bytes = Buffer.alloc(100)
    return () => {
      const length = readSync(file, bytes, 0, bytes.length, 0)
      const [processor, waited] = bytes.toString('latin1', 0, length).split(' ').map(Number)
      return { processor: processor / 1e6, waited: waited / 1e6 }
    }
  } catch {
    return () => {
      const { user, system } = process.cpuUsage()
      return { processor: (user + system) / 1e3, waited: 0 }
    }
  }
}

// Pauses of the garbage collector are part of the slices; their longest is reported, too.
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration)
}).observe({ entryTypes: ['gc'] })

process.on('message', () => {
  // The timers and the observer run before the answer, so that they see a slice that ends now.
  setTimeout(() => {
    const [slice, frame] = measures.map((read) => read())
    process.send({ slice: slice.processor, gap: frame.gap, collection: longestCollection, memory: peak / 2 ** 20 })
    longestCollection = peak = 0
  }, 2 * FRAME_TIMER_MS)
})
process.channel?.unref()
