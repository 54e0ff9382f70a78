import type { CollectionName } from '../data/collections.ts'
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
