import { Program, ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { formatAmount } from '../../format/numbers.ts'
import { type Shape, shapeOf } from '../../forms/shape.ts'

export interface Setting {
  /** For example `limits.ach.daily_count`. */
  readonly path: string
  /** The last name of the path. */
  readonly label: string
  readonly shape: Shape
  readonly description: string
  /** The section of the specification. */
  readonly section: string | undefined
  /** Shown after the input, e.g. minutes. */
  readonly unit: string | undefined
}

interface SettingGroup {
  readonly id: string
  readonly title: string
  readonly about?: string
  /** One row for each name, one column for each parent. */
  readonly isTable?: true
  readonly settings: readonly Setting[]
}

const settings = shapeOf(
  ProgramSettings.extend({ name: Program.shape.name.meta({ description: 'Its name in this window' }) }),
)

function createSetting(path: string, section?: string): Setting {
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

/** All settings of an object, in the order of the contract. */
const createSettings = (path: string, section?: string) =>
  path
    .split('.')
    .reduce((parent, name) => parent.fields.find((field) => field.name === name)!.shape, settings)
    .fields.map(({ name }) => createSetting(`${path}.${name}`, section))

const namedGroups: readonly SettingGroup[] = [
  {
    id: 'access',
    title: 'Access',
    settings: [
      createSetting('allowlist', '5'),
      createSetting('customer_types', '4.4'),
      createSetting('client_is_customer', '4.4'),
      createSetting('accepts_client_verified', '4.4'),
      createSetting('strict'),
      createSetting('token_clock', '5'),
      createSetting('webhook_hosts'),
      createSetting('trace_ids_optional', '5'),
    ],
  },
  {
    id: 'payments',
    title: 'Payments',
    settings: [
      createSetting('transaction_types', '1'),
      createSetting('rails_need_products', '1'),
      createSetting('routing_number'),
      createSetting('wire_addresses'),
      createSetting('pre_funding', '1'),
      createSetting('returns', '4.1'),
      createSetting('combined_transfers', '3.3'),
      createSetting('shows_iat'),
      createSetting('vrn_cooldown_minutes'),
    ],
  },
  {
    id: 'queue',
    title: 'Queue',
    about: 'How long transfers of each rail wait before they are sent. While they wait, they can be canceled.',
    settings: createSettings('queue_minutes'),
  },
  {
    id: 'authorization',
    title: 'Authorization',
    settings: [
      createSetting('client_authorization', '3.4'),
      createSetting('authorization_hours', '4.7'),
      createSetting('unanswered_authorization', '3.4'),
    ],
  },
  {
    id: 'limits',
    title: 'Payment limits',
    about: 'Of the transfers of each rail. Empty means no limit.',
    isTable: true,
    settings: ['ach', 'wire', 'instant_payment'].flatMap((rail) => createSettings(`limits.${rail}`, '8')),
  },
  {
    id: 'accounts',
    title: 'Synthetic Account limits',
    about: 'How many accounts a Customer may have. Empty means no limit.',
    settings: createSettings('account_limits', '8'),
  },
]

export const nameSetting = createSetting('name', '1')

/** All groups. Settings that no group above names are in a last one, so that the window can change every setting. */
export const groups: readonly SettingGroup[] = addOtherSettings(namedGroups)

export function addOtherSettings(groups: readonly SettingGroup[]): readonly SettingGroup[] {
  const grouped = new Set([nameSetting, ...groups.flatMap((group) => group.settings)].map(({ path }) => path))
  const others = listPaths(settings).filter((path) => !grouped.has(path))
  if (others.length === 0) return groups
  return [...groups, { id: 'other', title: 'Other', settings: others.map((path) => createSetting(path)) }]
}

/** The paths of all values of an object. */
function listPaths({ fields }: Shape): readonly string[] {
  return fields.flatMap(({ name, shape }) =>
    shape.fields.length === 0 ? [name] : listPaths(shape).map((path) => `${name}.${path}`),
  )
}

export const allSettings: readonly Setting[] = [nameSetting, ...groups.flatMap((group) => group.settings)]

/** An amount as the user typed it, with two decimals and separators. Other text is returned unchanged. */
export function formatTypedAmount(text: string): string {
  const [, whole, places = ''] = /^(\d+)\.?(\d{0,2})$/.exec(text) ?? []
  return whole === undefined ? text : formatAmount(`${whole}.${places.padEnd(2, '0')}`)
}
