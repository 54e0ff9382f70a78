import { describe, expect, it } from 'vitest'
import type { Action } from '../bench/simulate/operations.ts'
import { type Step, simulateSteps } from './support/simulate-steps.ts'

/** Sequences that the simulation (`npm run simulate`) has found, each as short as it made them. */

const ADVANCE: Action = { kind: 'advance', seconds: 3600 }
const OPEN_ACCOUNT: Action = { kind: 'open account', customer: 0, category: 'ach_external', force: 'none' }
const ERROR = { kind: 'error', times: 1000 } as const

describe('a crash or a failing disk, found by simulation', () => {
  it('a power failure after an import takes no log file from before it, so that no number of a request is used twice', async () => {
    expect(
      await simulateSteps('write', 'power-39', [
        { kind: 'create customer', person: 'approved' },
        { kind: 'onboard', customer: 0 },
        { kind: 'advance', seconds: 2 },
        { kind: 'keep snapshot', name: 'a' },
        { kind: 'export' },
        { kind: 'receive many', customer: 0 },
        { kind: 'advance', seconds: 259_200 },
        { kind: 'import', meanwhile: 1 },
        { kind: 'restore snapshot', name: 'a', meanwhile: 4 },
        { kind: 'open account', customer: 0, category: 'general', force: 'none', event: { kind: 'kill', after: 0 } },
        {
          kind: 'open account',
          customer: 0,
          category: 'general',
          force: 'none',
          event: { kind: 'power loss', after: 3 },
        },
      ]),
    ).toBeUndefined()
  })

  it('a change that was refused because the disk failed does not come back after a restart', async () => {
    for (const after of [2, 3, 4, 5])
      expect(
        await simulateSteps('fsync', `refused-${after}`, [
          { ...ADVANCE, event: { ...ERROR, after, code: 'EMFILE' } },
          { kind: 'restart' },
        ]),
      ).toBeUndefined()
  })

  it('a long line that could not be written leaves nothing behind a shorter one', async () => {
    expect(
      await simulateSteps('fsync', 'ac-97', [
        { kind: 'create customer', person: 'approved' },
        { kind: 'onboard', customer: 0 },
        { kind: 'advance', seconds: 3 },
        { kind: 'rewind', to: 1, event: { ...ERROR, after: 2, code: 'ENOSPC' } },
        { kind: 'open account', customer: 0, category: 'general', force: 'none' },
        { kind: 'restart' },
      ]),
    ).toBeUndefined()
  })

  it('a reset is complete or refused, also while the disk fails', async () => {
    for (const after of [0, 1, 2, 3, 4, 5])
      expect(
        await simulateSteps('write', `reset-${after}`, [
          ADVANCE,
          { kind: 'reset', event: { ...ERROR, after, code: 'EMFILE' } },
          { kind: 'restart' },
        ]),
      ).toBeUndefined()
  })

  it('an import is complete or leaves nothing behind, also while the disk fails', async () => {
    const calls = [
      ['write', 1],
      ['write', 2],
      ['fsync', 3],
      ['fsync', 4],
    ] as const
    for (const [durability, after] of calls)
      for (const times of [1, 1000])
        expect(
          await simulateSteps(durability, `import-${durability}-${after}-${times}`, [
            { kind: 'export' },
            { kind: 'create customer', person: 'approved' },
            ADVANCE,
            { kind: 'import', event: { kind: 'error', after, code: 'ENOSPC', times } },
            { kind: 'create customer', person: 'approved' },
            { kind: 'restart' },
          ]),
        ).toBeUndefined()
  })

  it('of several changes that a failing disk refused in a row at most one is there after a kill, as a whole', async () => {
    for (const after of [0, 1, 2, 3, 4])
      expect(
        await simulateSteps('fsync', `in-a-row-${after}`, [
          { kind: 'create customer', person: 'approved' },
          { kind: 'onboard', customer: 0 },
          { kind: 'advance', seconds: 2 },
          { ...OPEN_ACCOUNT, event: { kind: 'error', after, code: 'ENOSPC', times: 2 } },
          { ...OPEN_ACCOUNT, event: { kind: 'error', after: 0, code: 'EIO', times: 5 } },
          { kind: 'export', event: { kind: 'kill', after: 5 } },
        ]),
      ).toBeUndefined()
  })

  it('what a start has read survives a power failure, also what the killed process before it had not synced', async () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(
        await simulateSteps('fsync', seed, [
          { kind: 'create customer', person: 'approved' },
          { ...ADVANCE, event: { kind: 'kill', after: 1 } },
          { kind: 'read', what: '/customers' },
          { kind: 'read', what: '/customers', event: { kind: 'power loss', after: 4 } },
        ]),
      ).toBeUndefined()
  })

  it('the history from before the first start survives a power failure', async () => {
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(
        await simulateSteps('fsync', seed, [
          { kind: 'create customer', person: 'approved', event: { kind: 'power loss', after: 2 } },
        ]),
      ).toBeUndefined()
  })
})

it('found by simulation: a world that is restored after a reset has all of its records, though requests create others with their uids', async () => {
  const created = (['approved', 'minor', 'Smith', 'approved'] as const).flatMap((person, customer): Step[] => [
    { kind: 'create customer', person },
    { kind: 'onboard', customer },
  ])
  for (let meanwhile = 1; meanwhile <= 5; meanwhile++)
    expect(
      await simulateSteps('write', `restored-${meanwhile}`, [
        ...created,
        { ...ADVANCE, seconds: 86_400 },
        { kind: 'keep snapshot', name: 'a' },
        { kind: 'reset' },
        { kind: 'restore snapshot', name: 'a', meanwhile },
        ...created.filter(({ kind }) => kind === 'onboard'),
        { kind: 'restart' },
      ]),
    ).toBeUndefined()
})

it('an account that opens later has no event of a status that it never had, found by simulation', async () => {
  expect(
    await simulateSteps('write', 'opens later', [
      { kind: 'create customer', person: 'approved' },
      { kind: 'onboard', customer: 0 },
      ADVANCE,
      { kind: 'create webhook', hasAddress: false, confirm: false, topics: null, from: 'now' },
      { kind: 'open account', customer: 0, category: 'general', force: 'open later' },
      ADVANCE,
    ]),
  ).toBeUndefined()
})

it('an undo and its redo give the world that the model has, over a restart and after a kill', async () => {
  for (const event of [undefined, { kind: 'kill', after: 3 }] as const)
    expect(
      await simulateSteps(
        'write',
        'undo',
        [
          { kind: 'create customer', person: 'approved' },
          { kind: 'onboard', customer: 0 },
          ADVANCE,
          OPEN_ACCOUNT,
          { kind: 'undo', ...(event && { event }) },
          { kind: 'restart' },
          { kind: 'redo' },
          { kind: 'restart' },
          { kind: 'undo', meanwhile: 3 },
        ],
        1,
      ),
    ).toBeUndefined()
})
