import { Plus, X } from 'lucide-react'
import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import { ProductRail } from '../../../api/contract/resources/products.ts'
import type { Program } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
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
  const products: readonly ProductDraft[] = draft.products ?? program.products
  const set = (to: readonly ProductDraft[]) => changeDraft(program.uid, (was) => ({ ...was, products: to }))
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
        note="Shown to people only."
      />
      <TextRow
        label="compliance_plan_name"
        value={product.compliance_plan_name}
        onChange={(compliance_plan_name) => onChange({ compliance_plan_name })}
        note="The plan by which Customers are verified."
      />
      <ChoicesRow
        label="customer_types"
        options={CreatableCustomerType.options.map((type) => ({ value: type, label: type }))}
        value={product.customer_types}
        onChange={(types) => onChange({ customer_types: types as ProductDraft['customer_types'] })}
        note="The Customers that it is for."
      />
      <ChoicesRow
        label="rails"
        options={ProductRail.options.map((rail) => ({ value: rail, label: rail }))}
        value={product.rails}
        onChange={(rails) => onChange({ rails: rails as ProductDraft['rails'] })}
        note="The transfers that it allows, if rails_need_products is on."
      />
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
