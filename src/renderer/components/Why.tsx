import { ArrowLeft, CircleHelp } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { BalanceStatement, Reason } from '../../api/contract/control/history.ts'
import { type CollectionName, isCollection } from '../data/collections.ts'
import { useQuery } from '../data/sandbox.ts'
import { formatDateTime, formatShortInstant } from '../format/text.ts'
import { Button, PlainButton } from '../ui/Button.tsx'
import { Stack } from '../ui/Layout.tsx'
import { Loaded } from '../ui/Notice.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Amount, LongText, Text, Time } from '../ui/Text.tsx'
import { ALL_COLLECTIONS } from './fields/use-record.ts'
import { AnyRecordLink, CauseLink } from './ScreenLink.tsx'
import styles from './Why.module.css'

interface WhyProps {
  readonly collection: CollectionName
  readonly uid: string
  /** Without it the record as a whole is explained. */
  readonly field?: string | undefined
  /** The question, e.g. "Why is 11,156.25 available?" */
  readonly question: string
  /** The content of the button; without it a button "Why?". */
  readonly children?: React.ReactNode
  /** Opened by the key `w`. */
  readonly main?: boolean
}

/** Explains a value: the chain of causes, or for a balance the statement of its parts. */
export function Why({ collection, uid, field, question, children, main = false }: WhyProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger={
        children === undefined ? (
          <Button icon={CircleHelp} data-why={main ? 'main' : ''} title={question} aria-label={question}>
            Why?
          </Button>
        ) : (
          <PlainButton className={styles.value} data-why={main ? 'main' : ''} title={question}>
            {children}
          </PlainButton>
        )
      }
      title={question}
      icon={<CircleHelp className="live" size={14} strokeWidth={1.6} aria-hidden="true" />}
      closable
      pane
      open={open}
      onOpenChange={setOpen}
    >
      <Explanation collection={collection} uid={uid} field={field} />
    </Popover>
  )
}

function Explanation({ collection, uid, field }: Pick<WhyProps, 'collection' | 'uid' | 'field'>) {
  const asked = { collection, uid, ...(field === undefined ? {} : { field }) }
  return (
    <Loaded query={useQuery('why', asked, ALL_COLLECTIONS)} failure="This cannot be explained." rows={3}>
      {({ statement, chain }) => (statement ? <Statement statement={statement} here={uid} /> : <Chain chain={chain} />)}
    </Loaded>
  )
}

const balanceName = (field: string) => field.replace(/^net_usd_|_balance$/g, '') || 'settled'

function Statement({ statement, here }: { statement: BalanceStatement; here: string }) {
  const { parts, total, rule, section, field } = statement
  return (
    <>
      <Stack
        as="dl"
        columns="minmax(0, 1fr) auto"
        gap="0 12"
        pad="4 12 0"
        scroll
        text="data"
        className={styles.statement}
        data-statement
        tabIndex={0}
      >
        {parts.length === 0 && (
          <>
            <dt className="soft">{field === 'net_usd_balance' ? 'no line items' : 'nothing pending'}</dt>
            <dd>
              <Amount value="0.00" />
            </dd>
          </>
        )}
        {parts.map((part, at) => {
          const of = part.line_item ?? part.account
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of the sum are identified by their index.
            <Fragment key={at}>
              <dt className={part.of && part.amount === '0.00' ? 'soft' : undefined}>
                <AnyRecordLink collection={of?.collection} uid={of && of.uid !== here ? of.uid : null}>
                  {part.says}
                </AnyRecordLink>
              </dt>
              <dd>
                <Amount value={part.amount} movement={part.of !== null || part.line_item !== null} />
              </dd>
              {part.line_item && (
                <dd data-via>
                  <Time at={part.line_item.at} format={formatDateTime} />, of{' '}
                  <AnyRecordLink collection="transactions" uid={part.line_item.transaction_uid} />
                </dd>
              )}
              {part.of && (
                <dd data-via>
                  <Via chain={part.of.chain} />
                  {part.amount === '0.00' && (
                    <>
                      {' '}
                      <span className="nowrap">
                        over <Amount value={part.of.amount} pending />
                      </span>
                    </>
                  )}
                </dd>
              )}
            </Fragment>
          )
        })}
        <dt data-total>{field === 'net_usd_balance' ? 'settled' : balanceName(field)}</dt>
        <dd data-total>
          <Amount value={total} />
        </dd>
      </Stack>
      <p className="meta soft" style={{ padding: '6px 12px 8px', borderTop: '1px solid var(--line)' }}>
        Rule: {rule}
        {section === null ? '' : `, section ${section}`}. <span className="mono">{field}</span>
      </p>
    </>
  )
}

