import { SkipForward, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { perform } from '../../actions/action.ts'
import { type DecisionInputs, DecisionList } from '../../components/decisions/DecisionList.tsx'
import {
  DifferenceList,
  type Side,
  type Sides,
  useDifferenceFilter,
} from '../../components/differences/DifferenceList.tsx'
import { Status } from '../../components/Status.tsx'
import { type CollectionName, collections, isCollection } from '../../data/collections.ts'
import { markChanged, useFeed } from '../../data/feed.ts'
import { recordStatus } from '../../data/records.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, sandboxOf, submitting, useAction, useQuery } from '../../data/sandbox.ts'
import { isMissing, placeAddress, ROOT_WORLD, useWorlds, worldLabel } from '../../data/worlds.ts'
import { errorText, formatCount, formatLongDay, newYork, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { OneField, Select } from '../../ui/Field.tsx'
import { Caption, Pane, Row, ScreenBar, Stack } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Confirm } from '../../ui/Popover.tsx'
import styles from './Compare.module.css'

interface ComparisonProps {
  readonly method: 'snapshots.compare' | 'worlds.compare'
  /** When it is read again. */
  readonly watched: readonly string[]
  readonly heading?: React.ReactNode
  /** The labels of the two selects, and the word between them. */
  readonly labels: readonly [first: string, between: string, second: string]
  readonly names: readonly string[]
  /** How the world without a name is called. */
  readonly unnamed: string
  readonly a: string
  readonly b: string
  readonly onSelect: (a: string, b: string) => void
  readonly actions: React.ReactNode
  /** Shown while both sides are the same world. */
  readonly whenSame: string
  readonly sides?: Sides
  readonly first?: CollectionName | undefined
  /** Above the differences. */
  readonly children?: React.ReactNode
}

/** Two worlds or snapshots to choose, and their differences. */
function Comparison(props: ComparisonProps) {
  const { method, watched, heading, labels, names, unnamed, a, b, onSelect, actions, whenSame, children } = props
  const isSame = a === b
  const input = { ...(a === UNNAMED ? {} : { a }), ...(b === UNNAMED ? {} : { b }) }
  const { data, error, slow } = useQuery(method, isSame ? null : input, watched)
  const { field, search, setSearch } = useDifferenceFilter()
  const select = { names, unnamed }
  return (
    <Pane aria-label="Comparison">
      <Caption style={CAPTION}>
        {heading}
        <WorldSelect label={labels[0]} {...select} value={a} onChange={(to) => onSelect(to, b)} />
        <span className="soft">{labels[1]}</span>
        <WorldSelect label={labels[2]} {...select} value={b} onChange={(to) => onSelect(a, to)} />
        {actions}
        <span className="end">{field}</span>
      </Caption>
      {isSame ? <EmptyText>{whenSame}</EmptyText> : children}
      {/* A side says that its world is missing. */}
      {error !== undefined && !(props.sides && isMissing(error)) && (
        <Notice title="The worlds could not be compared." error={error} />
      )}
      {!isSame &&
        error === undefined &&
        (data ? (
          <DifferenceList
            comparison={data}
            search={search}
            onSearch={setSearch}
            {...(props.sides && { sides: props.sides })}
            first={props.first}
          />
        ) : (
          slow && <Skeleton />
        ))}
    </Pane>
  )
}

const CAPTION = { flexWrap: 'wrap', paddingBlock: 4 } as const

/** Two worlds, or two snapshots, beside each other; the address names them. */
export function Compare() {
  const { params, adjust } = useRoute()
  const isOfSnapshots = params.of?.[0] === 'snapshots'
  const worlds = useWorlds().data?.worlds ?? []
  const snapshots = useQuery('snapshots.list', isOfSnapshots ? {} : null, ['snapshots']).data?.snapshots ?? []
  const onSelect = (a: string, b: string) => adjust({ params: { ...params, a: [a], b: [b] } })
  const [a = UNNAMED, b = UNNAMED] = [params.a?.[0], params.b?.[0]]
  return (
    <>
      <ScreenBar>
        <h1>Compare</h1>
        <span className="soft cut">
          {isOfSnapshots ? 'Snapshots, or one and this world as it is now' : 'Two worlds beside each other'}
        </span>
      </ScreenBar>
      {isOfSnapshots ? (
        <CompareSnapshots
          names={snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)}
          a={a}
          b={b}
          onSelect={onSelect}
        />
      ) : (
        <CompareWorlds
          names={worlds.map(({ name }) => name)}
          a={a}
          b={b}
          about={params.about?.[0]}
          onSelect={onSelect}
        />
      )}
    </>
  )
}

type CompareSnapshotsProps = Pick<ComparisonProps, 'names' | 'a' | 'b' | 'onSelect'>

