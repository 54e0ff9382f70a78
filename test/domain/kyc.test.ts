import { describe, expect, it } from 'vitest'
import { type Machine, machines } from '../../src/api/contract/machines.ts'
import { kycTriggers, triggers } from '../../src/api/contract/triggers.ts'
import { ACTIVATION_TAKES_MS, decideKyc, KYC_TAKES_MS } from '../../src/api/domain/rules/kyc.ts'
import { IllegalMove, nextState } from '../../src/api/domain/rules/machine.ts'
import { findProfileErrors } from '../../src/api/domain/rules/profile.ts'

const TODAY = '2026-08-14'
const APPROVED = { kyc_status: 'approved', reason: 'Approved' }
const REVIEW = { kyc_status: 'manual_review', reason: 'Further review required' }
const DENIED = { kyc_status: 'denied', reason: 'Minimum requirements to open an account were not met' }
const MINOR = { kyc_status: 'denied', reason: 'Minor (age < 18 years)' }

describe('the outcome of an identity check: "by data or by an operator\'s move, never by chance"', () => {
  it.each<[string, string | null, string | null, object]>([
    ['anybody', 'Oyl', '1990-04-17', APPROVED],
    ['Smith', 'Smith', '1990-04-17', REVIEW],
    ['Johnson', 'Johnson', '1990-04-17', DENIED],
    ['Smith in other case', 'sMITH', '1990-04-17', REVIEW],
    ['Johnson with blanks around', ' JOHNSON\t', '1990-04-17', DENIED],
    ['a longer name', 'Smithson', '1990-04-17', APPROVED],
    ['two names', 'Smith Johnson', '1990-04-17', APPROVED],
    ['no name', null, '1990-04-17', APPROVED],
    ['no day of birth', 'Oyl', null, APPROVED],
    ['18 today', 'Oyl', '2008-08-14', APPROVED],
    ['18 tomorrow', 'Oyl', '2008-08-15', MINOR],
    ['born today', 'Oyl', '2026-08-14', MINOR],
    ['not born yet', 'Oyl', '2030-01-01', MINOR],
    ['a minor named Smith', 'Smith', '2008-08-15', MINOR],
    ['a minor named Johnson', 'Johnson', '2008-08-15', MINOR],
  ])('%s', (_, last_name, dob, verdict) => {
    expect(decideKyc({ last_name, dob }, TODAY)).toEqual(verdict)
  })

  it.each([
    ['2026-02-28', MINOR],
    ['2026-03-01', APPROVED],
  ])('born on 29 February 2008, judged on %s', (today, verdict) => {
    expect(decideKyc({ last_name: 'Oyl', dob: '2008-02-29' }, today)).toEqual(verdict)
  })

  it('3.1: decided a second after onboarding, with accounts a second later, so a Customer is active after two', () => {
    expect([KYC_TAKES_MS, ACTIVATION_TAKES_MS]).toEqual([1000, 1000])
  })

  it('2.1: the table of triggers is true for client_verified: its rows for KYC/AML exclude it', () => {
    const rows = triggers.filter(({ outcome }) => outcome.startsWith('kyc_status'))
    expect(rows).toHaveLength(1 + kycTriggers.length)
    for (const { when } of rows) expect(when).toMatch(/without client_verified/)
  })

  it('product: "One table in the contract holds every trigger"', () => {
    expect(kycTriggers.map(({ last_name, outcome, reason }) => [last_name, outcome, reason])).toEqual([
      ['Smith', 'manual_review', 'Further review required'],
      ['Johnson', 'denied', 'Minimum requirements to open an account were not met'],
    ])
    const words = triggers.map(({ when, outcome }) => `${when}: ${outcome}`).join('\n')
    for (const word of ['under 18', 'Minor (age < 18 years)', 'Smith', 'Johnson']) expect(words).toContain(word)
  })
})

// ── Every state × every event, written down a second time ────────────────────────────────────────────────────────

/** state → event → next state; what is not here is refused. */
type Rows = Readonly<Record<string, Readonly<Record<string, string>>>>

const CUSTOMER: Rows = {
  initiated: { onboard: 'queued', archive: 'pending_archival' },
  queued: {
    verify: 'identity_verified',
    'send to manual review': 'manual_review',
    reject: 'rejected',
    archive: 'pending_archival',
  },
  identity_verified: { activate: 'active', archive: 'pending_archival' },
  active: { 'put under review': 'under_review', archive: 'pending_archival' },
  manual_review: { verify: 'identity_verified', reject: 'rejected', archive: 'pending_archival' },
  rejected: {},
  under_review: { 'end review': 'active', archive: 'pending_archival' },
  pending_archival: { 'finish archival': 'archived' },
  archived: {},
}
const PENDING = { deny: 'denied', 'provide documents': 'documents_provided' }
const KYC: Rows = {
  approved: { 'review again': 'manual_review' },
  denied: {},
  pre_verified: {},
  manual_review: {
    approve: 'approved',
    deny: 'denied',
    'ask for ID documents': 'pending_id_documents',
    'ask for POA documents': 'pending_poa_documents',
    'ask for ID and POA documents': 'pending_idandpoa_documents',
  },
  pending_id_documents: PENDING,
  pending_poa_documents: PENDING,
  pending_idandpoa_documents: PENDING,
  retake_images: PENDING,
  documents_provided: {
    approve: 'approved',
    deny: 'denied',
    'reject documents': 'documents_rejected',
    'ask to retake images': 'retake_images',
    'review again': 'manual_review',
  },
  documents_rejected: {
    ...PENDING,
    'ask for ID documents': 'pending_id_documents',
    'ask for POA documents': 'pending_poa_documents',
    'ask for ID and POA documents': 'pending_idandpoa_documents',
    'ask to retake images': 'retake_images',
  },
}
const CUSTOMER_PRODUCT: Rows = {
  created: { activate: 'active', 'send to manual review': 'manual_review', reject: 'rejected' },
  manual_review: { activate: 'active', reject: 'rejected' },
  active: {},
  rejected: {},
}
const SYNTHETIC_ACCOUNT: Rows = {
  initiated: { activate: 'active', fail: 'failed' },
  active: { archive: 'archived' },
  archived: {},
  failed: {},
}

