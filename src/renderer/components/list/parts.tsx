import { ArrowRight, ArrowUpRight, Lock } from 'lucide-react'
import type { CollectionName } from '../../data/collections.ts'
import type { PartyNames } from '../../data/names.ts'
import { formatInstant } from '../../format/time.ts'
import { Text } from '../../ui/Text.tsx'
import { RecordLink } from '../RecordLink.tsx'
import styles from './parts.module.css'

/** What cells of several lists are made of. */

/** The padlock stands beside a status: being locked is none. */
export function LockedMark({ at, children }: { at: string | null; children: React.ReactNode }) {
  if (at === null) return children
  const says = `locked at ${formatInstant(Date.parse(at))}`
  return (
    <span className={styles.locked}>
      {children}
      <Lock className="wait" size={12} strokeWidth={1.8} role="img" aria-label={says}>
        <title>{says}</title>
      </Lock>
    </span>
  )
}

interface PartiesProps {
  readonly names: PartyNames
  readonly source: string | null | undefined
  readonly destination: string | null | undefined
  /** Who stands behind what is outside, where the payment says so. */
  readonly outside?: string | undefined
}

/** From where to where. What is not held here bears the arrow that leads outside. */
export function Parties({ names, source, destination, outside }: PartiesProps) {
  return (
    <span className={styles.parties}>
      <Party names={names} uid={source} outside={outside} />
      <ArrowRight size={12} strokeWidth={1.8} role="img" aria-label="to" />
      <Party names={names} uid={destination} outside={outside} />
    </span>
  )
}

interface PartyProps extends Pick<PartiesProps, 'names' | 'outside'> {
  readonly uid: string | null | undefined
}

function Party({ names, uid, outside }: PartyProps) {
  if (uid == null) return <span className="faint">not made yet</span>
  const isOutside = names.outside(uid)
  // A Pool's own account for what comes from outside is in no list, so that its name is not known.
  const name = names.account(uid) ?? (isOutside ? OUTSIDE : undefined)
  const account = <NamedRecord collection="synthetic_accounts" uid={uid} name={name} />
  if (!isOutside) return account
  return (
    <span className={styles.outside}>
      <ArrowUpRight size={12} strokeWidth={1.8} role="img" aria-label="outside:" />
      {outside === undefined ? (
        account
      ) : (
        <span className="cut soft" title={outside.slice(0, 255)}>
          <Text>{outside}</Text>
        </span>
      )}
    </span>
  )
}

const OUTSIDE = 'outside'

export function partiesText({ names, source, destination, outside }: PartiesProps): string {
  const word = (uid: string | null | undefined) =>
    names.outside(uid) ? (outside ?? names.account(uid) ?? OUTSIDE) : (names.account(uid) ?? uid ?? '')
  return `${word(source)} → ${word(destination)}`
}

/** As the Customer sees it, told by who holds the accounts: money that goes outside is less. */
export function netAssetOf(
  names: PartyNames,
  source: string | null | undefined,
  destination: string | null | undefined,
) {
  if (names.outside(source)) return 'positive'
  return names.outside(destination) ? 'negative' : 'neutral'
}

/** An amount that is never negative, with the sign of where it goes. */
export const signAmount = (amount: string, direction: string) => (direction === 'negative' ? `-${amount}` : amount)

/** A record by its name, or by its uid until the name is known. */
export const NamedRecord = ({
  collection,
  uid,
  name,
}: {
  collection: CollectionName
  uid: string
  name?: string | null | undefined
}) => (
  <RecordLink collection={collection} uid={uid} inTable title={name ?? uid}>
    {name ?? uid}
  </RecordLink>
)