/** Two snapshots, or one and the current world. A comparison with the current world is repeated on request only. */
function CompareSnapshots({ names, a, b, onSelect }: CompareSnapshotsProps) {
  const seq = useFeed((feed) => feed.seq)
  const [comparedSeq, setComparedSeq] = useState(seq)
  const select = (left: string, right: string) => {
    setComparedSeq(seq)
    onSelect(left, right)
  }
  const isOutdated = a !== b && (a === UNNAMED || b === UNNAMED) && seq > comparedSeq
  return (
    <Comparison
      method="snapshots.compare"
      watched={['compared', 'snapshots']}
      heading={<span className="soft">from</span>}
      labels={['From', 'to', 'To']}
      names={names}
      a={a}
      b={b}
      unnamed="the current world"
      onSelect={select}
      actions={
        <Button small onClick={() => select(b, a)}>
          Swap
        </Button>
      }
      whenSame="Both sides are the same world. Choose another one."
    >
      {isOutdated && (
        <Caption as="p" className="data soft" style={CAPTION}>
          The current world has changed since this comparison.
          <Button
            small
            onClick={() => {
              setComparedSeq(seq)
              markChanged('compared')
            }}
          >
            Compare again
          </Button>
        </Caption>
      )}
    </Comparison>
  )
}

/** A simulated instant in New York. */
const Instant = ({ at }: { at: string }) => (
  <time dateTime={at}>{`${formatLongDay(Date.parse(at))} ${newYork(Date.parse(at)).time}`}</time>
)

/** The value of a select, and the name in the address, of the world that has no name. */
const UNNAMED = ''

interface WorldSelectProps extends Pick<ComparisonProps, 'names' | 'unnamed'> {
  readonly label: string
  readonly value: string
  readonly onChange: (name: string) => void
}

/** One that was dropped meanwhile stays selected, so that its side says so. */
function WorldSelect({ label, names, unnamed, value, onChange }: WorldSelectProps) {
  const listed = value === UNNAMED || names.includes(value) ? names : [...names, value]
  return (
    <Select
      style={{ maxWidth: 254 }}
      aria-label={label}
      value={value}
      onChange={onChange}
      options={[[UNNAMED, unnamed], ...listed]}
    />
  )
}

interface CompareWorldsProps extends CompareSnapshotsProps {
  /** The record to decide about, `transactions/x12`. */
  readonly about: string | undefined
}

/** Two worlds side by side: the decisions about a record, one advance for both, and the differences. */
function CompareWorlds({ names, a, b, about, onSelect }: CompareWorldsProps) {
  const worlds = [a, b].map((name) => (name === UNNAMED ? null : name))
  const record = parseRecord(about)
  useRefreshOnFocus()
  const dropBoth = () =>
    perform({
      id: 'drop both',
      icon: Trash2,
      title: 'Drop both',
      failed: 'The worlds were not dropped.',
      run: async () => {
        try {
          for (const name of [a, b]) await sandbox['worlds.drop']({ name })
        } finally {
          markChanged('worlds')
        }
        onSelect(UNNAMED, UNNAMED)
        return { message: `Dropped ${a} and ${b}.` }
      },
    })
  return (
    <Comparison
      method="worlds.compare"
      watched={[COMPARED]}
      labels={['First world', 'and', 'Second world']}
      names={names}
      a={a}
      b={b}
      onSelect={onSelect}
      unnamed={ROOT_WORLD}
      actions={
        <>
          <Button small onClick={() => markChanged(COMPARED)}>
            Refresh
          </Button>
          {a !== b && names.includes(a) && names.includes(b) && (
            <Confirm
              label="Drop both…"
              title={`Drop “${a}” and “${b}”?`}
              action="Drop"
              onConfirm={() => void dropBoth()}
            >
              Their records, commits, clocks, request logs, faults and snapshots are lost. This cannot be undone. Other
              worlds do not change.
            </Confirm>
          )}
        </>
      }
      whenSame={
        names.length === 0
          ? 'There is only the root world. Create another one, or choose Branch and compare at the decisions of a record.'
          : 'Both sides are the same world. Choose another one.'
      }
      sides={[sideOf(worlds[0]!), sideOf(worlds[1]!)]}
      first={record?.collection}
    >
      <div className={styles.sides}>
        <AdvanceBoth worlds={worlds} />
        {worlds.map((world) => (
          <WorldSide key={world} world={world} record={record} />
        ))}
      </div>
    </Comparison>
  )
}

const sideOf = (world: string | null): Side => ({
  name: worldLabel(world),
  addressOf: (collection, uid) => placeAddress(world, { collection, record: uid }),
})

function parseRecord(about: string | undefined): RecordToDecide | null {
  const [collection, uid] = about?.split('/') ?? []
  return isCollection(collection) && uid ? { collection, uid } : null
}

