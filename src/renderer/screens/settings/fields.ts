import { z } from 'zod'
import { Program, ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { type Shape, shapeOf } from '../../../api/contract/shape.ts'
import { type SettingsSection, settingsSections } from '../../data/settings-sections.ts'
import { formatAmount } from '../../format/numbers.ts'

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
  readonly id: SettingsSection
  readonly title: string
  readonly about: string | undefined
  readonly settings: readonly Setting[]
}

/** The sections of the specification, with the first names of the paths that each is about. */
const SPECIFICATION: Readonly<Record<string, string>> = {
  '1': 'name transaction_types rails_need_products pre_funding',
  '3.3': 'combined_transfers',
  '3.4': 'client_authorization unanswered_authorization',
  '4.1': 'returns',
  '4.4': 'customer_types client_is_customer accepts_client_verified',
  '4.7': 'authorization_hours',
  '5': 'allowlist token_clock trace_ids_optional',
  '8': 'limits account_limits',
}
const sectionOf = new Map(
  Object.entries(SPECIFICATION).flatMap(([section, names]) => names.split(' ').map((name) => [name, section] as const)),
)

const ABOUT: Readonly<Partial<Record<SettingsSection, string>>> = {
  queue: 'How long transfers of each rail wait before they are sent. While they wait, they can be canceled.',
  limits: 'Of the transfers of each rail. Empty means no limit.',
  accounts: 'How many accounts a Customer may have. Empty means no limit.',
}

/** All settings of a shape, in the order of the contract. */
const listSettings = ({ fields }: Shape, parents: readonly string[] = []): readonly Setting[] =>
  fields.flatMap(({ name, shape }) => {
    const names = [...parents, name]
    if (shape.fields.length > 0) return listSettings(shape, names)
    const path = names.join('.')
    return {
      path,
      label: name,
      shape: path.endsWith('_amount') ? { ...shape, kind: 'amount' } : shape,
      description: shape.schema.description ?? '',
      section: sectionOf.get(names[0]!),
      unit: /(?:^|_)(minutes|hours)(?:$|[._])/.exec(path)?.[1],
    }
  })

const known = listSettings(
  shapeOf(
    z.object({
      name: Program.shape.name.meta({ description: 'Its name in this window' }),
      ...ProgramSettings.shape,
    }),
  ),
)
export const nameSetting = known[0]!

/** The settings by section. Those that no section names are in `other`, so that the window can change every setting. */
export function groupSettings(sections: readonly (readonly [id: SettingsSection, title: string, words: string])[]) {
  const firstName = ({ path }: Setting) => path.split('.')[0]!
  const named = sections.map(([, , words]) => words.split(' '))
  const others = known.filter((setting) => !named.some((words) => words.includes(firstName(setting))))
  return sections
    .map(([id, title], at): SettingGroup => {
      const own = named[at]!.flatMap((word) => known.filter((setting) => firstName(setting) === word))
      return { id, title, about: ABOUT[id], settings: id === 'other' ? others : own }
    })
    .filter(({ id, settings }) => id !== 'program' && settings.length > 0)
}

export const groups: readonly SettingGroup[] = groupSettings(settingsSections)

/** In the order of the screen. */
export const allSettings: readonly Setting[] = [nameSetting, ...groups.flatMap(({ settings }) => settings)]

/** An amount as the user typed it, with two decimals and separators. Other text is returned unchanged. */
export function formatTypedAmount(text: string): string {
  const [, whole, places = ''] = /^(\d+)\.?(\d{0,2})$/.exec(text) ?? []
  return whole === undefined ? text : formatAmount(`${whole}.${places.padEnd(2, '0')}`)
}
