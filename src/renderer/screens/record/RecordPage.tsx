import { ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ownName } from '../../../api/contract/collections.ts'
import { recordLink } from '../../../api/contract/deep-links.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { copyAddressAction } from '../../actions/window.ts'
import { saveRecordSnapshot } from '../../actions/world.ts'
import { Fork } from '../../components/Fork.tsx'
import { Fields } from '../../components/fields/Fields.tsx'
import {
  ALL_COLLECTIONS,
  type Fields as FieldsOf,
  type LoadedRecordProps,
  type RecordProps,
  useRelated,
} from '../../components/fields/use-record.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { WhatHappened } from '../../components/WhatHappened.tsx'
import { EventDetails } from '../../components/webhooks/EventDetails.tsx'
import { setRecordAtHand } from '../../data/at-hand.ts'
import { collections } from '../../data/collections.ts'
import { isDesktop } from '../../data/desktop.ts'
import { closeRecordAction } from '../../data/record-action.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { screenList } from '../../data/screen-list.ts'
import { shownWorld } from '../../data/world-address.ts'
import { errorSentence, truncate } from '../../format/text.ts'
import { CopyButton } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Panes, ScreenBar, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { ActionDialog, Actions, Scheduled } from './Actions.tsx'
import { CustomerTabs } from './customer/CustomerTabs.tsx'
import { LineItems } from './LineItems.tsx'
import styles from './RecordPage.module.css'
import { RecordTitle } from './RecordTitle.tsx'
import { RelatedRecords } from './Relations.tsx'
import { States } from './States.tsx'
import { VrnPayments } from './VrnPayments.tsx'

/** The page of one record of any collection. Its address is the record's path in the API. */
export function RecordPage() {
  const collection = useRoute((view) => view.collection)
  const record = useRoute((view) => view.record)
  if (collection === null || record === null) return null
  return <LoadedRecord key={`${collection}/${record}`} collection={collection} uid={record} />
}

function LoadedRecord({ collection, uid }: RecordProps) {
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const { data, error, slow } = useQuery('records.get', { collection, uid }, ALL_COLLECTIONS)
  const { one, many } = collections[collection]
  const isGone = data !== undefined && error !== undefined
  const isFound = data !== undefined
  const body = data && <RecordBody collection={collection} uid={uid} fields={data} isGone={isGone} />
  useEffect(() => {
    if (isFound) setRecordAtHand({ collection, uid })
    return closeRecordAction
  }, [collection, uid, isFound])
  return (
    <>
      <RecordBar collection={collection} uid={uid} fields={data} isGone={isGone} setActions={setActions} />
      {isGone && (
        <Notice title={`This ${one} no longer exists. Its last state is shown.`}>
          {errorSentence(error)} A rewind, a restore or a reset removed it.{' '}
          <ScreenLink collection={collection}>All {many}</ScreenLink>
        </Notice>
      )}
      {data && !isGone && <ActionDialog key={uid} collection={collection} uid={uid} />}
      {data ? (
        <div className={styles.record} data-gone={isGone ? '' : undefined}>
          {collection === 'customers' ? (
            <CustomerTabs uid={uid} fields={data} isGone={isGone} actions={actions}>
              {body}
            </CustomerTabs>
          ) : (
            body
          )}
        </div>
      ) : error === undefined ? (
        slow && <Skeleton />
      ) : (
        <RecordNotFound collection={collection} uid={uid} error={error} />
      )}
    </>
  )
}

function RecordNotFound({ collection, uid, error }: RecordProps & { error: unknown }) {
  const { one, many, home } = collections[collection]
  return (
    <Notice title={`No ${one} has the uid ${uid}.`}>
      <span>
        {errorSentence(error)} All Programs of the current world were searched. The record may belong to a world that
        was rewound or reset, or the uid may be incomplete. See{' '}
        <ScreenLink collection={collection}>all {many}</ScreenLink>, the screen{' '}
        <ScreenLink screen={home}>{screenList[home].name}</ScreenLink>, or the{' '}
        <ScreenLink screen="requests" params={{ q: [uid] }}>
          requests that mention it
        </ScreenLink>
        .
      </span>
    </Notice>
  )
}