/** The worlds may have been changed in another tab or by a test. */
function useRefreshOnFocus() {
  useEffect(() => {
    const refresh = () => markChanged(COMPARED)
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [])
}

/** What the comparison and its two sides read again: no notice of another world reaches this window. */
const COMPARED = 'compared worlds'

interface RecordToDecide {
  readonly collection: CollectionName
  readonly uid: string
}

/** One of two compared worlds: its time, and the record with the decisions about it. */
function WorldSide({ world, record }: { world: string | null; record: RecordToDecide | null }) {
  const label = worldLabel(world)
  const clock = useQuery('clock.read', {}, [COMPARED], { world })
  const about = useQuery('world.describe', {}, [COMPARED], { world })
  if (about.error !== undefined && isMissing(about.error))
    return (
      <section aria-label={label}>
        <h2>{label}</h2>
        <Notice title={`There is no world “${label}”.`}>
          It was dropped, or the sandbox was restarted. Choose another world above.
        </Notice>
      </section>
    )
  const place = record ? { collection: record.collection, record: record.uid } : { screen: 'now' as const }
  return (
    <section aria-label={label}>
      <Row wraps gap="0 12" align="baseline">
        <h2 className="cut">
          <a title={label} href={placeAddress(world, place)}>
            {label}
          </a>
        </h2>
        <span className="meta">
          {clock.data && (
            <>
              <Instant at={clock.data.now} /> ET
            </>
          )}
          {about.data && `, commit ${formatCount(about.data.seq)}`}
        </span>
      </Row>
      {about.error !== undefined && <Notice title="The world could not be read." error={about.error} />}
      {record && about.error === undefined && <DecidedRecord world={world} record={record} />}
    </section>
  )
}

function DecidedRecord({ world, record: { collection, uid } }: { world: string | null; record: RecordToDecide }) {
  const { one } = collections[collection]
  const input = { collection, uid }
  const fields = useQuery('records.get', input, [COMPARED], { world })
  const moves = useQuery('moves.list', input, [COMPARED], { world })
  if (fields.error !== undefined)
    return <Notice title={`The ${one} ${uid} could not be read in this world.`} error={fields.error} />
  if (!fields.data || !moves.data) return fields.slow || moves.slow ? <Skeleton rows={3} /> : null
  const status = recordStatus(fields.data)
  const decide = async (move: string, inputs: DecisionInputs) => {
    await sandboxOf(world)['moves.make']({ collection, uid, move, inputs })
    markChanged(COMPARED)
  }
  return (
    <>
      <Row as="p" gap={8} least={28}>
        {status !== null && <Status word={status} />}
        <span className="meta cut" title={uid}>
          {one} <span className="mono">{uid}</span>
        </span>
      </Row>
      {/* The rows of the list have an inset of their own. */}
      <div style={{ marginInline: -16 }}>
        <DecisionList
          moves={moves.data.moves.filter(({ legal }) => legal)}
          isWaiting={false}
          none="No decision is possible now."
          onDecide={decide}
        />
      </div>
    </>
  )
}

/** Advances the clocks of both worlds by the same amount. */
function AdvanceBoth({ worlds }: { worlds: readonly (string | null)[] }) {
  const [text, setText] = useState('1 business day')
  const { isBusy, result, error, run, reset } = useAction(async (input: AdvanceInput) => {
    // Refuses an amount that is not understood before either clock changes.
    await sandboxOf(worlds[0]!)['clock.preview'](input)
    const outcomes = await Promise.all(worlds.map((world) => advanceWorld(world, input)))
    markChanged(COMPARED)
    markChanged('worlds')
    return outcomes
  })
  return (
    <Stack
      as="form"
      gap={6}
      aria-label="Advance both worlds"
      onSubmit={submitting(() => text.trim() !== '' && run({ text }))}
    >
      <OneField
        label="Advance both by"
        value={text}
        placeholder="8 business days, 36h, monday 9:00"
        onChange={(to) => {
          setText(to)
          reset()
        }}
        error={error === undefined ? null : errorText(error)}
        note={result?.map(({ name, text, isError }) => (
          <p key={name} className={isError ? 'bad' : 'soft'}>
            {name}: {text}
          </p>
        ))}
      />
      <span className="row" data-tight>
        <Button icon={SkipForward} type="submit" primary aria-disabled={isBusy || text.trim() === ''}>
          {isBusy ? 'Advancing…' : 'Advance both'}
        </Button>
        <Button aria-disabled={isBusy} onClick={() => void run({ until: 'idle' })}>
          Until idle
        </Button>
      </span>
    </Stack>
  )
}

async function advanceWorld(world: string | null, input: AdvanceInput) {
  const name = worldLabel(world)
  try {
    const { ran } = await sandboxOf(world)['clock.advance'](input)
    return { name, text: `${plural(ran, 'task')} ran`, isError: false }
  } catch (error) {
    return { name, text: errorText(error), isError: true }
  }
}
