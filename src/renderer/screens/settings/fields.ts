import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import { AllowedTransactionType } from '../../../api/contract/resources/programs.ts'

/** Every setting of a Program, said once: where it stands in the contract, how it is written, and what it means. */

export type Kind =
  | { readonly is: 'text' | 'lines' | 'flag' | 'amount' }
  | { readonly is: 'number'; readonly unit?: string }
  | { readonly is: 'one' | 'several'; readonly of: readonly string[] }

export interface Setting {
  /** As in `limits.ach.daily_count`. */
  readonly path: string
  /** Left out: the last word of the path. */
  readonly label?: string
  readonly kind: Kind
  /** Empty means null: no limit. */
  readonly nullable?: boolean
  readonly means: string
  /** Of the specification. */
  readonly section?: string
}

export interface SettingGroup {
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly settings: readonly Setting[]
}

const text: Kind = { is: 'text' }
const flag: Kind = { is: 'flag' }
const amount: Kind = { is: 'amount' }
const number = (unit?: string): Kind => ({ is: 'number', ...(unit ? { unit } : {}) })

const RAILS = ['ach', 'wire', 'instant_payment'] as const

const limitsOf = (rail: (typeof RAILS)[number]): Setting[] => [
  {
    path: `limits.${rail}.minimum_amount`,
    kind: amount,
    means: 'Less is refused with 3013.',
    section: '8',
  },
  {
    path: `limits.${rail}.maximum_amount`,
    kind: amount,
    nullable: true,
    means: 'More is refused with 3012.',
    section: '8',
  },
  {
    path: `limits.${rail}.daily_amount`,
    kind: amount,
    nullable: true,
    means: 'For each Customer and New York day; more is refused with 3011.',
    section: '8',
  },
  {
    path: `limits.${rail}.daily_count`,
    kind: number(),
    nullable: true,
    means: 'Transfers of each Customer and New York day; more are refused with 3010.',
    section: '8',
  },
]

export const groups: readonly SettingGroup[] = [
  {
    id: 'access',
    title: 'Access',
    settings: [
      {
        path: 'allowlist',
        kind: { is: 'lines' },
        means: 'Networks that requests may come from, one a line; from elsewhere: 403, 1013.',
        section: '5',
      },
      {
        path: 'customer_types',
        kind: { is: 'several', of: CreatableCustomerType.options },
        means: 'The Customer Types that the Program may create.',
        section: '4.4',
      },
      {
        path: 'client_is_customer',
        kind: flag,
        means: 'The Client is its own Customer: POST /customers is refused with 1018, and the operator creates it.',
        section: '4.4',
      },
      {
        path: 'accepts_client_verified',
        kind: flag,
        means: 'All Customers must come verified by the Client (client_verified), and none is verified here.',
        section: '4.4',
      },
      {
        path: 'strict',
        kind: flag,
        means: 'Unknown fields and parameters are refused instead of ignored with a hint.',
      },
      {
        path: 'trace_ids_optional',
        kind: flag,
        means: 'Requests without an x-trace-id are taken.',
        section: '5',
      },
    ],
  },
  {
    id: 'payments',
    title: 'Payments',
    settings: [
      {
        path: 'transaction_types',
        kind: { is: 'several', of: AllowedTransactionType.options },
        means: 'Which transfers Clients may initiate.',
        section: '1',
      },
      {
        path: 'routing_number',
        kind: text,
        means: 'Of the accounts that are opened at the custodian from now on: 9 digits.',
      },
      {
        path: 'pre_funding',
        kind: flag,
        means: 'What leaves must be available; if off, an outgoing ACH may exceed it.',
        section: '1',
      },
      { path: 'returns', kind: flag, means: 'POST /returns is open to the Client.', section: '4.1' },
      {
        path: 'combined_transfers',
        kind: flag,
        means: 'POST /combined_transfers is open to the Client.',
        section: '3.3',
      },
      { path: 'shows_iat', kind: flag, means: 'International ACH payments show their detail.' },
      {
        path: 'vrn_cooldown_minutes',
        kind: number('minutes'),
        means: 'Between locking and unlocking a VRN.',
      },
    ],
  },
  {
    id: 'queue',
    title: 'Queue',
    about: 'How long transfers of a rail are held before they begin. While they wait they can be canceled.',
    settings: (['ach', 'wire', 'instant_payment', 'book'] as const).map((rail) => ({
      path: `queue_minutes.${rail}`,
      label: rail,
      kind: number('minutes'),
      means: rail === 'book' ? 'Transfers between accounts of the same Pool.' : `Transfers over ${rail}.`,
    })),
  },
  {
    id: 'authorization',
    title: 'Authorization',
    settings: [
      {
        path: 'client_authorization',
        kind: flag,
        means: 'Payments received on a VRN wait for the Client.',
        section: '3.4',
      },
      {
        path: 'authorization_hours',
        kind: number('hours'),
        means: 'How long they wait.',
        section: '4.7',
      },
      {
        path: 'unanswered_authorization',
        kind: { is: 'one', of: ['approve', 'deny'] },
        means: 'What becomes of one that nobody answered in time.',
        section: '3.4',
      },
    ],
  },
  ...RAILS.map((rail) => ({
    id: rail === 'ach' ? 'limits' : `limits_${rail}`,
    title: `Limits, ${rail}`,
    settings: limitsOf(rail),
  })),
  {
    id: 'accounts',
    title: 'Limits of Synthetic Accounts',
    about: 'How many a Customer may have. Empty sets no limit.',
    settings: [
      ['general_accounts', 'Active ones at a time; more are refused with 2009.'],
      ['one_external_account', 'A second active external account is refused with 2010.'],
      ['external_accounts', 'Different external accounts, ever; more are refused with 2013.'],
      ['minutes_between_external_accounts', 'A further one sooner than this is refused with 2014.'],
      ['same_external_account', 'Times that one and the same may be opened; more are refused with 2015.'],
      ['ach_external_accounts', 'Active ones of category ach_external at a time; more are refused with 2016.'],
    ].map(([name = '', means = '']) => ({
      path: `account_limits.${name}`,
      kind: name === 'one_external_account' ? flag : number(name.startsWith('minutes') ? 'minutes' : undefined),
      nullable: name !== 'one_external_account',
      means,
      section: '8',
    })),
  },
]

export const nameSetting: Setting = { path: 'name', kind: text, means: 'What the window calls it.', section: '1' }

export const allSettings: readonly Setting[] = [nameSetting, ...groups.flatMap(({ settings }) => settings)]
