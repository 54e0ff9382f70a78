import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { escapeControls } from '../../api/contract/terms/texts.ts'
import type { ControlMethods } from './contract.ts'
import { createControl } from './control.ts'
import { describeWorld } from './failure-report.ts'
import { findOrStartShared } from './shared-sandbox.ts'
import { createWorlds, type NamedWorld } from './worlds.ts'

/** What the fixtures of all test runners share: a world for each test, and the report of a failed one. */

export type { World } from './world.ts'
export type { NamedWorld } from './worlds.ts'

/** Given to each test. */
export interface WorldFixture {
  readonly world: NamedWorld
}

/** How the world of each test is created. Default: the demo world, frozen on Monday, 2026-11-23T15:00:00Z. */
export type WorldOptions = Omit<ControlMethods['worlds.create']['input'], 'name'>

export interface Fixture {
  open(options: WorldOptions): Promise<NamedWorld>
  /** After a failed test the world stays, and a bundle of it is written. Returns what to print. */
  close(world: NamedWorld, failed: FailedTest | undefined): Promise<string | undefined>
}

export interface FailedTest {
  /** The path of its file. */
  readonly file: string
  readonly title: string
}

/**
 * Starts or finds the sandbox of the test run, with the program next to `entry`. Throws at once if it cannot start, so that no test runs
 * without it.
 */
export function createFixture(entry: string): Fixture {
  const address = findOrStartShared(join(dirname(entry), 'child.js'))
  const worlds = createWorlds({ control: createControl(address), control_key: address.control_key })
  return {
    open: (options) => worlds.create(options),
    async close(world, failed) {
      if (failed !== undefined) return reportFailure(world, failed)
      await world.drop()
      return undefined
    },
  }
}

/** A key from the environment outlives the run, so it is not printed. */
const addressOf = ({ gui }: NamedWorld) => (process.env.SANDBANK_URL ? gui.replace(/#.*/, '') : gui)

async function reportFailure(world: NamedWorld, { file, title }: FailedTest): Promise<string> {
  try {
    const lines = await describeWorld(world)
    const { text } = await world.control.bundles.export()
    const bundle = writeBundle(`${basename(file).split('.')[0]} ${title}`, text)
    const folder = bundle.replace(/\.sandbank$/, '')
    return [
      `Sandbank: the world of "${title}"`,
      ...lines,
      `  While the sandbox runs: ${addressOf(world)}`,
      `  Later: npx sandbank import ${bundle} --data ${folder} && npx sandbank serve --data ${folder} --open`,
    ]
      .map(escapeControls)
      .join('\n')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return escapeControls(`Sandbank: the world of "${title}" could not be reported: ${reason}`)
  }
}

const MAX_NAME = 100

/** In the folder SANDBANK_FAILURES, by default sandbank-failures. Returns its path from the current folder. */
function writeBundle(test: string, text: string): string {
  const folder = resolve(process.env.SANDBANK_FAILURES || 'sandbank-failures')
  mkdirSync(folder, { recursive: true })
  const name = test
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^-|-$/g, '')
  const file = join(folder, `${name}.sandbank`)
  writeFileSync(file, text)
  return relative(process.cwd(), file)
}
