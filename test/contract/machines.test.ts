import { describe, expect, it } from 'vitest'
import { type Machine, machines } from '../../src/api/contract/machines.ts'
import { IllegalMove, next } from '../../src/api/domain/rules/machine.ts'

const all: [string, Machine][] = Object.entries(machines)

/** Section 3.1's rows, and what is published of the other statuses: from where to where, and by nothing else. */
const CUSTOMER: Readonly<Record<string, readonly string[]>> = {
  initiated: ['queued', 'pending_archival'],
  queued: ['identity_verified', 'manual_review', 'rejected', 'pending_archival'],
  identity_verified: ['active', 'pending_archival'],
  active: ['under_review', 'pending_archival'],
  manual_review: ['identity_verified', 'rejected', 'pending_archival'],
  rejected: [],
  under_review: ['active', 'pending_archival'],
  pending_archival: ['archived'],
  archived: [],
}

const KYC = [
  ...['approved', 'denied', 'documents_provided', 'documents_rejected', 'manual_review', 'pending_id_documents'],
  ...['pending_poa_documents', 'pending_idandpoa_documents', 'retake_images', 'pre_verified'],
]

describe.each(all)('the machine %s', (_, machine) => {
  const pairs = machine.states.flatMap((state) => Object.keys(machine.moves).map((event) => [state, event] as const))

  it.each(pairs)('3: in state %s the event "%s" moves as the table says, or is refused by name', (state, event) => {
    const move = machine.moves[event]!
    if (move.from.includes(state)) {
      expect(next(machine, state, event)).toBe(move.to)
      return
    }
    const refused = () => next(machine, state, event)
    expect(refused).toThrow(IllegalMove)
    expect(refused).toThrow(`${machine.resource}: "${event}" is not possible in state ${state}`)
  })

  it('3: names only states that it has, each once', () => {
    const known = new Set(machine.states)
    expect(known.size).toBe(machine.states.length)
    for (const { from, to } of Object.values(machine.moves)) {
      expect([...from, to].filter((state) => !known.has(state))).toEqual([])
      expect(new Set(from).size).toBe(from.length)
      expect(from.length).toBeGreaterThan(0)
    }
  })

  it('3: no move leads where it came from', () => {
    for (const { from, to } of Object.values(machine.moves)) expect(from).not.toContain(to)
  })

  it('3: a state that the machine does not have can do nothing', () => {
    for (const event of Object.keys(machine.moves)) expect(() => next(machine, 'nowhere', event)).toThrow(IllegalMove)
  })
})

const leadsTo = (machine: Machine, state: string) =>
  Object.values(machine.moves)
    .filter(({ from }) => from.includes(state))
    .map(({ to }) => to)

describe('3.1 Customer status', () => {
  it('3.1: "Values: […]", all nine of them', () => {
    expect([...machines.customer.states].sort()).toEqual(Object.keys(CUSTOMER).sort())
  })

  it.each(Object.entries(CUSTOMER))('3.1: %s leads to %j and nowhere else', (state, expected) => {
    expect(leadsTo(machines.customer, state).sort()).toEqual([...expected].sort())
  })

  it('3.1: "any eligible state | DELETE /customers/{uid} | […] | `pending_archival`"', () => {
    expect(machines.customer.moves.archive.to).toBe('pending_archival')
    for (const state of ['initiated', 'active'] as const)
      expect(next(machines.customer, state, 'archive')).toBe('pending_archival')
  })

  it('3.1: "`pending_archival` | Archival completes | […] | `archived`", and from there alone', () => {
    expect(machines.customer.moves['finish archival']).toEqual({ from: ['pending_archival'], to: 'archived' })
  })

  it('3.1: every state can be reached from `initiated`', () => {
    const reached = new Set(['initiated'])
    for (const state of reached) for (const to of leadsTo(machines.customer, state)) reached.add(to)
    expect([...reached].sort()).toEqual(Object.keys(CUSTOMER).sort())
  })
})

describe('3.2 kyc_status', () => {
  it('3.2: "Values: […]", all ten of them', () => {
    expect([...machines.kyc.states].sort()).toEqual([...KYC].sort())
  })

  it.each(['denied', 'pre_verified'])('3.2: %s is the end of an evaluation', (state) => {
    expect(leadsTo(machines.kyc, state)).toEqual([])
  })

  it.each(['pending_id_documents', 'pending_poa_documents', 'pending_idandpoa_documents', 'retake_images'])(
    '3.2: in %s documents can be provided',
    (state) => {
      expect(leadsTo(machines.kyc, state)).toContain('documents_provided')
    },
  )

  it.each(KYC.filter((state) => !['approved', 'denied', 'pre_verified'].includes(state)))(
    '3.2: from %s there is a way to `approved` and one to `denied`',
    (state) => {
      const reached = new Set([state])
      for (const at of reached) for (const to of leadsTo(machines.kyc, at)) reached.add(to)
      expect([...reached]).toEqual(expect.arrayContaining(['approved', 'denied']))
    },
  )
})
