import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { z } from 'zod'
import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import { ProductRail, RequiredField, RequirementType } from '../../../api/contract/resources/products.ts'
import type { Program } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import { isCheckboxGroup, SettingInput } from '../../forms/SettingInput.tsx'
import { plainShape, shapeOf } from '../../forms/shape.ts'
import { Row as Line, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, LabelledCheckbox } from '../../ui/Checkbox.tsx'
import { CheckboxGroup } from '../../ui/CheckboxGroup.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import {
  changeDraft,
  type Draft,
  type FieldErrors,
  isEqual,
  type ProductDraft,
  type RequirementDraft,
} from './draft.ts'
import styles from './Products.module.css'
import { Problems, Remark, Row, Section } from './Row.tsx'
import settings from './Settings.module.css'

interface ProductsProps {
  readonly program: Program
  readonly draft: Draft
  readonly errors: FieldErrors
}

export function Products({ program, draft, errors }: ProductsProps) {
  const products = (draft.products ?? program.products) as readonly ProductDraft[]
  const set = (to: readonly ProductDraft[]) => changeDraft(program.uid, 'products', to)
  return (
    <Section
      id="products"
      title="Products"
      about="Customers are onboarded to Products (section 3.2). A Product that Customers have cannot be withdrawn."
    >
      <Problems errors={errors} />
      {products.map((product, at) => {
        const saved = program.products.find(({ uid }) => uid === product.uid)
        return (
          <details
            key={product.uid ?? `new ${at}`}
            className={styles.product}
            open={product.uid === undefined || undefined}
            data-changed={saved && isEqual(saved, product) ? undefined : ''}
          >
            <ProductSummary product={product} />
            <ProductFields
              product={product}
              others={products.filter((other) => other !== product)}
              onChange={(part) => set(products.with(at, { ...product, ...part }))}
              onWithdraw={() => set(products.toSpliced(at, 1))}
            />
          </details>
        )
      })}
      <Remark>
        <Button icon={Plus} onClick={() => set([...products, newProduct(program)])}>
          Add a Product
        </Button>
      </Remark>
    </Section>
  )
}

const newProduct = ({ customer_types, products }: Program): ProductDraft => ({
  name: '',
  description: '',
  compliance_plan_name: products[0]?.compliance_plan_name ?? 'Standard verification',
  customer_types: [...customer_types],
  rails: [...ProductRail.options],
  prerequisite_product_uids: [],
  profile_requirements: [],
  required_fields: products[0]?.required_fields ?? [],
})

function ProductSummary({ product }: { product: ProductDraft }) {
  const { uid, name, customer_types, rails, profile_requirements, prerequisite_product_uids } = product
  return (
    <summary>
      <b className="cut">
        <Text>{name || 'New Product'}</Text>
      </b>
      <span className="mono faint cut">{uid ?? 'new'}</span>
      <span className="soft cut">
        {customer_types.join(', ') || 'no Customer Type'}; {rails.join(', ') || 'no rail'};{' '}
        {plural(profile_requirements.length, 'requirement')}
        {prerequisite_product_uids.length > 0 && `; ${plural(prerequisite_product_uids.length, 'prerequisite')}`}
      </span>
    </summary>
  )
}

interface ProductFieldsProps {
  readonly product: ProductDraft
  /** The Products that can be a prerequisite. */
  readonly others: readonly ProductDraft[]
  readonly onChange: (part: Partial<ProductDraft>) => void
  readonly onWithdraw: () => void
}

const TEXT = plainShape(undefined)

/** The fields that are drawn by their shape. */
const FIELDS = [
  { name: 'name', shape: TEXT, note: 'Unique in the Program.' },
  { name: 'description', shape: TEXT, note: 'Shown to people only.' },
  { name: 'compliance_plan_name', shape: TEXT, note: 'The plan by which Customers are verified.' },
  { name: 'customer_types', shape: shapeOf(z.array(CreatableCustomerType)), note: 'The Customers that it is for.' },
  {
    name: 'rails',
    shape: shapeOf(z.array(ProductRail)),
    note: 'The transfers that it allows, if rails_need_products is on.',
  },
] as const

function ProductFields({ product, others, onChange, onWithdraw }: ProductFieldsProps) {
  const id = useId()
  return (
    <Stack fill="paper" style={{ paddingBottom: 12 }}>
      {FIELDS.map(({ name, shape, note }) => (
        <Row
          key={name}
          label={name}
          {...(isCheckboxGroup(shape) ? { id: id + name } : { htmlFor: id + name })}
          noteId={`${id}${name}?`}
          note={note}
        >
          <SettingInput
            id={id + name}
            shape={shape}
            value={product[name]}
            onChange={(value) => onChange({ [name]: value })}
            invalid={false}
            describedBy={`${id}${name}?`}
          />
        </Row>
      ))}
      <Row
        label="prerequisites"
        id={`${id}prerequisites`}
        note="Products that a Customer must have before this one. Circular prerequisites are refused."
      >
        <CheckboxGroup
          labelledBy={`${id}prerequisites`}
          options={others
            // A new Product has no uid before it is saved: its name stands for it.
            .map(({ uid, name }) => ({ value: uid ?? name, label: <Text>{name || (uid ?? '')}</Text> }))
            .filter(({ value }) => value !== '')}
          value={product.prerequisite_product_uids}
          onChange={(prerequisite_product_uids) => onChange({ prerequisite_product_uids })}
        />
      </Row>
      <RequiredFields product={product} onChange={(required_fields) => onChange({ required_fields })} />
      <ProfileRequirements
        requirements={product.profile_requirements}
        onChange={(profile_requirements) => onChange({ profile_requirements })}
      />
      <Line as="span" pad="8 16">
        <Button icon={X} onClick={onWithdraw}>
          <span>
            Withdraw <Text>{product.name}</Text>
          </span>
        </Button>
      </Line>
    </Stack>
  )
}

interface RequiredFieldsProps {
  readonly product: ProductDraft
  readonly onChange: (fields: ProductDraft['required_fields']) => void
}

/** The fields that each Customer Type must have, as a table of checkboxes. */
function RequiredFields({ product, onChange }: RequiredFieldsProps) {
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
function ProfileRequirements({ requirements, onChange }: ProfileRequirementsProps) {
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
      <Button icon={Plus} onClick={() => onChange([...requirements, NEW_REQUIREMENT])}>
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
    <Line as="li" wraps gap={8} className={settings.question} style={{ paddingBottom: 12 }}>
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
        options={RequirementType.options}
        onChange={(type) => onChange({ requirement_type: type })}
      />
      <TextInput
        aria-label={`Category of question ${number}`}
        value={category}
        onChange={({ target }) => onChange({ category: target.value })}
      />
      <LabelledCheckbox checked={required} onChange={({ target }) => onChange({ required: target.checked })}>
        required
      </LabelledCheckbox>
      <Button icon={X} bare aria-label={`Withdraw question ${number}`} onClick={onWithdraw} />
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
