import { Plus, X } from 'lucide-react'
import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import { RequiredField, RequirementType } from '../../../api/contract/resources/products.ts'
import type { Program } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import { Text } from '../../ui/Text.tsx'
import { changeDraft, type Draft, type ProductDraft, type RequirementDraft, same } from './draft.ts'
import { Cell, Ticks } from './parts.tsx'

interface ProductsProps {
  readonly program: Program
  readonly draft: Draft
  /** What is wrong, by path: `products.0.name`. */
  readonly wrong: Readonly<Record<string, string>>
}

const TYPES = CreatableCustomerType.options

/** What the Program offers: each Product opens to what it asks of a Customer. */
export function Products({ program, draft, wrong }: ProductsProps) {
  const products: readonly ProductDraft[] = draft.products ?? program.products
  const set = (to: readonly ProductDraft[]) => changeDraft(program.uid, (was) => ({ ...was, products: to }))
  const change = (at: number, part: Partial<ProductDraft>) =>
    set(products.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <section id="part-products" aria-label="Products">
      <h2>Products</h2>
      <p className="soft about-group">
        What Customers are onboarded to (section 3.2). One that Customers have cannot be withdrawn; a new one is known
        by its name until it is saved.
      </p>
      {Object.entries(wrong).map(([path, says]) => (
        <p key={path} className="bad about-group" role="alert">
          <code>{path}</code>: {says}
        </p>
      ))}
      {products.map((product, at) => {
        const was = program.products.find(({ uid }) => uid === product.uid)
        return (
          <details
            key={product.uid ?? `new ${at}`}
            className="offer"
            open={product.uid === undefined || undefined}
            data-changed={was && same(was, product) ? undefined : ''}
          >
            <summary>
              <b className="cut">
                <Text>{product.name || 'A new Product'}</Text>
              </b>
              <span className="mono faint cut">{product.uid ?? 'new'}</span>
              <span className="soft cut">
                {product.customer_types.join(', ') || 'for nobody'};{' '}
                {plural(product.profile_requirements.length, 'requirement')}
                {product.prerequisite_product_uids.length > 0 &&
                  `; ${plural(product.prerequisite_product_uids.length, 'prerequisite')}`}
              </span>
            </summary>
            <div className="offerbody">
              <Cell
                label="name"
                value={product.name}
                set={(name) => change(at, { name })}
                means="Unique in the Program."
              />
              <Cell
                label="description"
                value={product.description}
                set={(description) => change(at, { description })}
                means="For people."
              />
              <Cell
                label="compliance_plan_name"
                value={product.compliance_plan_name}
                set={(compliance_plan_name) => change(at, { compliance_plan_name })}
                means="The plan that Customers are verified by."
              />
              <Ticks
                label="customer_types"
                of={TYPES}
                chosen={product.customer_types}
                set={(to) => change(at, { customer_types: to as ProductDraft['customer_types'] })}
                means="For whom it is."
              />
              <Ticks
                label="prerequisites"
                of={products.flatMap((other) => (other === product ? [] : [other.uid ?? other.name])).filter(Boolean)}
                say={(uid) => products.find((other) => other.uid === uid)?.name ?? uid}
                chosen={product.prerequisite_product_uids}
                set={(to) => change(at, { prerequisite_product_uids: [...to] })}
                means="Products that a Customer must have before. A circle is refused."
              />
              <Asked product={product} set={(required_fields) => change(at, { required_fields })} />
              <Requirements
                requirements={product.profile_requirements}
                set={(profile_requirements) => change(at, { profile_requirements })}
              />
              <span>
                <button type="button" className="btn" onClick={() => set(products.toSpliced(at, 1))}>
                  <X size={12} aria-hidden="true" />
                  <span>
                    Withdraw <Text>{product.name}</Text>
                  </span>
                </button>
              </span>
            </div>
          </details>
        )
      })}
      <p className="about-group">
        <button type="button" className="btn" onClick={() => set([...products, fresh(program)])}>
          <Plus size={12} strokeWidth={2} aria-hidden="true" />
          Add a Product
        </button>
      </p>
    </section>
  )
}

