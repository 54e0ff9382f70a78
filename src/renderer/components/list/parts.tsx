import { ArrowRight, ArrowUpRight, Inbox, Lock } from 'lucide-react'
import type { CollectionName } from '../../data/collections.ts'
import type { PartyNames } from '../../data/names.ts'
import { formatInstant } from '../../format/text.ts'
import { Row } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { ButtonLink, RecordLink } from '../ScreenLink.tsx'

/** Parts of cells that several lists share. */

/** Adds a padlock to a status: a lock is not a status of its own. */
export function LockedMark({ at, children }: { at: string | null; children: React.ReactNode }) {
  if (at === null) return children
  const label = `locked at ${formatInstant(Date.parse(at))}`
  return (
    <Row as="span" gap={6} style={{ display: 'inline-flex', verticalAlign: 'top' }}>
      {children}
      <Lock className="wait" size={12} strokeWidth={1.8} role="img" aria-label={label}>
        <title>{label}</title>
      </Lock>
    </Row>
  )
}

interface PartiesProps {
  readonly names: PartyNames
  readonly source: string | null | undefined
  readonly destination: string | null | undefined
  /** The external party, if the payment names it. */
  readonly outside?: string | undefined
}

/** Source and destination. An external account has an arrow. */
export function Parties({ names, source, destination, outside }: PartiesProps) {
  return (
    <Row as="span" gap={4}>
      <Party names={names} uid={source} outside={outside} />
      <ArrowRight className="faint" style={FIXED} size={12} strokeWidth={1.8} role="img" aria-label="to" />
      <Party names={names} uid={destination} outside={outside} />
    </Row>
  )
}

interface PartyProps extends Pick<PartiesProps, 'names' | 'outside'> {
  readonly uid: string | null | undefined
}

function Party({ names, uid, outside }: PartyProps) {
  if (uid == null) return <span className="faint">not created yet</span>
  const isOutside = names.outside(uid)
  // The accounts of a Pool for external counterparties are not listed, so their names are unknown.
  const name = names.account(uid) ?? (isOutside ? OUTSIDE : undefined)
  const account = <NamedRecord collection="synthetic_accounts" uid={uid} name={name} />
  if (!isOutside) return account
  return (
    <Row as="span" gap={4} style={OUTSIDE_PARTY}>
      <ArrowUpRight className="faint" style={FIXED} size={12} strokeWidth={1.8} role="img" aria-label="outside:" />
      {outside === undefined ? (
        account
      ) : (
        <span className="cut soft" title={outside.slice(0, 255)}>
          <Text>{outside}</Text>
        </span>
      )}
    </Row>
  )
}

const FIXED = { flex: 'none' }
/** The party outside is named nowhere else in the row. */
const OUTSIDE_PARTY = { display: 'inline-flex', flexShrink: 0, maxWidth: '60%' }
const OUTSIDE = 'outside'

export function partiesText({ names, source, destination, outside }: PartiesProps): string {
  const word = (uid: string | null | undefined) =>
    names.outside(uid) ? (outside ?? names.account(uid) ?? OUTSIDE) : (names.account(uid) ?? uid ?? '')
  return `${word(source)} → ${word(destination)}`
}

/** The direction of a payment from the Customer's point of view. */
export function netAssetOf(
  names: PartyNames,
  source: string | null | undefined,
  destination: string | null | undefined,
) {
  if (names.outside(source)) return 'positive'
  return names.outside(destination) ? 'negative' : 'neutral'
}

/** Adds the sign of the direction to an unsigned amount. */
export const signAmount = (amount: string, direction: string) => (direction === 'negative' ? `-${amount}` : amount)

/** A link to a record: its name, or its uid until the name is known. */
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

export const SimulatePayment = (link: Pick<React.ComponentProps<typeof ButtonLink>, 'params' | 'title'>) => (
  <ButtonLink icon={Inbox} screen="inject" {...link} primary>
    Simulate payment…
  </ButtonLink>
)
