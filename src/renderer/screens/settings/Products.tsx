import { Plus, X } from 'lucide-react'
import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import type { Program } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Text } from '../../ui/Text.tsx'
import { changeDraft, type Draft, type ProductDraft, same } from './draft.ts'
import styles from './Products.module.css'
import { ProfileRequirements, RequiredFields } from './Requirements.tsx'
import { ChoicesRow, Problems, Remark, Section, TextRow } from './Row.tsx'

interface ProductsProps {
  readonly program: Program
  readonly draft: Draft
  /** What is wrong, by path: `products.0.name`. */
  readonly wrong: Readonly<Record<string, string>>
}

/** What the Program offers: each Product opens to what it asks of a Customer. */
export function Products({ program, draft, wrong }: ProductsProps) {
  const products: readonly ProductDraft[] = draft.products ?? program.products
  const set = (to: readonly ProductDraft[]) => changeDraft(program.uid, (was) => ({ ...was, products: to }))
  return (
    <Section
      id="products"
      title="Products"
      about="What Customers are onboarded to (section 3.2). One that Customers have cannot be withdrawn; a new one is known by its name until it is saved."
    >
      <Problems problems={wrong} />
      {products.map((product, at) => {
        const saved = program.products.find(({ uid }) => uid === product.uid)
        return (
          <details
            key={product.uid ?? `new ${at}`}
            className={styles.product}
            open={product.uid === undefined || undefined}
            data-changed={saved && same(saved, product) ? undefined : ''}
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
  prerequisite_product_uids: [],
  profile_requirements: [],
  required_fields: products[0]?.required_fields ?? [],
})

function ProductSummary({ product }: { product: ProductDraft }) {
  const { uid, name, customer_types, profile_requirements, prerequisite_product_uids } = product
  return (
    <summary>
      <b className="cut">
        <Text>{name || 'A new Product'}</Text>
      </b>
      <span className="mono faint cut">{uid ?? 'new'}</span>
      <span className="soft cut">
        {customer_types.join(', ') || 'for nobody'}; {plural(profile_requirements.length, 'requirement')}
        {prerequisite_product_uids.length > 0 && `; ${plural(prerequisite_product_uids.length, 'prerequisite')}`}
      </span>
    </summary>
  )
}

interface ProductFieldsProps {
  readonly product: ProductDraft
  /** What may be a prerequisite. */
  readonly others: readonly ProductDraft[]
  readonly onChange: (part: Partial<ProductDraft>) => void
  readonly onWithdraw: () => void
}

function ProductFields({ product, others, onChange, onWithdraw }: ProductFieldsProps) {
  return (
    <div className={styles.fields}>
      <TextRow
        label="name"
        value={product.name}
        onChange={(name) => onChange({ name })}
        note="Unique in the Program."
      />
      <TextRow
        label="description"
        value={product.description}
        onChange={(description) => onChange({ description })}
        note="For people."
      />
      <TextRow
        label="compliance_plan_name"
        value={product.compliance_plan_name}
        onChange={(compliance_plan_name) => onChange({ compliance_plan_name })}
        note="The plan that Customers are verified by."
      />
      <ChoicesRow
        label="customer_types"
        options={CreatableCustomerType.options.map((type) => ({ value: type, label: type }))}
        value={product.customer_types}
        onChange={(types) => onChange({ customer_types: types as ProductDraft['customer_types'] })}
        note="For whom it is."
      />
      <ChoicesRow
        label="prerequisites"
        options={others
          .map(({ uid, name }) => ({ value: uid ?? name, label: name || (uid ?? '') }))
          .filter(({ value }) => value !== '')}
        value={product.prerequisite_product_uids}
        onChange={(prerequisite_product_uids) => onChange({ prerequisite_product_uids })}
        note="Products that a Customer must have before. A circle is refused."
      />
      <RequiredFields product={product} onChange={(required_fields) => onChange({ required_fields })} />
      <ProfileRequirements
        requirements={product.profile_requirements}
        onChange={(profile_requirements) => onChange({ profile_requirements })}
      />
      <span>
        <Button onClick={onWithdraw}>
          <X size={12} aria-hidden="true" />
          <span>
            Withdraw <Text>{product.name}</Text>
          </span>
        </Button>
      </span>
    </div>
  )
}
