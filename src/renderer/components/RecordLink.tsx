import type { CollectionName } from '../data/collections.ts'
import { useRouteHref } from '../data/route.ts'
import { escapeControls } from '../format/text.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { cx } from '../ui/cx.ts'
import { Text } from '../ui/Text.tsx'
import styles from './RecordLink.module.css'

interface UidProps {
  readonly children: string
  /** Its collection: a click then opens the record. */
  readonly opens?: CollectionName
  readonly inTable?: boolean
}

/** A click opens the record, where it has a page; the sign beside it copies. */
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
  /** What is told whole where there may be no room for it. */
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