describe.each<[string, Machine, Rows]>([
  ['3.1 Customer status, "Values: […]", all nine of them', machines.customer, CUSTOMER],
  ['3.2 kyc_status, "Values: […]", all ten of them', machines.kyc, KYC],
  ['Customer Product', machines.customer_product, CUSTOMER_PRODUCT],
  ['Synthetic Account', machines.synthetic_account, SYNTHETIC_ACCOUNT],
])('%s: every state × every event', (_name, machine, rows) => {
  const events = Object.keys(machine.moves)

  it('has these states and no others', () => {
    expect([...machine.states].sort()).toEqual(Object.keys(rows).sort())
    expect(new Set(Object.values(rows).flatMap(Object.keys))).toEqual(new Set(events))
  })

  it.each(
    Object.keys(rows).flatMap((state) => events.map((event) => [state, event, rows[state]![event] ?? 'refused'])),
  )('in %s, %s: %s', (state, event, expected) => {
    if (expected === 'refused') expect(() => nextState(machine, state!, event!)).toThrow(IllegalMove)
    else expect(nextState(machine, state!, event!)).toBe(expected)
  })
})

// ── Profile requirements ─────────────────────────────────────────────────────────────────────────────────────────

type Type = Parameters<typeof findProfileErrors>[0][number]['requirement_type']

describe('1 "A Product exposes its […] profile requirements": each type takes its own responses', () => {
  const complaint = (
    requirement_type: Type,
    response_values: string[],
    profile_response: string | undefined,
    required = true,
  ) =>
    findProfileErrors(
      [
        {
          profile_requirement_uid: 'r',
          profile_requirement: 'Q?',
          category: 'default',
          required,
          requirement_type,
          response_values,
        },
      ],
      profile_response === undefined
        ? []
        : [{ profile_requirement_uid: 'r', profile_requirement: 'Q?', profile_response }],
    )

  it.each<[Type, string[], string[], string[], string]>([
    ['string', [], ['x', ' x '], ['', ' ', '\n'], "can't be blank"],
    [
      'number',
      [],
      ['0', '-1', '12.5', '007'],
      ['', 'x', '1e3', '1.', '.5', '1,5', ' 1', 'Infinity'],
      'must be a number',
    ],
    [
      'integer_greater',
      ['5'],
      ['6', '900719925474099312345'],
      ['5', '4', '-6', '6.5', '6.0', '', 'x', ' 6'],
      'must be a whole number greater than 5',
    ],
    ['integer_greater', [], ['1'], ['0', '-1'], 'must be a whole number greater than 0'],
    ['fixed_list', ['A', 'B'], ['A', 'B'], ['a', '', 'C', 'A,B', '["A"]'], 'must be one of A, B'],
    [
      'ordered_list',
      ['A', 'B', 'C'],
      ['["A"]', '["C","A","B"]'],
      ['', 'A', '[]', '["A","A"]', '["D"]', '[1]', '{"0":"A"}', 'null', '["A"'],
      'must be an ordered list of A, B, C, each at most once',
    ],
  ])('%s of %j', (type, values, accepted, refused, words) => {
    for (const text of accepted) expect([text, complaint(type, values, text)]).toEqual([text, []])
    for (const text of refused)
      expect([text, complaint(type, values, text)]).toEqual([text, [`Profile requirement "Q?" ${words}`]])
  })

  it('a required response that is not there is missing; another may be left out, but not be wrong', () => {
    expect(complaint('number', [], undefined)).toEqual([`Profile requirement "Q?" can't be blank`])
    expect(complaint('number', [], undefined, false)).toEqual([])
    expect(complaint('number', [], 'x', false)).toEqual([`Profile requirement "Q?" must be a number`])
  })

  it('every requirement is judged, in the order of the Product', () => {
    const ask = (uid: string) => ({
      profile_requirement_uid: uid,
      profile_requirement: uid,
      category: 'default',
      required: true,
      requirement_type: 'string' as const,
      response_values: [],
    })
    expect(findProfileErrors([ask('b'), ask('a')], [])).toEqual([
      `Profile requirement "b" can't be blank`,
      `Profile requirement "a" can't be blank`,
    ])
  })
})
