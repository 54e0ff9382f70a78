import { Save } from 'lucide-react'
import { useId, useState } from 'react'
import type { MethodInput, MethodOutput } from '../../../api/contract/control/methods.ts'
import { SnapshotName } from '../../../api/contract/control/snapshots.ts'
import type { WorldKind } from '../../../api/contract/control/worlds.ts'
import { Undo } from '../../components/Undo.tsx'
import { markChanged, useFeed, useNow } from '../../data/feed.ts'
import { useLastChange } from '../../data/last-change.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, submitting, useAction, useQuery } from '../../data/sandbox.ts'
import { freshWorlds } from '../../data/worlds.ts'
import { suggestSnapshotName } from '../../format/commits.ts'
import {
  errorText,
  formatCount,
  formatIsoDate,
  formatShortInstant,
  newYork,
  parseNewYorkTime,
  plural,
} from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, OneField, TextInput } from '../../ui/Field.tsx'
import { FormGrid, Pane, PaneIntro, Row, Stack } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Confirm } from '../../ui/Popover.tsx'
import { Table } from '../../ui/Table.tsx'
import { Glyph, Text } from '../../ui/Text.tsx'
import { CompareSnapshots, Instant } from './CompareWorlds.tsx'
import { History } from './History.tsx'
import { type Attempt, TabbedScreen, useOutcome } from './TabbedScreen.tsx'

/** A restore, rewind or reset that just happened, so that it can be undone. */
interface WorldChange {
  readonly operation: number
  readonly text: string
  /** What the Undo button undoes, e.g. "the restore". */
  readonly name: string
}

/** Saves, compares and restores whole worlds, rewinds to a commit, and starts over with a fresh world. */
export function Snapshots() {
  const { params, adjust } = useRoute()
  const { data, error, slow } = useQuery('snapshots.list', {}, ['snapshots'])
  const [change, setChange] = useLastChange<WorldChange>('world')
  const { outcome, report, attempt } = useOutcome()
  const snapshots = data?.snapshots ?? []
  const names = snapshots.map(({ name }) => name)
  const run = (work: Promise<{ seq: number; now: string; changed: number }>, title: string, name: string) =>
    attempt('The world was not changed.', async () => {
      const { seq, now, changed } = await work.catch((error: unknown) => {
        setChange(null)
        throw error
      })
      const time = formatShortInstant(Date.parse(now))
      const text = `${title}. The clock is at ${time}, ${plural(changed, 'record')} changed.`
      setChange({ operation: seq, text, name })
      return undefined
    })
  const [a = names[0] ?? '', b = ''] = [params.a?.[0], params.b?.[0]]
  const compare = (left: string, right: string) =>
    adjust({ params: { ...params, pane: ['compare'], a: [left], b: [right] } })
  const list = (
    <Pane aria-label="Saved snapshots">
      <SaveSnapshot
        taken={names}
        onSaved={(name) => {
          setChange(null)
          report(`Saved snapshot ${name}.`)
          markChanged('snapshots')
        }}
      />
      {error !== undefined && <Notice title="The snapshots could not be listed." error={error} />}
      {!data ? (
        slow && <Skeleton />
      ) : snapshots.length === 0 ? (
        <EmptyText>
          No snapshots yet. Save one before a test: you can restore it as often as you like, and compare it with the
          world after the test.
        </EmptyText>
      ) : (
        <SnapshotList
          snapshots={snapshots}
          restore={(name) => run(sandbox['snapshots.restore']({ name }), `Restored ${name}`, 'the restore')}
          compare={(name) => {
            compare(name, '')
            // The focused button disappears with the list, so move the focus to the comparison.
            requestAnimationFrame(() => document.querySelector<HTMLElement>('main select')?.focus())
          }}
          attempt={attempt}
        />
      )}
    </Pane>
  )
  const readable = snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)
  return (
    <TabbedScreen
      title="Snapshots"
      about="Save, compare, restore and rewind whole worlds"
      outcome={outcome}
      done={
        change ? (
          <>
            <Text className="data wrap">{change.text}</Text>
            <Undo key={change.operation} operation={change.operation} what={change.name} />
          </>
        ) : (
          outcome.text && <Text className="data wrap">{outcome.text}</Text>
        )
      }
      panes={[
        { value: 'list', label: names.length > 0 ? `Snapshots ${names.length}` : 'Snapshots', content: list },
        {
          value: 'compare',
          label: 'Compare',
          content: <CompareSnapshots names={readable} a={a} b={b} onSelect={compare} />,
        },
        {
          value: 'history',
          label: 'History',
          content: (
            <History
              rewind={(seq) =>
                run(sandbox['world.rewind']({ seq }), `Rewound to commit ${formatCount(seq)}`, 'the rewind')
              }
            />
          ),
        },
        {
          value: 'reset',
          label: 'Start over',
          content: (
            <ResetWorld
              reset={(input) =>
                run(sandbox['world.reset'](input), `Started over with ${freshWorlds[input.world]}`, 'the reset')
              }
            />
          ),
        },
      ]}
    />
  )
}

