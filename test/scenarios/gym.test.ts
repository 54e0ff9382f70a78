import { afterAll, describe, expect, it } from 'vitest'
// @ts-expect-error: a program of examples/, without types
import * as gym from '../../examples/gym/run.mjs'
import { startSandbox } from '../../src/main/library/index.ts'

/** The gym of examples/: each task is solved by its reference, and by nothing that is almost right. */

const sandbox = await startSandbox({ world: 'empty', seed: 'gym' })
afterAll(() => sandbox.close())

const tasks: string[] = gym.taskNames()

it('has twenty tasks', () => expect(tasks).toHaveLength(20))

describe.each(tasks)('%s', (name) => {
  it('is solved by its reference', async () => {
    await gym.startTask(sandbox, name)
    gym.expectPassed(await gym.runScenario(sandbox, gym.readTask(name, 'solution.yaml')))
    expect(await gym.gradeTask(sandbox, name)).toEqual([])
  })

  it('is not solved by nothing', async () => {
    await gym.startTask(sandbox, name)
    expect(await gym.gradeTask(sandbox, name)).not.toEqual([])
  })

  it('is not solved by three wrong solutions, which run', async () => {
    const wrong: string[] = gym.wrongSolutions(name)
    expect(wrong).toHaveLength(3)
    for (const text of wrong) {
      await gym.startTask(sandbox, name)
      gym.expectPassed(await gym.runScenario(sandbox, text))
      expect(await gym.gradeTask(sandbox, name), text.split('\n')[0]).not.toEqual([])
    }
  })
})
