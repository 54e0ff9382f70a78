import { type Fields, type LoadedRecordProps, type Related, textField } from '../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { advance } from '../../data/advance.ts'
import { collections } from '../../data/collections.ts'
import { useFeed, useNow } from '../../data/feed.ts'
import { taskReason } from '../../data/records.ts'
import { sandbox, useAction } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { formatDateTime, formatDuration, formatInstant, formatShortInstant, plural } from '../../format/text.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import { Glyph, GlyphText } from '../../ui/Glyph.tsx'
import { Row, Section } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { EmptyLine } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'

type Tasks = Related['tasks']
type Task = Tasks[number]

/** The tasks scheduled for the record, with a countdown in simulated time to the first one. Undefined while they are loading. */
export function Scheduled({ collection, uid, fields, tasks }: LoadedRecordProps & { tasks: Tasks | undefined }) {
  const first = tasks?.find(({ held, failed }) => !held && failed === null)
  const more = (tasks?.length ?? 0) - MAX_SHOWN
  return (
    <Section title="Scheduled">
      {first && <Countdown task={first} startedAt={findStart(fields)} />}
      {tasks?.length === 0 && <EmptyLine>Nothing scheduled for this {collections[collection].one}.</EmptyLine>}
      <ul>
        {tasks?.slice(0, MAX_SHOWN).map((task) => (
          <ScheduledTask key={task.uid} task={task} here={uid} />
        ))}
        {more > 0 && (
          <Row as="li" text="data" line="top" style={LINE}>
            <ScreenLink screen="time">{plural(more, 'more task')}</ScreenLink>
          </Row>
        )}
      </ul>
    </Section>
  )
}

const MAX_SHOWN = 10
const LINE = { padding: '5px 16px' }

/** The start of the countdown's meter: the last known change of the record. */
function findStart(fields: Fields): number | null {
  const known = ['created_at', 'initial_action_at'].flatMap((name) => textField(fields, name) ?? []).sort()
  return known.length === 0 ? null : Date.parse(known.at(-1)!)
}

function Countdown({ task, startedAt }: { task: Task; startedAt: number | null }) {
  const { due_at } = task
  const now = useNow()
  const isFrozen = useFeed((feed) => feed.clock?.mode === 'frozen' && feed.progress === null)
  const due = Date.parse(due_at)
  const meter = {
    padding: '0 16px 8px',
    '--meter-width': '100%',
    '--meter-height': '4px',
    ...(isFrozen ? { '--meter-color': 'var(--wait)' } : {}),
  }
  return (
    <div style={meter}>
      <span className="meta wrap">
        <Text>{taskReason(task)}</Text>
        {due > now && ' in'}
      </span>
      <b className="sum" style={{ display: 'block' }} role="timer">
        {due <= now ? 'now' : formatDuration(due - now)}
      </b>
      {startedAt !== null && startedAt < due && (
        <div style={{ margin: '2px 0 6px' }}>
          <Meter
            value={Math.min(due, Math.max(startedAt, now)) - startedAt}
            max={due - startedAt}
            label="Elapsed time"
          />
        </div>
      )}
      <span className="row meta">
        {isFrozen && (
          <GlyphText signal="wait" style={{ whiteSpace: 'normal' }}>
            <Glyph name="held" /> paused: the clock is frozen
          </GlyphText>
        )}
        <time className="end" dateTime={due_at} title={due_at}>
          by {formatDateTime(due)}
        </time>
      </span>
    </div>
  )
}

function ScheduledTask({ task, here }: { task: Task; here: string }) {
  const { uid, kind, due_at, held, failed, record, recurring } = task
  const { run, isBusy, result, error } = useAction((work: () => Promise<string>) => work())
  const runNow = async () => `${(await sandbox['tasks.run']({ uid })).outcome}.`
  const hold = async () => {
    await sandbox[held ? 'tasks.release' : 'tasks.hold']({ uid })
    return held ? 'Released.' : 'Held.'
  }
  const due = Date.parse(due_at)
  return (
    <Row as="li" wraps gap="4 8" text="data" line="top" style={LINE}>
      <span style={{ flex: '1 1 96px', minWidth: 0 }}>
        {uid === here ? (
          kind
        ) : (
          <RecordLink collection="tasks" uid={uid}>
            {kind}
          </RecordLink>
        )}
        <span className="meta hint">
          {held ? (
            <GlyphText signal="wait">
              <Glyph name="held" /> held, due {formatDateTime(due)}
            </GlyphText>
          ) : failed !== null ? (
            <GlyphText className="wrap" signal="bad">
              <Glyph name="broken" /> <Text className="wrap">{failed}</Text>
            </GlyphText>
          ) : (
            <span title={formatInstant(due)}>
              {formatDateTime(due)}
              {recurring ? ', repeats' : ''}
              {record !== null && record !== here && uid !== here && (
                <>
                  : <Text>{taskReason(task)}</Text>
                </>
              )}
            </span>
          )}
        </span>
      </span>
      <ButtonGroup>
        <Button aria-disabled={isBusy} onClick={() => void run(runNow)}>
          Run now
        </Button>
        <Button aria-disabled={isBusy} onClick={() => void run(hold)}>
          {held ? 'Release' : 'Hold'}
        </Button>
        {!held && failed === null && (
          <Button
            title={`Advance the clock to ${formatInstant(due)}`}
            onClick={() => void advance({ to: due_at }, `to ${formatShortInstant(due)}`)}
          >
            Advance to this
          </Button>
        )}
      </ButtonGroup>
      <span
        role="status"
        className={`wrap ${error === undefined ? 'soft' : 'bad'}`}
        style={{ flex: '1 0 100%' }}
        hidden={result === undefined && error === undefined}
      >
        {error === undefined ? result : errorText(error)}
      </span>
    </Row>
  )
}
