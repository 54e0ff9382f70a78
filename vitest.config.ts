import { defineConfig } from 'vitest/config'

// Two projects: what runs in Node, and the window's components in jsdom.
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
          testTimeout: 20_000,
          // A busy machine paints late.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      { test: { name: 'renderer', environment: 'jsdom', include: ['test/renderer/**/*.test.{ts,tsx}'] } },
    ],
  },
})
