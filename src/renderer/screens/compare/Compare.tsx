import { SkipForward, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { perform } from '../../actions/action.ts'
import { type DecisionInputs, DecisionList } from '../../components/decisions/DecisionList.tsx'
import { Differences, type Side } from '../../components/differences/Differences.tsx'
import { Status } from '../../components/Status.tsx'
import { type CollectionName, collections, isCollection } from '../../data/collections.ts'
import { markChanged, useFeed } from '../../data/feed.ts'
import { recordStatus } from '../../data/records.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, sandboxOf, submitting, useAction, useQuery } from '../../data/sandbox.ts'
import { placeAddress, ROOT_WORLD, useWorlds, worldLabel } from '../../data/worlds.ts'
import { errorText, formatCount, formatLongDay, newYork, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { OneField, Select } from '../../ui/Field.tsx'
import { Caption, Pane, Row, ScreenBar, Stack } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Confirm } from '../../ui/Popover.tsx'

/** Two worlds, or two snapshots, beside each other; the address names them. */
export function Compare() {
  const { params, adjust } = useRoute()
  const ofSnapshots = params.of?.[0] === 'snapshots'
  const worlds = useWorlds().data?.worlds
  const snapshots = useQuery('snapshots.list', ofSnapshots ? {} : null, ['snapshots']).data?.snapshots
  const listed = ofSnapshots ? snapshots?.filter(({ trouble }) => trouble === undefined) : worlds
  const [a = UNNAMED, b = UNNAMED] = [params.a?.[0], params.b?.[0]]
  return (
    <>
      <ScreenBar>
        <h1>Compare</h1>
        <span className="soft cut">
          {ofSnapshots ? 'Snapshots, or one and this world as it is now' : 'Two worlds beside each other'}
        </span>
      </ScreenBar>
      {listed && (
        <Comparison
          ofSnapshots={ofSnapshots}
          names={listed.map(({ name }) => name)}
          a={a}
          b={b}
          record={ofSnapshots ? null : parseRecord(params.about?.[0])}
          onSelect={(a, b) => adjust({ params: { ...params, a: [a], b: [b] } })}
        />
      )}
    </>
  )
}

interface ComparisonProps {
  readonly ofSnapshots: boolean
  readonly names: readonly string[]
  readonly a: string
  readonly b: string
  readonly record: RecordToDecide | null
  readonly onSelect: (a: string, b: string) => void
}

/** What both are called, and their differences. One that is not there is not asked for. */
function Comparison({ ofSnapshots, names, a, b, record, onSelect: choose }: ComparisonProps) {
  const isMissing = (name: string) => name !== UNNAMED && !names.includes(name)
  const missing = [a, b].find(isMissing)
  const method = ofSnapshots ? 'snapshots.compare' : 'worlds.compare'
  const input = { ...(a === UNNAMED ? {} : { a }), ...(b === UNNAMED ? {} : { b }) }
  const isAsked = a !== b && missing === undefined
  const { data, error, slow } = useQuery(method, isAsked ? input : null, [COMPARED, 'snapshots'])
  const seq = useFeed((feed) => feed.seq)
  const [comparedSeq, setComparedSeq] = useState(seq)
  const worlds = [a, b].map((name) => (name === UNNAMED ? null : name))
  const sides = [sideOf(worlds[0]!), sideOf(worlds[1]!)] as const
  const select = { names, unnamed: ofSnapshots ? 'the current world' : ROOT_WORLD }
  const onSelect = (first: string, second: string) => {
    setComparedSeq(seq)
    choose(first, second)
  }
  const refresh = () => {
    setComparedSeq(seq)
    markChanged(COMPARED)
  }
  useRefreshOnFocus()
  return (
    <Pane aria-label="Comparison">
      <Caption style={CAPTION}>
        <WorldSelect
          label={ofSnapshots ? 'From' : 'First world'}
          {...select}
          value={a}
          onChange={(to) => onSelect(to, b)}
        />
        <span className="soft">{ofSnapshots ? 'to' : 'and'}</span>
        <WorldSelect
          label={ofSnapshots ? 'To' : 'Second world'}
          {...select}
          value={b}
          onChange={(to) => onSelect(a, to)}
        />
        <Button small onClick={() => onSelect(b, a)}>
          Swap
        </Button>
        <Button small onClick={refresh}>
          Refresh
        </Button>
        {!ofSnapshots && isAsked && a !== UNNAMED && b !== UNNAMED && <DropBoth a={a} b={b} onSelect={onSelect} />}
        {ofSnapshots && isAsked && (a === UNNAMED || b === UNNAMED) && seq > comparedSeq && (
          <span className="soft">The current world has changed since this comparison.</span>
        )}
      </Caption>
      {ofSnapshots && missing !== undefined && (
        <Notice title={`There is no snapshot “${missing}”.`}>Choose another one above.</Notice>
      )}
      {a === b && (
        <EmptyText>
          {names.length === 0 && !ofSnapshots
            ? 'There is only the root world. Create another one, or choose Branch and compare at the decisions of a record.'
            : 'Both sides are the same world. Choose another one.'}
        </EmptyText>
      )}
      {!ofSnapshots && a !== b && (
        <Stack columns="232px minmax(0, 1fr) minmax(0, 1fr)" narrows gap={24} pad="8 16" line="bottom">
          <AdvanceBoth worlds={worlds} />
          {worlds.map((world) => (
            <WorldSide key={world} world={world} record={record} isMissing={world !== null && isMissing(world)} />
          ))}
        </Stack>
      )}
      {error !== undefined && <Notice title="The worlds could not be compared." error={error} />}
      {isAsked && error === undefined && data && <Differences changes={data} sides={ofSnapshots ? undefined : sides} />}
      {isAsked && error === undefined && !data && slow && <Skeleton />}
    </Pane>
  )
}

const CAPTION = { flexWrap: 'wrap', paddingBlock: 4 } as const

function DropBoth({ a, b, onSelect }: Pick<ComparisonProps, 'a' | 'b' | 'onSelect'>) {
  const drop = () =>
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
    <Confirm label="Drop both…" title={`Drop “${a}” and “${b}”?`} action="Drop" onConfirm={() => void drop()}>
      Their records, commits, clocks, request logs, faults and snapshots are lost. This cannot be undone. Other worlds
      do not change.
    </Confirm>
  )
}

