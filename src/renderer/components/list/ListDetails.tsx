import { X } from 'lucide-react'
import { ControlError } from '../../../api/contract/control/client.ts'
import { type CollectionName, collections } from '../../data/collections.ts'
import { findRecordName, recordAmount, recordStatus } from '../../data/records.ts'
import { useQuery } from '../../data/use-query.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Caption, DetailPane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { Fields } from '../fields/Fields.tsx'
import { ALL_COLLECTIONS, useRelated } from '../fields/use-record.ts'
import { Uid } from '../RecordLink.tsx'
import { ButtonLink } from '../ScreenLink.tsx'
import { Status } from '../Status.tsx'

interface ListDetailsProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly isListed: boolean
  readonly close: () => void
}

/** The record that is selected in the list beside it. */
export function ListDetails({ collection, uid, isListed, close }: ListDetailsProps) {
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
