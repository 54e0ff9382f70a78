import { afterAll, expect } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { allGoals } from '../../src/api/contract/reach.ts'
import { call } from '../support/operator.ts'
import { it, shareDemo, startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** 100 % of the states, events and errors: reached from the empty world, or in the list of what cannot be reached. */

const took: { readonly goal: string; readonly ms: number; readonly steps: number }[] = []

it.for(allGoals())(
  '$goal is reached, and its steps lead to equal worlds when they are taken again; or it is listed with a reason',
  { timeout: 120_000 },
  async ({ goal, unreached }, { sandbox }) => {
    const began = performance.now()
    const reply = await sandbox.call('reach', { goal })
    if (unreached !== undefined) {
      expect(reply).toMatchObject({ ok: false, error: { errors: [{ extra: expect.stringContaining(unreached) }] } })
      return
    }
    expect(reply).toMatchObject({ ok: true })
    const { steps } = (reply as { value: MethodOutput<'reach'> }).value
    took.push({ goal, ms: performance.now() - began, steps: steps.length })
    const [one, other] = [await takeSteps(steps), await takeSteps(steps)]
    expect(canonical(one.sandbox.store.world)).toEqual(canonical(other.sandbox.store.world))
    await expectReached(one, goal)
  },
)

/** Its Program has other settings, and each rail needs a Product. Nothing is kept, so one world serves all. */
const demo = await shareDemo()

it.for(allGoals().filter(({ unreached }) => unreached === undefined))(
  '$goal is reached in the demo world',
  { timeout: 120_000 },
  async ({ goal }) => expect(await demo.call('reach', { goal })).toMatchObject({ ok: true }),
)

/** What the world answers last, too. */
async function takeSteps(steps: readonly { readonly method: string; readonly input?: unknown }[]) {
  const sandbox = await startSandbox()
  let last = ''
  for (const { method, input } of steps) {
    const reply = await sandbox.call(method, input)
    expect(reply).toMatchObject({ ok: true })
    last = JSON.stringify((reply as { value: { response?: { body: string } } }).value.response?.body)
  }
  return { sandbox, last }
}

async function expectReached({ sandbox, last }: Awaited<ReturnType<typeof takeSteps>>, goal: string) {
  const [name = '', value = ''] = goal.split('=')
  if (name === 'error')
    expect(`${last} ${canonical(sandbox.store.world)}`).toMatch(new RegExp(`"code\\\\?":${value}\\b`))
  else if (name === 'event') {
    const { data } = await call(sandbox, 'events.list', { topic: value.split('.')[0]! })
    expect(data.map(({ topic, event_type }) => `${topic}.${event_type}`)).toContain(value)
  } else expect((await call(sandbox, 'reach', { goal })).steps).toEqual([])
}

/** The target is 5 s each on a quiet machine: printed, as it depends on the machine. */
afterAll(() => {
  const slowest = took.toSorted((a, b) => b.ms - a.ms)
  const print = ({ goal, ms, steps }: (typeof took)[number]) => `${(ms / 1_000).toFixed(1)} s, ${steps} steps: ${goal}`
  console.log([`${took.length} goals reached; the slowest:`, ...slowest.slice(0, 15).map(print)].join('\n'))
})
