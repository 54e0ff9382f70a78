import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { at, HOUR, openBank, openOperator, whileAdvancing } from '../support/operator-sandbox.ts'

const DAY = 24 * HOUR
const AMOUNTS = [
  ...['1 hour', '90 minutes', '1d12h', 'PT24H', 'P0.5D', '5m', '2 weeks', '1 business day', '8bd', '2 banking days'],
  ...['next', 'idle', 'tomorrow', 'tomorrow 9:30', 'monday 9:00', 'fri 5pm', '2026-09-01', '2026-12-01T14:00'],
] as const

describe('clock.preview', () => {
  it('tells where an advance ends and what runs, in every world: the advance does the same', async () => {
    const tasks = { k: () => 'done', close: () => 'closed' }
    const task = fc.record({
      // What is due now runs before the call.
      ms: fc.integer({ min: 1, max: 30 * DAY }),
      kind: fc.constantFrom('k' as const, 'close' as const),
      isHeld: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(task, { maxLength: 6 }), fc.constantFrom(...AMOUNTS), async (scheduled, text) => {
        const { control, schedule, seq, sandbox } = await openOperator({ tasks })
        for (const { ms, kind, isHeld } of scheduled) {
          const uid = schedule(ms, kind)
          if (isHeld) await control['tasks.hold']({ uid })
        }
        const before = seq()
        const foreseen = await control['clock.preview']({ text })
        expect([seq(), (await control['clock.read']({})).now]).toEqual([before, foreseen.now])
        const done = await control['clock.advance']({ text })
        if (foreseen.to !== null) expect(done.to).toBe(foreseen.to)
        // The close of a day schedules the next one.
        const ran = done.fired.filter(({ task: kind }) => kind !== 'close of day')
        const closes = foreseen.tasks.filter(({ kind }) => kind === 'close of day').length
        expect(ran.length).toBe(foreseen.runs - closes)
        expect(foreseen.tasks.filter(({ kind }) => kind !== 'close of day').map(({ due_at }) => due_at)).toEqual(
          ran.map(({ at: due }) => due),
        )
        await sandbox.close()
      }),
      { numRuns: 60 },
    )
  })

  it('counts recurring, held and failed tasks apart, and lists the first 20 that run', async () => {
    const { control, schedule } = await openOperator({ tasks: { k: () => 'done' } })
    const uids = Array.from({ length: 25 }, (_, i) => schedule((i + 1) * 60_000))
    await control['tasks.hold']({ uid: uids[0]! })
    const foreseen = await control['clock.preview']({ by: 'PT1H' })
    expect(foreseen).toMatchObject({ now: at(0), to: at(HOUR), runs: 24, recurring: 0, skipped: 1 })
    expect(foreseen.tasks.map(({ uid }) => uid)).toEqual(uids.slice(1, 21))
    expect(await control['clock.preview']({ by: 'P1D' })).toMatchObject({ runs: 25, recurring: 1, skipped: 1 })
  })

  it('of an advance until idle names no end, as tasks schedule tasks', async () => {
    const { control, customer, fund, send } = await openBank()
    expect(await control['clock.preview']({ until: 'idle' })).toMatchObject({ to: null, runs: 0 })
    await fund(customer, '100.00')
    await send('30.00')
    const { to, runs } = await control['clock.preview']({ text: 'idle' })
    expect(to).toBeNull()
    expect(runs).toBeGreaterThan(0)
    expect((await control['clock.advance']({ text: 'idle' })).ran).toBeGreaterThanOrEqual(runs)
  })

  it('says that an advance is running, and counts what is held until idle', async () => {
    await whileAdvancing(async ({ control }) => {
      const { refused } = await control['clock.preview']({ by: 'PT1H' })
      expect(refused).toMatch(/^an advance is running/)
      await expect(control['clock.advance']({ by: 'PT1H' })).rejects.toThrow(refused!)
    })
    const { control, schedule } = await openOperator({ tasks: { k: () => 'done' } })
    await control['tasks.hold']({ uid: schedule(60_000) })
    expect(await control['clock.preview']({ until: 'idle' })).toMatchObject({ to: null, runs: 0, skipped: 1 })
  })

  it('refuses what the advance refuses, with the same words', async () => {
    const { control } = await openOperator()
    for (const input of [
      { text: 'soon' },
      { text: 'P1M' },
      { text: '2001-01-01' },
      { text: '9999-01-01' },
      { by: 'P1Y' },
      { to: '2026-01-01' },
    ]) {
      const { refused } = await control['clock.preview'](input)
      expect(refused, JSON.stringify(input)).toBeTruthy()
      await expect(control['clock.advance'](input)).rejects.toThrow(refused!)
    }
    expect((await control['clock.preview']({ text: 'soon' })).refused).toContain('"soon" is no amount of time')
  })
})
