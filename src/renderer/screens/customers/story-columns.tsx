import { ArrowRight, BookText, Diamond, List, SkipBack, SkipForward } from 'lucide-react'
import type { StoryEntry } from '../../../api/contract/control.ts'
import { collections, isCollection } from '../../collections.ts'
import { Amount, written } from '../../components/Amount.tsx'
import type { Column } from '../../components/DataTable.tsx'
import { Go } from '../../components/Go.tsx'
import { Shape } from '../../components/Shape.tsx'
import { Status, shapeOf } from '../../components/Status.tsx'
import { Text } from '../../components/Text.tsx'
import { RecordLink } from '../../components/Uid.tsx'
import { inShort, newYork, shortMoment } from '../../format.ts'
import { lasting } from '../record/durations.ts'
import type { Lane, StoryRow } from './story-rows.ts'

/** How a row of a story is drawn: when, in which lane, what, and the figures. */

const laneNames: Readonly<Record<Lane, string>> = {
  request: 'request',
  state: 'state',
  money: 'money',
  time: 'jump of the clock',
}

export const columns: readonly Column<StoryRow>[] = [
  {
    id: 'time',
    header: 'Time',
    meta: { width: '80px' },
    cell: ({ row: { original } }) =>
      original.lane === 'time' ? null : (
        <time dateTime={original.entry.at} title={original.entry.at}>
          {newYork(Date.parse(original.entry.at)).time}
        </time>
      ),
  },
  {
    id: 'lanes',
    header: () => (
      <span className="lanes" data-heads title="requests, states, money, jumps of the clock">
        <List size={12} aria-hidden="true" />
        <Diamond size={12} aria-hidden="true" />
        <BookText size={12} aria-hidden="true" />
        <SkipForward size={12} aria-hidden="true" />
        <span className="unseen">Lane</span>
      </span>
    ),
    meta: { width: '96px' },
    cell: ({ row: { original } }) => (
      <span className="lanes" data-lane={original.lane}>
        <i />
        <span className="unseen">{laneNames[original.lane]}</span>
      </span>
    ),
  },
  {
    id: 'what',
    header: 'What happened',
    meta: { width: 'minmax(304px, 6fr)' },
    cell: ({ row: { original } }) => <What row={original} />,
  },
  {
    id: 'detail',
    header: 'Detail',
    meta: { width: 'minmax(120px, 6fr)' },
    cell: ({ row: { original } }) => <Detail row={original} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    meta: { width: '100px', right: true },
    cell: ({ row: { original } }) =>
      original.amount === null ? null : <Amount value={original.amount} movement pending={original.pending} />,
  },
  {
    id: 'balance',
    header: 'Balance',
    meta: { width: '108px', right: true },
    cell: ({ row: { original } }) => (original.balance === null ? null : <Amount value={original.balance} />),
  },
]

function What({ row: { entry, lane } }: { row: StoryRow }) {
  if (lane === 'time') return <Jumped entry={entry} />
  if (entry.kind === 'request') return <Requested entry={entry} />
  if (entry.kind === 'state') return <Turned entry={entry} />
  if (entry.payment)
    return (
      <>
        <RecordLink collection="transactions" uid={entry.payment.uid} inTable>
          {entry.payment.type}
        </RecordLink>{' '}
        <Text>{wordsOf(entry)}</Text>
      </>
    )
  return (
    <>
      <Linked entry={entry} />{' '}
      <Text>
        {entry.kind === 'money'
          ? 'available'
          : (/is made, \w+$|is made$|is no more$|adjusted$/.exec(entry.text)?.[0] ?? '')}
      </Text>
    </>
  )
}

/** By the sign of what it moves the words say who is on the other side. */
function wordsOf({ payment, amount }: StoryEntry): string {
  const way = amount === null ? undefined : amount.startsWith('-') ? 'negative' : 'positive'
  return inShort(payment?.description ?? '', way)
}