/** The value of a select, and the name in the address, of the world that has no name. */
const UNNAMED = ''

interface WorldSelectProps {
  readonly names: readonly string[]
  /** How the world without a name is called. */
  readonly unnamed: string
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

interface WorldSideProps {
  readonly world: string | null
  readonly record: RecordToDecide | null
  readonly isMissing: boolean
}

/** One of two compared worlds: its time, and the record with the decisions about it. */
function WorldSide({ world, record, isMissing }: WorldSideProps) {
  const label = worldLabel(world)
  const clock = useQuery('clock.read', isMissing ? null : {}, [COMPARED], { world })
  const about = useQuery('world.describe', isMissing ? null : {}, [COMPARED], { world })
  const place = record ? { collection: record.collection, record: record.uid } : { screen: 'now' as const }
  const now = clock.data && Date.parse(clock.data.now)
  return (
    <section aria-label={label} style={{ minWidth: 0 }}>
      <Row wraps gap="0 12" align="baseline">
        <h2 className="cut">
          {isMissing ? (
            label
          ) : (
            <a title={label} href={placeAddress(world, place)}>
              {label}
            </a>
          )}
        </h2>
        <span className="meta">
          {now && <time dateTime={clock.data!.now}>{`${formatLongDay(now)} ${newYork(now).time} ET`}</time>}
          {about.data && `, commit ${formatCount(about.data.seq)}`}
        </span>
      </Row>
      {isMissing && (
        <Notice title={`There is no world “${label}”.`}>
          It was dropped, or the sandbox was restarted. Choose another world above.
        </Notice>
      )}
      {about.error !== undefined && <Notice title="The world could not be read." error={about.error} />}
      {record && !isMissing && about.error === undefined && <DecidedRecord world={world} record={record} />}
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
