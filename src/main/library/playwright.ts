import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test'
import { createFixture, type WorldFixture, type WorldOptions } from './fixture.ts'

/** `import { test } from 'sandbank/playwright'`: each test that asks for `world` gets a world of its own. */

export type { NamedWorld, World, WorldFixture, WorldOptions } from './fixture.ts'

export type WorldTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & WorldFixture,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

/** That of the project: Playwright refuses a second copy, and a linked Sandbank has none beside it. */
function loadPlaywright(): typeof import('@playwright/test') {
  const fromProject = createRequire(join(process.cwd(), 'package.json'))
  try {
    return fromProject('@playwright/test')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return createRequire(import.meta.url)('@playwright/test')
  }
}

const { test: playwrightTest } = loadPlaywright()
const fixture = createFixture(fileURLToPath(import.meta.url))

/** A test function whose worlds are created differently. */
export const createTest = (options: WorldOptions): WorldTest =>
  playwrightTest.extend<WorldFixture>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of other fixtures from this pattern
    world: async ({}, use, testInfo) => {
      const world = await fixture.open(options)
      await use(world)
      const hasFailed = testInfo.status !== testInfo.expectedStatus
      const { file, titlePath } = testInfo
      const report = await fixture.close(world, hasFailed ? { file, title: titlePath.slice(1).join(' > ') } : undefined)
      if (report === undefined) return
      console.error(report)
      await testInfo.attach('sandbank', { body: report, contentType: 'text/plain' })
    },
  })

export const test: WorldTest = createTest({})
