import { Plus, X } from 'lucide-react'
import { RequiredField, RequirementType } from '../../../api/contract/resources/products.ts'
import { Row as Line } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, LabelledCheckbox } from '../../ui/Checkbox.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Table } from '../../ui/Table.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import type { ProductDraft, RequirementDraft } from './draft.ts'
import { Row } from './Row.tsx'
import styles from './Settings.module.css'

interface RequiredFieldsProps {
  readonly product: ProductDraft
  readonly onChange: (fields: ProductDraft['required_fields']) => void
}

/** The fields that each Customer Type must have, as a table of checkboxes. */
export function RequiredFields({ product, onChange }: RequiredFieldsProps) {
  const { required_fields } = product
  const types = [...new Set([...product.customer_types, ...required_fields.map((row) => row.customer_type)])]
  const isRequired = (type: string, field: string) =>
    required_fields.find((row) => row.customer_type === type)?.fields.includes(field) ?? false
  const toggle = (type: (typeof types)[number], field: RequiredField) => {
    const before = required_fields.find((row) => row.customer_type === type)
    const fields = RequiredField.options.filter((one) => (one === field) !== (before?.fields.includes(one) ?? false))
    const after = { customer_type: type, fields }
    onChange(before ? required_fields.map((row) => (row === before ? after : row)) : [...required_fields, after])
  }
  return (
    <Row
      label="required_fields"
      wide
      note="The fields that a Customer needs for onboarding, by Customer Type. Section 2.3."
    >
      <Table
        headers={[{ label: 'Customer field' }, ...types.map((type) => ({ label: type }))]}
        style={{ width: 'auto', tableLayout: 'auto', '--cell': '0 12px 0 0' }}
      >
        {RequiredField.options.map((field) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            {types.map((type) => (
              <td key={type}>
                <Checkbox
                  aria-label={`${field} of ${type}`}
                  checked={isRequired(type, field)}
                  onChange={() => toggle(type, field)}
                />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </Row>
  )
}

interface ProfileRequirementsProps {
  readonly requirements: readonly RequirementDraft[]
  readonly onChange: (requirements: readonly RequirementDraft[]) => void
}

const NEW_REQUIREMENT: RequirementDraft = {
  profile_requirement: '',
  category: 'default',
  required: false,
  requirement_type: 'string',
  response_values: [],
}

/** The questions to a Customer. */
export function ProfileRequirements({ requirements, onChange }: ProfileRequirementsProps) {
  return (
    <Row
      label="profile_requirements"
      wide
      note="Questions that a Customer answers in `profile_responses`, with the allowed answers."
    >
      <ul>
        {requirements.map((requirement, at) => (
          <Requirement
            key={requirement.profile_requirement_uid ?? `new ${at}`}
            number={at + 1}
            requirement={requirement}
            onChange={(part) => onChange(requirements.with(at, { ...requirement, ...part }))}
            onWithdraw={() => onChange(requirements.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <Button onClick={() => onChange([...requirements, NEW_REQUIREMENT])}>
        <Plus size={12} strokeWidth={2} aria-hidden="true" />
        Add a question
      </Button>
    </Row>
  )
}

interface RequirementProps {
  readonly number: number
  readonly requirement: RequirementDraft
  readonly onChange: (part: Partial<RequirementDraft>) => void
  readonly onWithdraw: () => void
}

function Requirement({ number, requirement, onChange, onWithdraw }: RequirementProps) {
  const { profile_requirement, requirement_type, category, required, response_values } = requirement
  return (
    <Line as="li" wraps gap={8} className={styles.question} style={{ paddingBottom: 12 }}>
      <TextInput
        aria-label={`Question ${number}`}
        placeholder="Question"
        title={profile_requirement}
        value={profile_requirement}
        onChange={({ target }) => onChange({ profile_requirement: target.value })}
      />
      <Select
        aria-label={`Type of question ${number}`}
        value={requirement_type}
        onChange={({ target }) => onChange({ requirement_type: RequirementType.parse(target.value) })}
      >
        {RequirementType.options.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </Select>
      <TextInput
        aria-label={`Category of question ${number}`}
        value={category}
        onChange={({ target }) => onChange({ category: target.value })}
      />
      <LabelledCheckbox checked={required} onChange={({ target }) => onChange({ required: target.checked })}>
        required
      </LabelledCheckbox>
      <Button bare iconOnly aria-label={`Withdraw question ${number}`} onClick={onWithdraw}>
        <X size={13} aria-hidden="true" />
      </Button>
      <TextArea
        aria-label={`Answers to question ${number}, one per line`}
        rows={Math.max(1, response_values.length)}
        placeholder="allowed answers, one per line"
        spellCheck={false}
        value={response_values.join('\n')}
        onChange={({ target }) => onChange({ response_values: target.value === '' ? [] : target.value.split('\n') })}
      />
    </Line>
  )
}
