import { PanelRight, X } from 'lucide-react'
import { ControlError } from '../../../api/contract/control/client.ts'
import { type CollectionName, collections } from '../../data/collections.ts'
import { findRecordName, recordAmount, recordStatus } from '../../data/records.ts'
import { useQuery } from '../../data/use-query.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Caption, DetailPane, Split } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import { Text } from '../../ui/Text.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { useWidth } from '../../ui/use-width.ts'
import { Fields } from '../fields/Fields.tsx'
import { ALL_COLLECTIONS, useRelated } from '../fields/use-record.ts'
import { Uid } from '../RecordLink.tsx'
import { ButtonLink } from '../ScreenLink.tsx'
import { Status } from '../Status.tsx'
import { RecordEvents } from '../webhooks/RecordEvents.tsx'
import { useListPreferences } from './list-preferences.ts'
import { MIN_WIDTHS } from './model.ts'

/** The width of the pane, unless the user changes it. */
const DETAILS_WIDTH = 400
/** Of the list and the pane: as in Layout.module.css. */
const MAX_PART = 0.6

type DetailsState = ReturnType<typeof useDetails>

/** From this window width on the details are beside the list: as in Layout.module.css. */
const MIN_BESIDE_WIDTH = 1201

/**
 * Whether the details of the selected record are shown with a list: as the user chose, else where the window is wide enough. `isFixed`: they
 * are always shown.
 */
export function useDetails(
  list: string,
  area: React.RefObject<HTMLElement | null>,
  hasSelection: boolean,
  isFixed = false,
) {
  const { details, change } = useListPreferences(list)
  const isRoomy = useIsWide(MIN_WIDTHS.roomy)
  const { size = DETAILS_WIDTH, style, onResize } = usePaneSize(list, '--inspector', DETAILS_WIDTH)
  const width = useWidth(area)
  const isBeside = useIsWide(MIN_BESIDE_WIDTH) && hasSelection
  const isOn = isFixed || (details ?? isRoomy)
  return {
    isOn,
    area,
    style,
    onResize,
    show: (is: boolean) => change({ details: is }),
    /** The width of the list; undefined before it is known. */
    listWidth: width === 0 ? undefined : width - (isOn && isBeside ? Math.min(size, width * MAX_PART) : 0),
  }
}

/** A list and the details of its selected record. */
export const ListSplit = ({
  details,
  children,
}: {
  readonly details: DetailsState
  readonly children: React.ReactNode
}) => (
  <Split ref={details.area} style={details.style}>
    {children}
  </Split>
)

export const DetailsButton = ({ details: { isOn, show } }: { readonly details: DetailsState }) => (
  <Button small bare aria-pressed={isOn} title="Show the selected record beside the list" onClick={() => show(!isOn)}>
    <PanelRight size={12} strokeWidth={1.8} aria-hidden="true" />
    Details
  </Button>
)

interface ListDetailsProps {
  readonly details: DetailsState
  readonly collection: CollectionName
  readonly uid: string
  readonly isListed: boolean
}

/** The record that is selected in the list beside it. */
export function ListDetails({ details, ...record }: ListDetailsProps) {
  if (!details.isOn) return null
  return (
    <>
      <Splitter label="Width of the details" sizes="after" onResize={details.onResize} />
      <Details {...record} close={() => details.show(false)} />
    </>
  )
}

function Details({ collection, uid, isListed, close }: Omit<ListDetailsProps, 'details'> & { close: () => void }) {
  const query = useQuery('records.get', { collection, uid }, ALL_COLLECTIONS)
  const { names } = useRelated(collection, uid)
  const { one } = collections[collection]
  const nameOf = (fields: RecordFields) => <Text>{findRecordName(fields) ?? ''}</Text>
  return (
    <RecordPane
      collection={collection}
      uid={uid}
      close={close}
      query={query}
      label="Details"
      name={one}
      title={(fields) => (
        <>
          {one} {fields && nameOf(fields)}
        </>
      )}
      openTitle={`Open this ${one}`}
      closeLabel="Close the details"
    >
      {(fields) => {
        const status = recordStatus(fields)
        const amount = recordAmount(fields)
        return (
          <>
            <Caption className="data">
              <Uid>{uid}</Uid>
              {status != null && <Status word={status} />}
              {!isListed && <span className="meta">not in this list now</span>}
              {amount != null && (
                <span className="end">
                  <Amount value={amount} />
                </span>
              )}
            </Caption>
            <Fields collection={collection} uid={uid} fields={fields} names={names} />
            <RecordEvents uid={uid} program_uid={fields.program_uid} />
          </>
        )
      }}
    </RecordPane>
  )
}

type RecordFields = Readonly<Record<string, unknown>>

interface RecordPaneProps<D> {
  readonly label: string
  /** What an error calls the record. */
  readonly name: string
  readonly collection: CollectionName
  readonly uid: string
  readonly query: { readonly data: D | undefined; readonly error: unknown; readonly slow: boolean }
  readonly title: (record: D | undefined) => React.ReactNode
  readonly openTitle: string
  readonly closeLabel: string
  readonly close: () => void
  readonly children: (record: D) => React.ReactNode
}

/** The pane of a record beside a list: its title, a link to its page, its content or why that is not there. */
export function RecordPane<D>(props: RecordPaneProps<D>) {
  const { label, name, collection, uid, query, title, openTitle, closeLabel, close, children } = props
  const { data, error, slow } = query
  const isGone = error instanceof ControlError && error.body.status === 404
  return (
    <DetailPane aria-label={label} tabIndex={0}>
      <Caption>
        <h2 className="cut">{title(isGone ? undefined : data)}</h2>
        <span className="end row" data-tight>
          <ButtonLink collection={collection} record={uid} title={openTitle}>
            Open
          </ButtonLink>
          <Button bare iconOnly aria-label={closeLabel} onClick={close}>
            <X size={14} aria-hidden="true" />
          </Button>
        </span>
      </Caption>
      {data && !isGone ? (
        children(data)
      ) : error !== undefined ? (
        <Notice
          title={isGone ? `${name} ${uid} does not exist any more.` : `${name} ${uid} could not be loaded.`}
          error={isGone ? undefined : error}
        />
      ) : (
        slow && <Skeleton />
      )}
    </DetailPane>
  )
}
