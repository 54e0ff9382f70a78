import { Plus, X } from 'lucide-react'
import { SyntheticAccountCategory } from '../../../api/contract/resources/synthetic-accounts.ts'
import type { Program } from '../../data/feed.ts'
import { Button } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { ScrolledTable } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import { changeDraft, type Draft, type FieldErrors, isEqual, type TypeDraft } from './draft.ts'
import { Problems, Remark, Section } from './Row.tsx'

interface AccountTypesProps {
  readonly program: Program
  readonly draft: Draft
  readonly errors: FieldErrors
}

const FIELDS = [
  ['name', 'Name'],
  ['synthetic_account_category', 'Category'],
  ['description', 'Description'],
] as const

export function AccountTypes({ program, draft, errors }: AccountTypesProps) {
  const types = (draft.synthetic_account_types ?? program.synthetic_account_types) as readonly TypeDraft[]
  const set = (to: readonly TypeDraft[]) => changeDraft(program.uid, 'synthetic_account_types', to)
  const change = (at: number, part: Partial<TypeDraft>) =>
    set(types.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <Section
      id="types"
      title="Synthetic Account Types"
      about="The types of account that can be opened (section 1). One must be of category general: the activation of a Customer opens such an account."
    >
      <Problems errors={errors} />
      <ScrolledTable
        label="Types"
        controls
        style={{ minWidth: 640 }}
        headers={[
          { label: 'name', width: '24%' },
          { label: 'synthetic_account_category' },
          { label: 'description', width: '36%' },
          { label: 'uid' },
          { label: 'Withdraw', unseen: true },
        ]}
      >
        {types.map((type, at) => {
          const saved = program.synthetic_account_types.find(({ uid }) => uid === type.uid)
          const label = type.name || `type ${at + 1}`
          return (
            <tr key={type.uid ?? `new ${at}`} data-changed={saved && isEqual(saved, type) ? undefined : ''}>
              {FIELDS.map(([field, name]) => (
                <td key={field}>
                  {field === 'synthetic_account_category' ? (
                    <Select
                      aria-label={`${name} of ${label}`}
                      value={type[field]}
                      options={SyntheticAccountCategory.options}
                      onChange={(category) => change(at, { [field]: category })}
                    />
                  ) : (
                    <TextInput
                      aria-label={`${name} of ${label}`}
                      invalid={errors[`synthetic_account_types.${at}.${field}`] !== undefined}
                      value={type[field]}
                      onChange={({ target }) => change(at, { [field]: target.value })}
                    />
                  )}
                </td>
              ))}
              <td className="mono faint nowrap">
                <Text>{type.uid ?? 'new'}</Text>
              </td>
              <td>
                <Button icon={X} bare aria-label={`Withdraw ${label}`} onClick={() => set(types.toSpliced(at, 1))} />
              </td>
            </tr>
          )
        })}
      </ScrolledTable>
      <Remark>
        <Button
          icon={Plus}
          onClick={() => set([...types, { name: '', description: '', synthetic_account_category: 'general' }])}
        >
          Add a type
        </Button>
      </Remark>
    </Section>
  )
}
