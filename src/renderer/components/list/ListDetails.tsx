import { PanelRight, X } from 'lucide-react'
import { useEffect } from 'react'
import { type CollectionName, collections } from '../../data/collections.ts'
import { findRecordName, recordAmount, recordStatus } from '../../data/records.ts'
import { useQuery } from '../../data/sandbox.ts'
import { isMissing } from '../../data/worlds.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, DetailPane, Split, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Amount, Text } from '../../ui/Text.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { useWidth } from '../../ui/use-width.ts'
import { Fields } from '../fields/Fields.tsx'
import { ALL_COLLECTIONS, useRelated } from '../fields/use-record.ts'
import { ButtonLink, Uid } from '../ScreenLink.tsx'
import { Status } from '../Status.tsx'
import { WhatHappened } from '../WhatHappened.tsx'
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

interface ListSplitProps {
  readonly details: DetailsState
  readonly children: React.ReactNode
}

/** A list and the details of its selected record. */
export const ListSplit = ({ details: { area, style }, children }: ListSplitProps) => (
  <Split ref={area} style={style}>
    {children}
  </Split>
)

export const DetailsButton = ({ details: { isOn, show } }: { readonly details: DetailsState }) => (
  <Button
    icon={PanelRight}
    small
    bare
    aria-pressed={isOn}
    title="Show the selected record beside the list"
    onClick={() => show(!isOn)}
  >
    Details
  </Button>
)

/** What a list shows of its selected record, if not its fields. It is then always shown, and Escape closes it. */
export interface OwnDetails {
  readonly title: (record: never) => string
  readonly Content: (props: { readonly uid: string }) => React.ReactNode
}

interface ListDetailsProps {
  readonly details: DetailsState
  readonly collection: CollectionName
  readonly uid: string
  readonly isListed: boolean
  readonly own?: OwnDetails | undefined
  readonly close?: () => void
}

/** The record that is selected in the list beside it: its title, a link to its page, and its content or why that is not there. */
export function ListDetails({ details, collection, uid, isListed, own, close }: ListDetailsProps) {
  const { data, error, slow } = useQuery('records.get', details.isOn ? { collection, uid } : null, ALL_COLLECTIONS)
  const { one } = collections[collection]
  const isGone = isMissing(error)
  const record = isGone ? undefined : data
  const title = record && (own ? own.title(record as never) : findRecordName(record))
  const hide = close ?? (() => details.show(false))
  useEscape(own && close)
  if (!details.isOn) return null
  return (
    <>
      <Splitter label="Width of the details" sizes="after" onResize={details.onResize} />
      <DetailPane aria-label="Details" tabIndex={0}>
        <Caption>
          <h2 className="cut">
            {one} <Text>{title ?? ''}</Text>
          </h2>
          <span className="end row" data-tight>
            <ButtonLink collection={collection} record={uid} title={`Open this ${one}`}>
              Open
            </ButtonLink>
            <Button icon={X} bare aria-label="Close the details" onClick={hide} />
          </span>
        </Caption>
        {record &&
          (own ? (
            <own.Content uid={uid} />
          ) : (
            <Details collection={collection} uid={uid} isListed={isListed} record={record} />
          ))}
        {!record && error !== undefined && (
          <Notice
            title={`${one} ${uid} ${isGone ? 'does not exist any more' : 'could not be loaded'}.`}
            error={isGone ? undefined : error}
          />
        )}
        {!record && error === undefined && slow && <Skeleton />}
      </DetailPane>
    </>
  )
}

interface DetailsProps extends Pick<ListDetailsProps, 'collection' | 'uid' | 'isListed'> {
  readonly record: Readonly<Record<string, unknown>>
}

function Details({ collection, uid, isListed, record }: DetailsProps) {
  const { names } = useRelated(collection, uid)
  const status = recordStatus(record)
  const amount = recordAmount(record)
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
      <Fields collection={collection} uid={uid} fields={record} names={names} />
      <WhatHappened collection={collection} uid={uid} />
    </>
  )
}

/** Keys in these are not for the pane. */
const OTHERS = 'input, textarea, select, [role=menu], [role=dialog]'

function useEscape(close: (() => void) | undefined) {
  useEffect(() => {
    if (!close) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(OTHERS)) return
      close()
    }
    // Before the shortcuts of the window, which mark the key as used.
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [close])
}
