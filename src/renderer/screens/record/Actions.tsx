import { useState } from 'react'
import type { RecordAction, Refusal } from '../../../api/contract/control/requests.ts'
import {
  type Fields,
  type LoadedRecordProps,
  type RecordProps,
  type Related,
  textField,
} from '../../components/fields/use-record.ts'
import { RequestForm } from '../../components/request/RequestForm.tsx'
import { ButtonLink, LineLink, RecordLink } from '../../components/ScreenLink.tsx'
import { TaskButtons } from '../../components/TaskButtons.tsx'
import { Unavailable } from '../../components/Unavailable.tsx'
import { Undo } from '../../components/Undo.tsx'
import { advance } from '../../data/advance.ts'
import { collections } from '../../data/collections.ts'
import { useFeed, useNow } from '../../data/feed.ts'
import { closeRecordAction, openRecordAction, useRecordAction } from '../../data/record-action.ts'
import { taskReason } from '../../data/records.ts'
import { useProgram } from '../../data/use-program.ts'
import { useRecordActions } from '../../data/use-record-actions.ts'
import {
  formatDateTime,
  formatDuration,
  formatInstant,
  formatRefusal,
  formatShortInstant,
  plural,
} from '../../format/text.ts'
import { useExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { EmptyLine, Skeleton } from '../../ui/Notice.tsx'
import { Glyph, GlyphText, Text } from '../../ui/Text.tsx'

/** The requests of a client that concern the record; each opens a form with the record filled in. */
export function Actions({ collection, uid, fields }: LoadedRecordProps) {
  const actions = useRecordActions({ collection, uid })
  const inject = injectParams(collection, uid, fields)
  if (actions.length === 0 && !inject) return null
  return (
    <Section title="Actions" note="requests of a client, logged as any other">
      <Stack gap={4} style={{ padding: '2px 16px 8px' }}>
        <Row wraps gap={4}>
          {actions
            .filter((action) => !isRefused(action))
            .map(({ id, label }) => (
              <Button key={id} onClick={() => openRecordAction(id)}>
                {label}…
              </Button>
            ))}
          {inject && (
            <ButtonLink screen="inject" params={inject}>
              Inject a payment
            </ButtonLink>
          )}
        </Row>
        <Unavailable
          name="impossible-actions"
          choices={actions.filter(isRefused).map(({ label: name, refused }) => {
            return { name, label: `${name}…`, reason: formatRefusal(refused) }
          })}
        />
      </Stack>
    </Section>
  )
}

type Refused = RecordAction & { readonly refused: Refusal }
const isRefused = (action: RecordAction): action is Refused => action.refused !== null

/** What Inject begins with for this record. */
function injectParams(
  collection: RecordProps['collection'],
  uid: string,
  { status, synthetic_account_category: category }: LoadedRecordProps['fields'],
): Record<string, string[]> | null {
  if (status !== 'active') return null
  if (collection === 'customers') return { customer: [uid] }
  if (collection === 'synthetic_accounts' && category === 'general') return { account: [uid] }
  return collection === 'virtual_reference_numbers' ? { vrn: [uid] } : null
}

/** The form of the action that the buttons or the palette opened. */
export function ActionDialog({ collection, uid }: RecordProps) {
  const opened = useRecordAction((state) => state.opened)
  const actions = useRecordActions(opened === null ? null : { collection, uid })
  const found = actions.find(({ id }) => id === opened)
  // Its own request changes the record, which may not have the action then: the form stays as it was opened.
  const [kept, setKept] = useState<RecordAction>()
  if (kept?.id !== (opened ?? undefined) && (found !== undefined || opened === null)) setKept(found)
  const action = opened === null ? undefined : kept
  return (
    <Dialog
      title={action?.label ?? ''}
      wide
      open={action !== undefined}
      onOpenChange={(open) => !open && closeRecordAction()}
    >
      {action && <ActionForm action={action} collection={collection} uid={uid} />}
    </Dialog>
  )
}

function ActionForm({ action, collection, uid }: RecordProps & { action: RecordAction }) {
  const program = useProgram()
  const examples = useExamples(program?.uid, { collection, uid })
  if (!program || !examples) return <Skeleton rows={8} />
  return (
    <>
      {action.refused && (
        <p className="data soft" style={{ padding: '8px 16px 0' }}>
          As it is, it is refused: {formatRefusal(action.refused)}
        </p>
      )}
      <RequestForm
        name={action.endpoint}
        program_uid={program.uid}
        examples={examples}
        start={{ body: action.body as JsonObject, ...action.params }}
        label={action.label}
        after={({ seq_before, seq_after }) =>
          seq_after > seq_before && (
            <div style={{ padding: '4px 16px 12px' }}>
              <Undo key={seq_after} operation={seq_after} what={`the request: ${action.label}`} />
            </div>
          )
        }
      />
    </>
  )
}

type Tasks = Related['tasks']
type Task = Tasks[number]

/** The tasks scheduled for the record, with a countdown in simulated time to the first one. Undefined while they are loading. */
export function Scheduled({ collection, uid, fields, tasks }: LoadedRecordProps & { tasks: Tasks | undefined }) {
  const first = tasks?.find(({ held, failed }) => !held && failed === null)
  const more = (tasks?.length ?? 0) - MAX_SHOWN
  return (
    <Section title="Scheduled" aria-label="Scheduled for this record">
      {first && <Countdown task={first} startedAt={findStart(fields)} />}
      {tasks?.length === 0 && <EmptyLine>Nothing scheduled for this {collections[collection].one}.</EmptyLine>}
      <ul>
        {tasks?.slice(0, MAX_SHOWN).map((task) => (
          <ScheduledTask key={task.uid} task={task} here={uid} />
        ))}
        {more > 0 && (
          <Row as="li" text="data" line="top" style={LINE}>
            <LineLink pane="tasks">{plural(more, 'more task')}</LineLink>
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
      <TaskButtons task={task} />
      {!held && failed === null && (
        <Button
          title={`Advance the clock to ${formatInstant(due)}`}
          onClick={() => void advance({ to: due_at }, `to ${formatShortInstant(due)}`)}
        >
          Advance to this
        </Button>
      )}
    </Row>
  )
}