/** Saves the world under a name. If the name is taken, the form says first that the snapshot will be replaced. */
function SaveSnapshot({ taken, onSaved }: { taken: readonly string[]; onSaved: (name: string) => void }) {
  const now = useNow(60_000)
  /** Null: the suggested name. */
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? suggestSnapshotName(now, taken)
  const nameError = SnapshotName.safeParse(name).error?.issues[0]?.message ?? null
  const isTaken = taken.includes(name)
  const save = useAction(async () => {
    await sandbox['snapshots.keep']({ name })
    setTyped(null)
    onSaved(name)
  })
  return (
    <Stack
      as="form"
      gap={4}
      style={{ padding: '12px 16px 4px', maxWidth: 520 }}
      onSubmit={submitting(() => nameError === null && save.run())}
      aria-label="Save a snapshot"
    >
      <OneField
        label="Save snapshot as"
        value={name}
        error={nameError ?? (save.error === undefined ? null : errorText(save.error))}
        note={isTaken && `Replaces the snapshot “${name}”. This cannot be undone.`}
        onChange={(to) => {
          setTyped(to)
          save.reset()
        }}
      >
        {/* `Save` and `Replace` have the same width, so that the name beside them does not move. */}
        <Button
          icon={Save}
          type="submit"
          primary
          style={{ minWidth: 84 }}
          aria-disabled={nameError !== null || save.isBusy}
        >
          {isTaken ? 'Replace' : 'Save'}
        </Button>
      </OneField>
    </Stack>
  )
}

interface SnapshotListProps {
  readonly snapshots: MethodOutput<'snapshots.list'>['snapshots']
  readonly restore: (name: string) => Promise<void>
  readonly compare: (name: string) => void
  readonly attempt: Attempt
}

const HEADERS = [
  { label: 'Name', width: '36%' },
  { label: 'Simulated time, ET' },
  { label: 'Commit', right: true },
  { label: 'Records', right: true },
  { label: 'Actions', unseen: true },
]

function SnapshotList({ snapshots, restore, compare, attempt }: SnapshotListProps) {
  const [restored, setRestored] = useState<string>()
  const { isBusy, run } = useAction(async (name: string) => {
    setRestored(name)
    await restore(name)
  })
  const remove = (name: string) =>
    attempt(`${name} could not be deleted.`, async () => {
      await sandbox['snapshots.delete']({ name }).finally(() => markChanged('snapshots'))
      return undefined
    })
  return (
    <Table headers={HEADERS} controls stacks>
      {snapshots.map(({ name, at, seq, records, trouble }) => (
        <tr key={name}>
          <th scope="row" className="cut" title={name}>
            <Text>{name}</Text>
          </th>
          {trouble === undefined ? (
            <>
              <td>{at && <Instant at={at} />}</td>
              <td data-right="" data-label="commit" className="mono">
                {seq === undefined ? '–' : formatCount(seq)}
              </td>
              <td data-right="" data-label="records">
                {records === undefined ? '–' : formatCount(records)}
              </td>
            </>
          ) : (
            <td colSpan={3} className="bad wrap">
              <Glyph name="broken" /> cannot be read: <Text>{trouble}</Text>
            </td>
          )}
          <td>
            <Row wraps gap={4}>
              {trouble === undefined && (
                <>
                  <Button aria-disabled={isBusy} onClick={() => void run(name)}>
                    {isBusy && restored === name ? 'Restoring…' : 'Restore'} <span className="unseen">{name}</span>
                  </Button>
                  <Button onClick={() => compare(name)}>
                    Compare <span className="unseen">{name}</span>
                  </Button>
                </>
              )}
              <Confirm label="Delete…" title={`Delete “${name}”?`} action="Delete" onConfirm={() => void remove(name)}>
                A deleted snapshot cannot be restored. The current world does not change.
              </Confirm>
            </Row>
          </td>
        </tr>
      ))}
    </Table>
  )
}

