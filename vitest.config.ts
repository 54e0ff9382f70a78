import { defineConfig } from 'vitest/config'

// Two projects: what runs in Node, and the window's components in jsdom.
//
// What runs in Node shares a worker's modules, as loading them costs more than most files of tests: whoever changes one
// (a clock, a table, a function of Node) puts it back. The projects take turns, so that the workers stay.
export default defineConfig({
  test: {
    // Vitest leaves a core to itself, which of two is half of them.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/renderer/**'],
          isolate: false,
          // It only ends what hangs: a busy machine takes its time.
          testTimeout: 60_000,
          // A busy machine paints late.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'renderer',
          environment: 'jsdom',
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
