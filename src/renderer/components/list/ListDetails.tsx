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
import { MIN_ROOMY_WIDTH } from './columns.tsx'
import { useListPreferences } from './list-preferences.ts'

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
  const isRoomy = useIsWide(MIN_ROOMY_WIDTH)
  const { size = DETAILS_WIDTH, style, onResize } = usePaneSize(list, '--inspector', DETAILS_WIDTH)
  const width = useWidth(area)
  const isBeside = useIsWide(MIN_BESIDE_WIDTH) && hasSelection
  const isOn = isFixed || (details ?? isRoomy)
  return {
    ...{ isOn, area, style, onResize },
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

interface DetailsProps extends Omit<ListDetailsProps, 'details'> {
  readonly close: () => void
}

function Details({ collection, uid, isListed, close }: DetailsProps) {
  const { data, error, slow } = useQuery('records.get', { collection, uid }, ALL_COLLECTIONS)
  const { names } = useRelated(collection, uid)
  const { one } = collections[collection]
  const fields = data as Readonly<Record<string, unknown>> | undefined
  const status = fields && recordStatus(fields)
  const amount = fields && recordAmount(fields)
  return (
    <DetailPane aria-label="Details" tabIndex={0}>
      <Caption>
        <h2 className="cut">
          {one} {fields && <Text>{findRecordName(fields) ?? ''}</Text>}
        </h2>
        <span className="end row" data-tight>
          <ButtonLink collection={collection} record={uid} title={`Open this ${one}`}>
            Open
          </ButtonLink>
          <Button bare iconOnly aria-label="Close the details" onClick={close}>
            <X size={14} aria-hidden="true" />
          </Button>
        </span>
      </Caption>
      {fields ? (
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
      ) : error !== undefined ? (
        <Notice
          title={
            error instanceof ControlError && error.body.status === 404
              ? `${one} ${uid} does not exist any more.`
              : `${one} ${uid} could not be loaded.`
          }
          error={error instanceof ControlError && error.body.status === 404 ? undefined : error}
        />
      ) : (
        slow && <Skeleton />
      )}
    </DetailPane>
  )
}
