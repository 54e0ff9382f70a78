import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Two projects: what runs in Node, and the window's components in jsdom.
//
// The files of a worker share its modules, and in jsdom its document, as loading them costs more than most files of
// tests: whoever changes one (a clock, a table, a function of Node, a store) puts it back. The projects take turns, so
// that the workers stay.

/** What takes longest, so that no worker has one of them left when the other is through. */
const LONGEST = [
  ...['torture', 'hosts/window-scenarios', 'hosts/window', 'hosts/window-records', 'desktop/double'],
  ...['hosts/window-time', 'hosts/window-lists', 'hosts/window-palette', 'hosts/window-journeys'],
  ...['time/long-advance', 'hosts/run'],
  ...['money.property', 'hosts/cli', 'hosts/window-inject', 'replay/three-hundred', 'hosts/window-ledger'],
  ...['fuzz', 'control/rewind', 'architecture', 'hosts/window-scale', 'determinism'],
]
const rank = ({ moduleId }: TestSpecification) => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return at < 0 ? LONGEST.length : at
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** They only end what hangs: a busy machine takes its time. */
const PATIENT = { testTimeout: 300_000, hookTimeout: 300_000 }

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
          ...PATIENT,
          // A busy machine paints late.
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'renderer',
          environment: 'jsdom',
          isolate: false,
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          ...PATIENT,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
