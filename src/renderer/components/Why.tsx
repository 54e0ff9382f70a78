import { Popover } from '@base-ui/react/popover'
import { CircleHelp, X } from 'lucide-react'
import type { CollectionName } from '../collections.ts'
import { collections, isCollection } from '../collections.ts'
import { shortMoment } from '../format.ts'
import { useQuery } from '../use-query.ts'
import { Go } from './Go.tsx'
import { FaintBars, Notice } from './Notice.tsx'
import { Text } from './Text.tsx'

interface WhyProps {
  readonly collection: CollectionName
  readonly uid: string
  /** Left out: the record as a whole. */
  readonly field?: string
  /** The question, as in "Why is 11,156.25 available?" */
  readonly asks: string
  /** What is pressed; left out, a small button. */
  readonly children?: React.ReactNode
}

/** From what is seen back to what made it so, on anything that can be asked. */
export function Why({ collection, uid, field, asks, children }: WhyProps) {
  return (
    <Popover.Root>
      <Popover.Trigger className={children === undefined ? 'btn' : 'why'} data-why title={asks}>
        {children ?? (
          <>
            <CircleHelp size={13} strokeWidth={1.6} aria-hidden="true" />
            Why?
          </>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="over" sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup className="raised pop">
            <header>
              <CircleHelp size={14} strokeWidth={1.6} aria-hidden="true" />
              <Popover.Title>{asks}</Popover.Title>
              <Popover.Close className="btn end" data-bare data-icon data-small aria-label="Close">
                <X size={13} aria-hidden="true" />
              </Popover.Close>
            </header>
            <Chain collection={collection} uid={uid} field={field} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Chain({ collection, uid, field }: { collection: CollectionName; uid: string; field?: string | undefined }) {
  const { data, error, slow } = useQuery('why', { collection, uid, ...(field === undefined ? {} : { field }) }, [
    collection,
  ])
  if (error !== undefined) return <Notice title="There is no answer." error={error} />
  if (!data) return slow ? <FaintBars rows={3} /> : null
  return (
    <ol className="chain">
      {data.chain.map((reason, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link of the chain is known by its place.
        <li key={at}>
          <Text className="wrap">{reason.says}</Text>
          <span className="meta">
            {isCollection(reason.collection) && (
              <Go collection={reason.collection} record={reason.uid}>
                {collections[reason.collection].one} {reason.uid.slice(0, 4)}…
              </Go>
            )}
            {reason.cause?.exchange && (
              <Go screen="requests" record={reason.cause.exchange}>
                {reason.cause.name}
              </Go>
            )}
            {reason.at !== null && <time dateTime={reason.at}>{shortMoment(Date.parse(reason.at))}</time>}
            {reason.rule !== null && (
              <span>
                {reason.rule}
                {reason.section === null ? '' : `, section ${reason.section}`}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
