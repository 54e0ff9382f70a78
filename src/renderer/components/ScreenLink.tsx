import type { LucideIcon } from 'lucide-react'
import { formatCause } from '../../api/contract/control/causes.ts'
import type { Cause } from '../../api/contract/control/history.ts'
import { type CollectionName, collections, isCollection } from '../data/collections.ts'
import type { LinePane } from '../data/line.ts'
import { openConnect } from '../data/overlays.ts'
import { flushRoute, type Route, useRoute, useRouteHref } from '../data/route.ts'
import { escapeControls } from '../format/text.ts'
import { ButtonIcon, type ButtonStyle, buttonAttributes, CopyButton, PlainButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { BreakableText, Text } from '../ui/Text.tsx'
import styles from './ScreenLink.module.css'

type ScreenLinkProps = Partial<Route> & Pick<React.ComponentProps<'a'>, 'className' | 'title' | 'tabIndex' | 'children'>

/** A link within the window, in the same Program. Writes a pending address first, so that Back returns to it. */
export function ScreenLink({ screen = null, collection = null, record = null, params = {}, ...link }: ScreenLinkProps) {
  return <a onClick={flushRoute} href={useRouteHref({ screen, collection, record, params })} {...link} />
}

/** Opens the sheet with what an app needs; the screen stays. */
export const ConnectLink = ({ children = 'Connect' }: { children?: string }) => (
  <PlainButton className={styles.inline} onClick={openConnect}>
    {children}
  </PlainButton>
)

interface LineLinkProps {
  readonly pane: LinePane
  readonly commit?: number
  readonly children: React.ReactNode
}

/** Opens a pane of the line of time; the screen stays. */
export function LineLink({ pane, commit, children }: LineLinkProps) {
  const { screen, collection, record, params } = useRoute()
  const place = { line: [pane], ...(commit === undefined ? {} : { commit: [String(commit)] }) }
  return (
    <ScreenLink screen={screen} collection={collection} record={record} params={{ ...params, ...place }}>
      {children}
    </ScreenLink>
  )
}

/** A link to a screen, styled as a button. */
export function ButtonLink({ primary, bare, small, iconOnly, icon, className, children, ...link }: ButtonLinkProps) {
  return (
    <ScreenLink {...link} {...buttonAttributes({ primary, bare, small, iconOnly }, className)}>
      {icon && <ButtonIcon of={icon} />}
      {children}
    </ScreenLink>
  )
}

interface ButtonLinkProps extends ScreenLinkProps, ButtonStyle {
  readonly icon?: LucideIcon
}

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

interface AnyRecordLinkProps {
  readonly collection: string | null | undefined
  readonly uid: string | null
  /** Default: the kind of the record, and how its uid begins. */
  readonly children?: string
}

/** A link to a record that the sandbox names, if the window knows its collection; else only the text. It wraps. */
export function AnyRecordLink({ collection, uid, children }: AnyRecordLinkProps) {
  if (uid === null || !isCollection(collection)) return <Text>{children ?? collection ?? ''}</Text>
  return (
    <ScreenLink collection={collection} record={uid}>
      <Text>{children ?? `${collections[collection].one} ${uid.slice(0, 4)}…`}</Text>
    </ScreenLink>
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

interface CauseLinkProps {
  readonly cause: Cause
  /** Follows the name. */
  readonly children?: React.ReactNode
}

/** What led to a change: the request as a link, or the task or the action of the operator. */
export const CauseLink = ({ cause, children }: CauseLinkProps) =>
  cause.exchange ? (
    <ScreenLink screen="requests" record={cause.exchange}>
      <BreakableText>{cause.name}</BreakableText>
      {children}
    </ScreenLink>
  ) : (
    <span>
      <Text>{formatCause({ cause })}</Text>
      {children}
    </span>
  )
