import { type CollectionName, collections, isCollection } from '../data/collections.ts'
import { useRouteHref } from '../data/route.ts'
import { escapeControls } from '../format/text.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { cx } from '../ui/cx.ts'
import { Text } from '../ui/Text.tsx'
import styles from './RecordLink.module.css'

interface UidProps {
  readonly children: string
  /** The collection of the record; without it the uid is no link. */
  readonly opens?: CollectionName
  readonly inTable?: boolean
}

/** A uid: a link to its record, and a button that copies it. */
export function Uid({ children, opens, inTable = false }: UidProps) {
  return (
    <span className={cx(styles.uid, 'mono')} data-uid>
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
  /** The full text, if the link may be cut off. */
  readonly title?: string
}

interface AnyRecordLinkProps extends Pick<RecordLinkProps, 'inTable' | 'title'> {
  readonly collection: string | null | undefined
  readonly uid: string | null
  /** Default: the kind of the record, and how its uid begins. */
  readonly children?: string
}

/** The same for a record that the sandbox names, if the window knows its collection; else only the text. */
export function AnyRecordLink({ collection, uid, children, ...link }: AnyRecordLinkProps) {
  if (uid === null || !isCollection(collection)) return children ?? collection
  return (
    <RecordLink collection={collection} uid={uid} {...link}>
      {children ?? `${collections[collection].one} ${uid.slice(0, 4)}…`}
    </RecordLink>
  )
}

export function RecordLink({ collection, uid, children, inTable = false, title }: RecordLinkProps) {
  const href = useRouteHref({ collection, record: uid })
  return (
    <a
      className="cut"
      href={href}
      tabIndex={inTable ? -1 : undefined}
      title={title && escapeControls(title.slice(0, 255))}
    >
      <Text>{children}</Text>
    </a>
  )
}
