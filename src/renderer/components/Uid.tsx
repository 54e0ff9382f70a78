import type { CollectionName } from '../collections.ts'
import { useAddress } from '../stores/view.ts'
import { CopyButton } from './CopyButton.tsx'
import { Text } from './Text.tsx'

interface UidProps {
  readonly children: string
  /** Its collection: a click then opens the record. */
  readonly opens?: CollectionName
  readonly inTable?: boolean
}

/** A click opens the record, where it has a page; the sign beside it copies. */
export function Uid({ children, opens, inTable = false }: UidProps) {
  return (
    <span className="uid mono">
      {opens === undefined ? (
        <Text className="cut">{children}</Text>
      ) : (
        <RecordLink collection={opens} uid={children} inTable={inTable}>
          {children}
        </RecordLink>
      )}
      <CopyButton text={children} what={`uid ${children}`} small inTable={inTable} />
    </span>
  )
}

interface RecordLinkProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly children: string
  readonly inTable?: boolean
}

export function RecordLink({ collection, uid, children, inTable = false }: RecordLinkProps) {
  return (
    <a className="cut" href={useAddress({ collection, record: uid })} tabIndex={inTable ? -1 : undefined}>
      <Text>{children}</Text>
    </a>
  )
}