type ResetInput = MethodInput<'world.reset'>

const KIND_HINTS: Readonly<Record<WorldKind, string>> = {
  demo: 'a Program with Customers, accounts and a month of history',
  empty: 'one Program, without Customers',
  hosted: 'behaves as the hosted sandbox: a Program with two staged businesses',
}

/** Replaces the world with a fresh one. Seed, start and clock default to those of the present world. */
function ResetWorld({ reset }: { reset: (input: ResetInput) => Promise<void> }) {
  const world = useFeed((feed) => feed.world)
  const clock = useFeed((feed) => feed.clock)
  const presentStart = Date.parse(world?.start ?? '2026-01-01T00:00:00.000Z')
  const present = {
    seed: world?.seed ?? '',
    date: formatIsoDate(presentStart),
    time: newYork(presentStart).time,
    mode: clock?.mode ?? 'frozen',
    pace: clock?.pace ?? 'fast',
  }
  const kinds = world?.resets_to ?? []
  const [chosen, setChosen] = useState<WorldKind>()
  const kind = kinds.find((one) => one === chosen) ?? kinds[0] ?? 'demo'
  const [typed, setTyped] = useState<Partial<typeof present>>({})
  const id = useId()
  const { seed, date, time, mode, pace } = { ...present, ...typed }
  const hasNewStart = typed.date !== undefined || typed.time !== undefined
  const start = hasNewStart ? parseNewYorkTime(date, time) : presentStart
  const isSeedInvalid = seed.length < 1 || seed.length > 200
  const error = isSeedInvalid
    ? 'Enter a seed of 1 to 200 characters.'
    : start === null
      ? 'Enter a date and a time that exist in New York. The start of daylight saving time skips an hour.'
      : null
  const fields = [
    ['seed', 'Seed', 'text', isSeedInvalid],
    ['date', 'Start, date ET', 'date', start === null],
    ['time', 'Start, time ET', 'time', start === null],
  ] as const
  const choices = [
    ['mode', 'Clock', ['running', 'frozen']],
    ['pace', 'Pace', clock?.paces ?? []],
  ] as const
  return (
    <Pane aria-label="Start over">
      <PaneIntro>
        <h2>Start over</h2>
        <p className="soft">
          Replaces this world with a fresh one. The same seed, start and requests produce the same uids again.
        </p>
        <Choice
          legend="World"
          options={kinds.map((value) => ({ value, label: value, hint: KIND_HINTS[value] }))}
          value={kind}
          onChange={setChosen}
        />
        <FormGrid style={{ '--labels': '80px' }}>
          {fields.map(([name, label, type, isInvalid]) => [
            <label key={`${name} label`} htmlFor={id + name}>
              {label}
            </label>,
            <TextInput
              key={name}
              id={id + name}
              style={{ maxWidth: 320 }}
              type={type}
              step={type === 'time' ? 1 : undefined}
              value={{ seed, date, time }[name]}
              invalid={isInvalid}
              aria-describedby={`${id}error`}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
            />,
          ])}
        </FormGrid>
        {choices.map(([name, legend, values]) => (
          <Choice
            key={name}
            legend={legend}
            inline
            legendWidth={72}
            options={values.map((value) => ({ value, label: value }))}
            value={{ mode, pace }[name]}
            onChange={(to) => setTyped({ ...typed, [name]: to })}
          />
        ))}
        <p id={`${id}error`} className="data bad" role={error === null ? undefined : 'alert'}>
          {error}
        </p>
        {error === null && (
          <span className="row">
            <Confirm
              label="Start over…"
              title={`Start over with ${freshWorlds[kind]}?`}
              action="Start over"
              onConfirm={() =>
                void reset({ world: kind, seed, start: new Date(start!).toISOString(), mode, pace: typed.pace })
              }
            >
              A fresh world replaces this one. This world stays in the history: Undo or a rewind restores it. Snapshots,
              scenarios and the request log stay. Trace ids are forgotten, so that the same requests can be sent again.
            </Confirm>
          </span>
        )}
      </PaneIntro>
    </Pane>
  )
}