function Linked({ entry: { collection, uid }, short = false }: { entry: StoryEntry; short?: boolean }) {
  if (!isCollection(collection) || uid === null) return null
  return (
    <RecordLink collection={collection} uid={uid} inTable>
      {short ? `${uid.slice(0, 4)}…` : `${collections[collection].one} ${uid.slice(0, 4)}…`}
    </RecordLink>
  )
}

function Requested({ entry: { exchange, text, cause } }: { entry: StoryEntry }) {
  const name = exchange ? exchange.method : (text.split(' ')[0] ?? '')
  const path = exchange ? exchange.path : text.slice(name.length + 1)
  const refused = exchange !== null && exchange.status >= 400
  return (
    <span className="row storyrequest">
      <Go
        className="mono cut"
        screen="requests"
        record={exchange?.uid ?? cause?.exchange ?? null}
        tabIndex={-1}
        title={path}
      >
        <b>{name}</b> <Text>{path}</Text>
      </Go>
      {exchange && (
        <span className={refused ? 'st bad' : 'soft'}>
          {refused && <Shape name="broken" />} {exchange.status}
        </span>
      )}
    </span>
  )
}

function Turned({ entry }: { entry: StoryEntry }) {
  const { field, from, to } = entry
  return (
    <span className="row storystate">
      <Linked entry={entry} short />
      {field === 'status' && (
        <>
          <State word={from} />
          <ArrowRight size={11} strokeWidth={1.8} aria-label="to" />
        </>
      )}
      <State word={to} />
    </span>
  )
}

function State({ word }: { word: string | null }) {
  if (word === null) return <span className="faint">null</span>
  return word in shapeOf ? <Status word={word} /> : <span>{word}</span>
}

function Jumped({ entry: { from, to } }: { entry: StoryEntry }) {
  const ms = Date.parse(to ?? '') - Date.parse(from ?? '')
  const Sign = ms < 0 ? SkipBack : SkipForward
  return (
    <span className="row wait jump">
      <Sign size={12} strokeWidth={1.8} aria-hidden="true" />
      <b>
        {lasting(Math.abs(ms))} {ms < 0 ? 'back' : 'forward'}
      </b>
      <span className="soft">to {to === null ? '' : shortMoment(Date.parse(to))} by the operator</span>
    </span>
  )
}

function Detail({ row: { entry, made, lane } }: { row: StoryRow }) {
  const { kind, name, exchange, cause, text } = entry
  if (lane === 'time') return null
  if (kind === 'request') {
    const refused = exchange !== null && exchange.status >= 400
    const did = refused ? [exchange.code, exchange.did].filter((part) => part !== null).join(': ') : exchange?.did
    const [first] = made
    if (refused || !first || !isCollection(first.collection) || first.uid === null)
      return <Text className={refused ? 'bad' : 'soft'}>{did ?? ''}</Text>
    const main = made.find(({ collection }) => collection === 'transfers') ?? first
    const paid = made.find(({ payment }) => payment)
    return (
      <span className="soft">
        <RecordLink collection={main.collection as 'transfers'} uid={main.uid!} inTable>
          {collections[main.collection as 'transfers'].one}
        </RecordLink>{' '}
        <Text>{paid ? wordsOf(paid) : (main.name ?? '')}</Text>
        {made.length > 1 && ` and ${made.length - 1} more`}
      </span>
    )
  }
  // To whom it goes is true whoever looks; what the row says already is not said again.
  const called = name === null || name === entry.payment?.description ? '' : inShort(name, 'negative')
  const by =
    cause === null || cause.door === 'request'
      ? ''
      : cause.door === 'time'
        ? `task ${cause.name}`
        : `operator: ${cause.name}`
  return (
    <span className="soft" title={text}>
      {kind === 'state' && entry.field !== 'status' && (
        <span className="faint">{`${entry.field?.split('.').at(-1)}, was ${entry.from ?? 'null'}; `}</span>
      )}
      <Text>{called}</Text>
      {by !== '' && <span className="faint">{called === '' ? by : ` · ${by}`}</span>}
      {kind === 'money' && entry.field && entry.from !== null && entry.to !== null && (
        <span className="faint">{` · ${written(entry.from)} → ${written(entry.to)}`}</span>
      )}
    </span>
  )
}