const fresh = ({ customer_types, products }: Program): ProductDraft => ({
  name: '',
  description: '',
  compliance_plan_name: products[0]?.compliance_plan_name ?? 'Standard verification',
  customer_types: [...customer_types],
  prerequisite_product_uids: [],
  profile_requirements: [],
  required_fields: products[0]?.required_fields ?? [],
})

/** Which data each Customer Type must have given: a table of ticks. */
function Asked({ product, set }: { product: ProductDraft; set: (to: ProductDraft['required_fields']) => void }) {
  const types = [...new Set([...product.customer_types, ...product.required_fields.map((row) => row.customer_type)])]
  const asks = (type: string, field: string) =>
    product.required_fields.find((row) => row.customer_type === type)?.fields.includes(field) ?? false
  const toggle = (type: (typeof types)[number], field: RequiredField) => {
    const known = product.required_fields.find((row) => row.customer_type === type)
    const fields = RequiredField.options.filter((one) => (one === field) !== (known?.fields.includes(one) ?? false))
    const row = { customer_type: type, fields }
    set(known ? product.required_fields.map((one) => (one === known ? row : one)) : [...product.required_fields, row])
  }
  return (
    <div className="setting wide">
      <span>required_fields</span>
      <div className="scrollx">
        <table className="ticks">
          <thead>
            <tr>
              <th scope="col">of a Customer</th>
              {types.map((type) => (
                <th key={type} scope="col">
                  {type}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {RequiredField.options.map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {types.map((type) => (
                  <td key={type}>
                    <input
                      type="checkbox"
                      aria-label={`${field} of ${type}`}
                      checked={asks(type, field)}
                      onChange={() => toggle(type, field)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>What must be there at onboarding, for each Customer Type. Section 2.3.</p>
    </div>
  )
}

function Requirements({
  requirements,
  set,
}: {
  requirements: readonly RequirementDraft[]
  set: (to: readonly RequirementDraft[]) => void
}) {
  const change = (at: number, part: Partial<RequirementDraft>) =>
    set(requirements.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <div className="setting wide">
      <span>profile_requirements</span>
      <div>
        <ul className="requirements">
          {requirements.map((one, at) => (
            <li key={one.profile_requirement_uid ?? `new ${at}`}>
              <span className="field grow">
                <input
                  aria-label={`Question ${at + 1}`}
                  placeholder="What is asked"
                  title={one.profile_requirement}
                  value={one.profile_requirement}
                  onChange={(event) => change(at, { profile_requirement: event.target.value })}
                />
              </span>
              <span className="field">
                <select
                  aria-label={`Type of question ${at + 1}`}
                  value={one.requirement_type}
                  onChange={(event) => change(at, { requirement_type: RequirementType.parse(event.target.value) })}
                >
                  {RequirementType.options.map((type) => (
                    <option key={type}>{type}</option>
                  ))}
                </select>
              </span>
              <span className="field">
                <input
                  aria-label={`Category of question ${at + 1}`}
                  value={one.category}
                  onChange={(event) => change(at, { category: event.target.value })}
                />
              </span>
              <label className="check">
                <input
                  type="checkbox"
                  checked={one.required}
                  onChange={(event) => change(at, { required: event.target.checked })}
                />
                required
              </label>
              <button
                type="button"
                className="btn"
                data-bare
                data-icon
                aria-label={`Withdraw question ${at + 1}`}
                onClick={() => set(requirements.toSpliced(at, 1))}
              >
                <X size={13} aria-hidden="true" />
              </button>
              <textarea
                className="paste"
                aria-label={`Answers to question ${at + 1}, one a line`}
                rows={Math.max(1, one.response_values.length)}
                placeholder="answers, one a line"
                spellCheck={false}
                value={one.response_values.join('\n')}
                onChange={(event) =>
                  change(at, { response_values: event.target.value === '' ? [] : event.target.value.split('\n') })
                }
              />
            </li>
          ))}
        </ul>
        <button
          type="button"
          className="btn"
          onClick={() =>
            set([
              ...requirements,
              {
                profile_requirement: '',
                category: 'default',
                required: false,
                requirement_type: 'string',
                response_values: [],
              },
            ])
          }
        >
          <Plus size={12} strokeWidth={2} aria-hidden="true" />
          Add a question
        </button>
      </div>
      <p>
        What a Customer answers in <span className="mono">profile_responses</span>, with the answers that are taken.
      </p>
    </div>
  )
}
