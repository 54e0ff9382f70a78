import { Plus, X } from 'lucide-react'
import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import { ProductRail } from '../../../api/contract/resources/products.ts'
import type { Program } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Text } from '../../ui/Text.tsx'
import { isEqual } from './changes.ts'
import { changeDraft, type Draft, type ProductDraft } from './draft.ts'
import styles from './Products.module.css'
import { ProfileRequirements, RequiredFields } from './Requirements.tsx'
import { ChoicesRow, Problems, Remark, Section, TextRow } from './Row.tsx'
import type { FieldErrors } from './validation.ts'

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
        <Button onClick={() => set([...products, newProduct(program)])}>
          <Plus size={12} strokeWidth={2} aria-hidden="true" />
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

/** The fields of one text, and those of several choices. */
const TEXTS = [
  ['name', 'Unique in the Program.'],
  ['description', 'Shown to people only.'],
  ['compliance_plan_name', 'The plan by which Customers are verified.'],
] as const
const CHOICES = [
  ['customer_types', CreatableCustomerType.options, 'The Customers that it is for.'],
  ['rails', ProductRail.options, 'The transfers that it allows, if rails_need_products is on.'],
] as const

function ProductFields({ product, others, onChange, onWithdraw }: ProductFieldsProps) {
  return (
    <Stack fill="paper" style={{ paddingBottom: 12 }}>
      {TEXTS.map(([name, note]) => (
        <TextRow
          key={name}
          label={name}
          value={product[name]}
          onChange={(text) => onChange({ [name]: text })}
          note={note}
        />
      ))}
      {CHOICES.map(([name, options, note]) => (
        <ChoicesRow
          key={name}
          label={name}
          options={options.map((option) => ({ value: option, label: option }))}
          value={product[name]}
          onChange={(chosen) => onChange({ [name]: chosen })}
          note={note}
        />
      ))}
      <ChoicesRow
        label="prerequisites"
        options={others
          // A new Product has no uid before it is saved: its name stands for it.
          .map(({ uid, name }) => ({ value: uid ?? name, label: name || (uid ?? '') }))
          .filter(({ value }) => value !== '')}
        value={product.prerequisite_product_uids}
        onChange={(prerequisite_product_uids) => onChange({ prerequisite_product_uids })}
        note="Products that a Customer must have before this one. Circular prerequisites are refused."
      />
      <RequiredFields product={product} onChange={(required_fields) => onChange({ required_fields })} />
      <ProfileRequirements
        requirements={product.profile_requirements}
        onChange={(profile_requirements) => onChange({ profile_requirements })}
      />
      <Row as="span" pad="8 16">
        <Button onClick={onWithdraw}>
          <X size={12} aria-hidden="true" />
          <span>
            Withdraw <Text>{product.name}</Text>
          </span>
        </Button>
      </Row>
    </Stack>
  )
}
