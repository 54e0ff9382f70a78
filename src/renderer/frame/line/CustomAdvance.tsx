import { useState } from 'react'
import type { AdvanceInput } from '../../../api/contract/control/clock.ts'
import { machines } from '../../../api/contract/machines.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { advanceAction, advanceInput, type Pace, paceAction, paces } from '../../actions/clock.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { AnyRecordLink } from '../../components/ScreenLink.tsx'
import { advance } from '../../data/advance.ts'
import { collections, isCollection } from '../../data/collections.ts'
import { useFeed, useNow } from '../../data/feed.ts'
import { showFailure } from '../../data/messages.ts'
import { sandbox, submitting } from '../../data/sandbox.ts'
import { callOf } from '../../data/trying.ts'
import { useAdvancePreview } from '../../data/use-advance-preview.ts'
import { formatLongDay, formatUtc, newYork, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { OneField, Select } from '../../ui/Field.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Glyph } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { DAY_MS } from './scale.ts'

/** Advances by a duration, to a time, or until nothing is due. The sandbox reads the text, and says what would run. */
export function CustomAdvance({ close }: { close: () => void }) {
  const [text, setText] = useState('1 day')
  const [error, setError] = useState<string | null>(null)
  const now = useNow(60_000)
  const run = async (input: AdvanceInput, goal: string) => {
    const refusal = await advance(input, goal, { showsError: false, showsGoal: false })
    setError(refusal)
    if (refusal === null) close()
  }
  return (
    <>
      <Stack as="form" gap={8} pad={12} onSubmit={submitting(() => run({ text }, text.trim()))}>
        <OneField
          label="A duration or a time in New York"
          mono
          value={text}
          error={error}
          onChange={(to) => {
            setText(to)
            setError(null)
          }}
          note={
            <>
              For example <code>8 business days</code>, <code>monday 9:00</code>, <code>PT36H</code> or{' '}
              <code>{formatUtc(now + DAY_MS)}</code>.
            </>
          }
        >
          <Button type="submit" primary>
            Advance
          </Button>
          <TryIt what="Advance" calls={() => [callOf('clock.advance', { text })]} />
        </OneField>
        <Preview text={text} />
        <span className="row">
          <Button onClick={() => void run(advanceInput('idle'), advanceAction('idle').label!)}>
            Until nothing is due
          </Button>
          <span className="meta">except the daily close</span>
        </span>
      </Stack>
      <ClockSettings />
    </>
  )
}

/** What it would do. Its place is there before. */
function Preview({ text }: { text: string }) {
  const settled = useDebounced(text)
  const { data } = useAdvancePreview(settled.trim() === '' ? null : { text: settled })
  const to = data?.to ? Date.parse(data.to) : null
  return (
    <p className="data soft wrap" style={{ minHeight: 32 }} role="status">
      {data && (
        <>
          {to !== null && (
            <b>
              To {formatLongDay(to)} {newYork(to).time} ET.{' '}
            </b>
          )}
          {data.refused ??
            `${plural(data.runs, 'task')} will run${data.recurring > 0 ? `, ${data.recurring} of them recurring` : ''}${
              data.skipped > 0 ? `; ${data.skipped} held or failed will not` : ''
            }. Tasks can schedule more tasks.`}
        </>
      )}
    </p>
  )
}

function PaceButton({ pace, isOn }: { pace: Pace; isOn: boolean }) {
  const action = paceAction(pace)
  return (
    <Row gap={6}>
      <ActionButton action={action} aria-pressed={isOn}>
        {action.label}
      </ActionButton>
      <span className="meta">{action.blocked ?? action.detail}</span>
    </Row>
  )
}

/** The pace of payments, and the condition on which the clock freezes. */
function ClockSettings() {
  const clock = useFeed((feed) => feed.clock)
  if (!clock) return null
  return (
    <Stack as="section" gap={6} pad="8 12 12" line="top" aria-label="Clock">
      <Row gap={8} align="start">
        <span className="data soft" style={{ width: 76 }}>
          Pace
        </span>
        <Stack gap={4}>
          {paces.map((pace) => (
            <PaceButton key={pace} pace={pace} isOn={pace === clock.pace} />
          ))}
        </Stack>
      </Row>
      {clock.break_on ? (
        <Row gap={6} align="baseline">
          <span className="wait">
            <Glyph name="held" />
          </span>
          <span className="data wrap">
            Freezes when {nameRecord(clock.break_on.collection)}{' '}
            {clock.break_on.uid !== undefined && (
              <AnyRecordLink {...clock.break_on} uid={clock.break_on.uid}>
                {clock.break_on.uid}
              </AnyRecordLink>
            )}{' '}
            reaches <code>{clock.break_on.status}</code>
          </span>
          <Button className="end" small onClick={() => void showFailure(sandbox['clock.set']({ break_on: null }))}>
            Clear <span className="unseen">the break condition</span>
          </Button>
        </Row>
      ) : (
        <BreakForm />
      )}
    </Stack>
  )
}

/** The statuses of each collection with a state machine: the clock can freeze on them. */
const statusesByCollection: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(machines).flatMap(([name, { states }]) => {
    const collection = `${name}s`
    return isCollection(collection) ? [[collection, states] as const] : []
  }),
)

const nameRecord = (collection: string) => `a ${isCollection(collection) ? collections[collection].one : collection}`

const PADDING = { padding: '0 2px 0 4px' }

function BreakForm() {
  const [collection, setCollection] = useState('transactions')
  const [status, setStatus] = useState('authorization_pending')
  const selectCollection = (to: string) => {
    setCollection(to)
    setStatus(statusesByCollection.get(to)![0]!)
  }
  return (
    <Stack
      as="form"
      columns="76px minmax(0, 1fr) auto"
      gap={6}
      align="center"
      onSubmit={submitting(() => showFailure(sandbox['clock.set']({ break_on: { collection, status } })))}
    >
      <span className="data soft">Freeze when</span>
      <Select
        style={{ ...PADDING, gridColumn: '2 / -1' }}
        aria-label="Collection"
        value={collection}
        onChange={selectCollection}
        options={[...statusesByCollection.keys()].map((name) => [name, nameRecord(name)])}
      />
      <span className="data soft">reaches</span>
      <Select
        style={PADDING}
        aria-label="Status"
        value={status}
        onChange={setStatus}
        options={statusesByCollection.get(collection)!}
      />
      <Button type="submit" small>
        Set
      </Button>
    </Stack>
  )
}