/** ← transaction Gv6L… ← transfer YsZ2… ← POST /transfers, 11:20:36 */
function Via({ chain }: { chain: readonly Reason[] }) {
  const last = chain.at(-1)
  return (
    <>
      {chain.map(({ collection, uid }) => (
        <Fragment key={uid}>
          <Back /> <AnyRecordLink collection={collection} uid={uid} />{' '}
        </Fragment>
      ))}
      {last?.cause && (
        <>
          <Back />{' '}
          <CauseLink cause={last.cause}>
            {last.at !== null && (
              <>
                , <span className="nowrap">{formatDateTime(Date.parse(last.at))}</span>
              </>
            )}
          </CauseLink>
        </>
      )}
    </>
  )
}

const Back = () => <ArrowLeft size={10} strokeWidth={1.8} aria-label="because of" />

/**
 * A step of the drawn chain: the shape says what made it, and the arrow leads to what it caused. Hidden from screen readers, as the
 * list says the same.
 */
function ChainLink({ door, isFirst, isLast }: { door: string | undefined; isFirst: boolean; isLast: boolean }) {
  return (
    <svg className={styles.link} width="20" height="100%" aria-hidden="true" data-link={door ?? 'unknown'}>
      {!isFirst && <line x1="10" x2="10" y1="0" y2="16" />}
      {!isFirst && <path data-tip d="M6.5 5 10 0 13.5 5z" />}
      {!isLast && <line x1="10" x2="10" y1="16" y2="100%" />}
      {door === 'request' && <circle cx="10" cy="16" r="4.5" />}
      {door === 'time' && <circle cx="10" cy="16" r="4" data-hollow />}
      {door === 'operator' && <path d="M10 11 15 16 10 21 5 16z" />}
      {door === undefined && <circle cx="10" cy="16" r="2" />}
    </svg>
  )
}

function Chain({ chain }: { chain: readonly Reason[] }) {
  const cause = chain.findLast((reason) => reason.cause)?.cause
  return (
    <>
      {cause && (
        <p className="data" style={{ padding: '8px 12px 0' }}>
          First cause: <CauseLink cause={cause} />
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element needs keyboard access. */}
      <ol className={styles.chain} data-chain tabIndex={0}>
        {chain.map((reason, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: causes are identified by their index.
          <li key={at} data-door={reason.cause?.door}>
            <ChainLink door={reason.cause?.door} isFirst={at === 0} isLast={at === chain.length - 1} />
            <LongText>{reason.says}</LongText>
            <span className="meta">
              {isCollection(reason.collection) && <AnyRecordLink {...reason} />}
              {reason.cause && <CauseLink cause={reason.cause} />}
              {reason.at !== null && <Time at={reason.at} format={formatShortInstant} />}
              {reason.seq !== null && <span>commit {reason.seq}</span>}
            </span>
            {reason.forced_by !== null && (
              <span className="meta">
                Forced by:&nbsp;<Text>{reason.forced_by}</Text>
              </span>
            )}
            {reason.rule !== null && (
              <span className="meta">
                Rule: {reason.rule}
                {reason.section === null ? '' : `, section ${reason.section}`}
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
