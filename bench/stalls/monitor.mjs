// Loaded into a sandbox with --import. Measures for how long the event loop cannot run a timer, and the peak of the resident memory.
// The parent process requests the figures since its last message by sending any message.
import { PerformanceObserver, performance } from 'node:perf_hooks'

const EVERY_MS = 2
let last = performance.now()
let longest = 0
let longestCollection = 0
let peak = 0

setInterval(() => {
  const now = performance.now()
  longest = Math.max(longest, now - last - EVERY_MS)
  last = now
  peak = Math.max(peak, process.memoryUsage.rss())
}, EVERY_MS).unref()

// Pauses of the garbage collector are part of the stalls; their longest is reported, too.
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration)
}).observe({ entryTypes: ['gc'] })

process.on('message', () => {
  // The timer and the observer run before the answer, so that they see a stall that ends now.
  setTimeout(() => {
    process.send({ stall: longest, collection: longestCollection, memory: peak / 2 ** 20 })
    longest = longestCollection = peak = 0
  }, 10)
})
process.channel?.unref()
