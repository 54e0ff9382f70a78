import { Program, ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { type Shape, shapeOf } from '../../forms/shape.ts'

/** The settings of a Program by group. What each is, and what it may hold, is in the contract. */

export interface Setting {
  /** As in `limits.ach.daily_count`. */
  readonly path: string
  /** The last word of the path. */
  readonly label: string
  readonly shape: Shape
  readonly description: string
  /** Of the specification. */
  readonly section: string | undefined
  /** Behind the field: minutes, hours. */
  readonly unit: string | undefined
}

export interface SettingGroup {
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly settings: readonly Setting[]
}

const settings = shapeOf(
  ProgramSettings.extend({ name: Program.shape.name.meta({ description: 'What the window calls it' }) }),
)

function setting(path: string, section?: string): Setting {
  const names = path.split('.')
  const shape = names.reduce((parent, name) => parent.fields.find((field) => field.name === name)!.shape, settings)
  return {
    path,
    label: names.at(-1)!,
    shape: path.endsWith('_amount') ? { ...shape, kind: 'amount' } : shape,
    description: shape.schema.description ?? '',
    section,
    unit: /(?:^|_)(minutes|hours)(?:$|[._])/.exec(path)?.[1],
  }
}

/** All fields of an object, in the order of the contract. */
const fieldsOf = (path: string, section?: string) =>
  path
    .split('.')
    .reduce((parent, name) => parent.fields.find((field) => field.name === name)!.shape, settings)
    .fields.map(({ name }) => setting(`${path}.${name}`, section))

export const groups: readonly SettingGroup[] = [
  {
    id: 'access',
    title: 'Access',
    settings: [
      setting('allowlist', '5'),
      setting('customer_types', '4.4'),
      setting('client_is_customer', '4.4'),
      setting('accepts_client_verified', '4.4'),
      setting('strict'),
      setting('trace_ids_optional', '5'),
    ],
  },
  {
    id: 'payments',
    title: 'Payments',
    settings: [
      setting('transaction_types', '1'),
      setting('routing_number'),
      setting('pre_funding', '1'),
      setting('returns', '4.1'),
      setting('combined_transfers', '3.3'),
      setting('shows_iat'),
      setting('vrn_cooldown_minutes'),
    ],
  },
  {
    id: 'queue',
    title: 'Queue',
    about: 'How long transfers of a rail are held before they begin. While they wait they can be canceled.',
    settings: fieldsOf('queue_minutes'),
  },
  {
    id: 'authorization',
    title: 'Authorization',
    settings: [
      setting('client_authorization', '3.4'),
      setting('authorization_hours', '4.7'),
      setting('unanswered_authorization', '3.4'),
    ],
  },
  ...['ach', 'wire', 'instant_payment'].map((rail) => ({
    id: rail === 'ach' ? 'limits' : `limits_${rail}`,
    title: `Limits, ${rail}`,
    settings: fieldsOf(`limits.${rail}`, '8'),
  })),
  {
    id: 'accounts',
    title: 'Limits of Synthetic Accounts',
    about: 'How many a Customer may have. Empty sets no limit.',
    settings: fieldsOf('account_limits', '8'),
  },
]

export const nameSetting = setting('name', '1')

export const allSettings: readonly Setting[] = [nameSetting, ...groups.flatMap((group) => group.settings)]
