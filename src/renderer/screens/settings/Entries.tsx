import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { z } from 'zod'
import { CreatableCustomerType } from '../../../api/contract/resources/customers.ts'
import { ProductChange, ProductRail, ProfileRequirementChange } from '../../../api/contract/resources/products.ts'
import { SyntheticAccountTypeChange } from '../../../api/contract/resources/synthetic-accounts.ts'
import { type Shape, shapeOf } from '../../../api/contract/shape.ts'
import type { Program } from '../../data/feed.ts'
import { plural } from '../../format/text.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { useExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Folded.tsx'
import { Stack } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { changeDraft, type Draft, type Entry, type FieldErrors, isEqual, type ListName } from './draft.ts'
import { Problems, Remark, Section } from './Row.tsx'

interface EntryList {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly one: string
  readonly shape: Shape
  readonly create: (program: Program) => Entry
  /** An entry in a line, beside its name and its uid. */
  readonly describe: (entry: never) => string
}

const Requirement = ProfileRequirementChange.omit({ profile_requirement_uid: true }).meta({
  examples: [
    { profile_requirement: '', category: 'default', required: false, requirement_type: 'string', response_values: [] },
  ],
})

const lists: Readonly<Record<ListName, EntryList>> = {
  products: {
    id: 'products',
    title: 'Products',
    about: 'Customers are onboarded to Products (section 3.2). A Product that Customers have cannot be withdrawn.',
    one: 'Product',
    shape: shapeOf(
      ProductChange.omit({ uid: true, product_compliance_plan_uid: true }).extend({
        customer_types: z.array(CreatableCustomerType).meta(ProductChange.shape.customer_types.meta() ?? {}),
        profile_requirements: z.array(Requirement).meta(ProductChange.shape.profile_requirements.meta() ?? {}),
      }),
    ),
    create: ({ customer_types, products: [first] }) => ({
      name: '',
      description: '',
      compliance_plan_name: first?.compliance_plan_name ?? 'Standard verification',
      customer_types: [...customer_types],
      rails: [...ProductRail.options],
      prerequisite_product_uids: [],
      profile_requirements: [],
      required_fields: first?.required_fields ?? [],
    }),
    describe: ({
      customer_types = [],
      rails = [],
      profile_requirements = [],
      prerequisite_product_uids = [],
    }: ProductChange) =>
      [
        customer_types.join(', ') || 'no Customer Type',
        rails.join(', ') || 'no rail',
        plural(profile_requirements.length, 'requirement'),
        ...(prerequisite_product_uids.length > 0 ? [plural(prerequisite_product_uids.length, 'prerequisite')] : []),
      ].join('; '),
  },
  synthetic_account_types: {
    id: 'types',
    title: 'Synthetic Account Types',
    about:
      'The types of account that can be opened (section 1). One must be of category general: the activation of a Customer opens such an account.',
    one: 'type',
    shape: shapeOf(SyntheticAccountTypeChange.omit({ uid: true })),
    create: () => ({ name: '', description: '', synthetic_account_category: 'general' }),
    describe: ({ synthetic_account_category, description }: SyntheticAccountTypeChange) =>
      [synthetic_account_category, description].filter(Boolean).join('; '),
  },
}

interface EntriesProps {
  readonly list: ListName
  readonly program: Program
  readonly draft: Draft
  readonly errors: FieldErrors
}

/** The Products or the Synthetic Account Types of a Program: each is a line that unfolds to its form. */
export function Entries({ list, program, draft, errors }: EntriesProps) {
  const { id, title, about, one, shape, create, describe } = lists[list]
  const form = useId()
  const examples = useExamples(program.uid)
  const saved: readonly Entry[] = program[list]
  const entries = (draft[list] ?? saved) as readonly Entry[]
  const set = (to: readonly Entry[]) => changeDraft(program.uid, list, to)
  return (
    <Section id={id} title={title} about={about}>
      <Problems errors={errors} />
      {entries.map((entry, at) => {
        const { uid, name } = entry
        const before = saved.find((one) => one.uid === uid)
        return (
          <Disclosure
            key={uid ?? `new ${at}`}
            open={uid === undefined || undefined}
            data-changed={before && isEqual(before, entry) ? undefined : ''}
            summary={
              <Stack as="span" columns="minmax(0, 200px) 152px minmax(0, 1fr)" narrows gap="2 16" grow>
                <b className="cut">
                  <Text>{name || `New ${one}`}</Text>
                </b>
                <span className="mono faint cut">{uid ?? 'new'}</span>
                <span className="soft cut">{describe(entry as never)}</span>
              </Stack>
            }
          >
            <Stack fill="paper" gap={8} pad="8 16">
              <SchemaForm
                id={`${form}${at}`}
                shape={shape}
                value={entry}
                examples={examples?.values}
                onChange={(value: JsonObject) => set(entries.with(at, value as Entry))}
                problems={problemsOf(`${list}.${at}.`, errors)}
              />
              <span>
                <Button icon={X} onClick={() => set(entries.toSpliced(at, 1))}>
                  <span>
                    Withdraw <Text>{name}</Text>
                  </span>
                </Button>
              </span>
            </Stack>
          </Disclosure>
        )
      })}
      <Remark>
        <Button icon={Plus} onClick={() => set([...entries, create(program)])}>
          Add a {one}
        </Button>
      </Remark>
    </Section>
  )
}

/** The errors of one entry, by the path in it. */
const problemsOf = (prefix: string, errors: FieldErrors) =>
  new Map(
    Object.entries(errors).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text]] : [],
    ),
  )
