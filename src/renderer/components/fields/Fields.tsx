import type { CollectionName } from '../../data/collections.ts'
import { formatAmount } from '../../format/text.ts'
import { Section } from '../../ui/Layout.tsx'
import { Amount, BreakableText, LongText, Property, PropertyList, Text } from '../../ui/Text.tsx'
import { RecordLink, Uid } from '../ScreenLink.tsx'
import { statusGlyphs } from '../Status.tsx'
import { Value } from '../Value.tsx'
import { Why } from '../Why.tsx'
import styles from './Fields.module.css'
import { type FieldLeaf, listFields } from './list-fields.ts'
import type { Fields as FieldsOf, RecordNames } from './use-record.ts'

interface FieldsProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: FieldsOf
  readonly names: RecordNames
}

/** Every field of the contract in its order; those without a value are only named. */
export function Fields({ collection, uid, fields, names }: FieldsProps) {
  const leaves = listFields(collection, fields)
  const namesOf = (value: null | undefined) => leaves.filter((leaf) => leaf.value === value).map(({ name }) => name)
  return (
    <Section title="Fields" end={<span className="meta">as the API returns them</span>}>
      <PropertyList className={styles.list}>
        {leaves
          .filter(({ value }) => value != null)
          .map((leaf) => (
            <Property key={leaf.name} name={leaf.name}>
              <FieldValue {...leaf} collection={collection} uid={uid} names={names} />
            </Property>
          ))}
      </PropertyList>
      <NamesOnly title="Empty" names={namesOf(null)} />
      <NamesOnly title="Not in the response" names={namesOf(undefined)} />
    </Section>
  )
}

const NamesOnly = ({ title, names }: { title: string; names: readonly string[] }) =>
  names.length > 0 && (
    <p className="meta wrap" style={{ padding: '6px 16px 0' }}>
      {title}:{' '}
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <BreakableText>{name}</BreakableText>
        </span>
      ))}
    </p>
  )

/** A plain word, neither a record nor an amount. Several of them share one line. */
const isWord = (part: unknown, names: RecordNames) =>
  typeof part === 'string' && !names.has(part) && !/[^a-z0-9_]/.test(part)

/** Longer names are cut. */
const LONG_NAME = 80
/** The length of the uids that the sandbox assigns. A Client's own ones may be longer and then wrap. */
const UID_LENGTH = 16

const MONEY = /^-?\d+\.\d{2}$/

function FieldValue({ name, value, collection, uid, names }: FieldLeaf & Omit<FieldsProps, 'fields'>) {
  if (Array.isArray(value) && value.length > 1 && value.every((part) => isWord(part, names)))
    return <Text>{value.join(', ')}</Text>
  if (Array.isArray(value) && value.length > 0)
    return value.map((part: unknown, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: values of a list have no identity but their position.
      <div key={index}>
        <FieldValue name={name} value={part} collection={collection} uid={uid} names={names} />
      </div>
    ))
  if (typeof value !== 'string') return <Value name={name} value={value} />
  // Only amounts and statuses have an explanation of their own; the record explains the rest.
  const field = name.replace(/\[.*$/, '')
  if (MONEY.test(value) && /amount|balance|value|price|limit/.test(name))
    return (
      <Why collection={collection} uid={uid} field={field} question={`Why is ${name} ${formatAmount(value)}?`}>
        <Amount value={value} />
      </Why>
    )
  if (/status$/.test(name) && value in statusGlyphs)
    return (
      <Why collection={collection} uid={uid} field={field} question={`Why is ${name} ${value}?`}>
        <Value name={name} value={value} />
      </Why>
    )
  if (value === uid) return <Uid>{value}</Uid>
  const named = names.get(value)
  if (named)
    return (
      <span title={`${named.name} ${value}`} className={named.name.length > LONG_NAME ? 'row' : styles.link}>
        <RecordLink collection={named.collection} uid={value}>
          {named.name}
        </RecordLink>
      </span>
    )
  if (/(^|[._])uid$/.test(name))
    return value.length <= UID_LENGTH ? (
      <Uid>{value}</Uid>
    ) : (
      <span className="mono">
        <LongText>{value}</LongText>
      </span>
    )
  return <Value name={name} value={value} />
}