interface BarProps extends RecordProps {
  readonly fields: FieldsOf | undefined
  readonly isGone: boolean
  /** The element in which a tab shows actions of its own instead of the record's. */
  readonly setActions: (place: HTMLElement | null) => void
}

const UID = { font: '500 13px / 20px var(--mono)' }

function RecordBar({ collection, uid, fields, isGone, setActions }: BarProps) {
  const isTimeline = useRoute(({ params }) => collection === 'customers' && params.tab?.[0] === 'story')
  const { many, home } = collections[collection]
  const name = collection === 'customers' && fields ? ownName(collection, fields) : null
  const place = screenList[home].name
  // A screen with one list needs no second link to that list.
  const listed = place !== many && Object.values(collections).filter((one) => one.home === home).length > 1
  return (
    <ScreenBar className={styles.bar}>
      <ScreenLink className="soft" screen={home} title={place}>
        {place}
      </ScreenLink>
      {listed && (
        <>
          <ChevronRight className="faint" size={14} aria-hidden="true" />
          <ScreenLink className="soft" collection={collection} title={many}>
            {many}
          </ScreenLink>
        </>
      )}
      <ChevronRight className="faint" size={14} aria-hidden="true" />
      <h1
        className={cx('row', name === null && 'mono')}
        style={name === null ? UID : undefined}
        title={truncate(name ?? uid)}
      >
        <Text className="cut">{name ?? uid}</Text>
      </h1>
      <span className="row" data-tight>
        {name !== null && <span className="mono soft cut">{uid}</span>}
        <CopyButton text={uid} what={`uid ${uid}`} small />
      </span>
      <span className="end row" data-tight>
        <ActionButton action={copyAddressAction} />
        {isDesktop() && (
          <CopyButton text={recordLink(collection, uid, shownWorld())} what="sandbank:// link" label="Copy link" />
        )}
        <span className={`row ${styles.actions}`} data-tight ref={setActions} />
        {fields && !isTimeline && (
          <CopyButton text={() => `${JSON.stringify(fields, null, 2)}\n`} what="record as JSON" label="Copy JSON" />
        )}
        {fields && !isGone && !isTimeline && (
          <>
            <ActionButton action={saveRecordSnapshot(collection, uid)} />
            <Fork />
          </>
        )}
      </span>
    </ScreenBar>
  )
}

/** The record, and what can be done with it. */
const COLUMNS = 'minmax(0, 1fr) auto min(var(--aside, clamp(312px, 24vw, 336px)), 60%)'

function RecordBody({ isGone, ...record }: LoadedRecordProps & { isGone: boolean }) {
  const { collection, uid } = record
  const { related, names } = useRelated(collection, uid)
  const aside = usePaneSize('record', '--aside')
  const list = usePaneSize('record-fields', '--fields')
  return (
    <Panes className={styles.page} columns={COLUMNS} style={aside.style}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys. */}
      <section tabIndex={0} aria-label="Record">
        <RecordTitle {...record} names={names} related={related} />
        <States {...record} isGone={isGone} />
        {collection === 'webhook_events' && <EventDetails uid={uid} />}
        <div className={styles.columns} style={list.style}>
          <Fields {...record} names={names} />
          <Splitter label="Width of the fields" sizes="before" onResize={list.onResize} />
          <div>
            {/^(synthetic|custodial)_accounts$/.test(collection) && <LineItems {...record} />}
            {collection === 'virtual_reference_numbers' && <VrnPayments {...record} />}
            <WhatHappened collection={collection} uid={uid} />
          </div>
        </div>
      </section>
      <Splitter label="Width of the right pane" sizes="after" onResize={aside.onResize} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys. */}
      <aside className={styles.aside} aria-label="Schedule, actions and related records" tabIndex={0}>
        {!isGone && (
          <>
            <Scheduled {...record} tasks={related?.tasks} />
            <Actions {...record} />
          </>
        )}
        <RelatedRecords collection={collection} uid={uid} related={related} />
      </aside>
    </Panes>
  )
}
