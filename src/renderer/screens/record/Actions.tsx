import { useState } from 'react'
import { operationOf } from '../../../api/contract/control/client.ts'
import type { RecordAction, Refusal } from '../../../api/contract/control/requests.ts'
import { type DecisionInputs, DecisionList, isWaiting } from '../../components/decisions/DecisionList.tsx'
import { BranchAndCompare } from '../../components/Fork.tsx'
import { listFields } from '../../components/fields/list-fields.ts'
import {
  ALL_COLLECTIONS,
  type Fields,
  type LoadedRecordProps,
  type RecordProps,
} from '../../components/fields/use-record.ts'
import { RequestForm } from '../../components/request/RequestForm.tsx'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { capitalize, Unavailable } from '../../components/Unavailable.tsx'
import { Undo } from '../../components/Undo.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { useLastChange } from '../../data/last-change.ts'
import { closeRecordAction, openRecordAction, useRecordAction } from '../../data/record-action.ts'
import { sandbox, useQuery } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { useRecordActions } from '../../data/use-record-actions.ts'
import { formatRefusal } from '../../format/errors.ts'
import { formatCount } from '../../format/text.ts'
import { useExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { Loaded, Skeleton } from '../../ui/Notice.tsx'
import { FieldChange } from './History.tsx'

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

interface DecisionResult {
  readonly move: string
  readonly operation: number | null
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

/** What a bank, a network or a compliance officer can decide about the record; for what is not possible now, the reason. */
export function Decisions({ collection, uid, fields }: LoadedRecordProps) {
  const query = useQuery('moves.list', { collection, uid }, ALL_COLLECTIONS)
  const [result, setResult] = useLastChange<DecisionResult>(`decision ${uid}`)
  const decide = async (move: string, inputs: DecisionInputs) => {
    const after = await sandbox['moves.make']({ collection, uid, move, inputs })
    setResult({ move, operation: operationOf(after), changes: diffFields(collection, fields, after) })
  }
  return (
    <Section
      title="Operator decisions"
      end={query.data?.moves.some(({ legal }) => legal) && <BranchAndCompare collection={collection} uid={uid} />}
    >
      {result && <Result result={result} />}
      <Loaded query={query} failure="The decisions could not be read." rows={3}>
        {({ moves }) => (
          <DecisionList
            moves={moves}
            isWaiting={isWaiting(fields)}
            none={`There are no decisions about a ${collections[collection].one}.`}
            onDecide={decide}
          />
        )}
      </Loaded>
    </Section>
  )
}

function diffFields(collection: CollectionName, before: Fields, after: Fields): DecisionResult['changes'] {
  const values = new Map(listFields(collection, before).map(({ name, value }) => [name, value]))
  return listFields(collection, after).flatMap(({ name, value }) => {
    const from = values.get(name) ?? null
    const to = value ?? null
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: name, from, to }]
  })
}

const MAX_CHANGES = 4

function Result({ result: { move, operation, changes } }: { result: DecisionResult }) {
  return (
    <Stack
      gap={4}
      pad="8 16"
      text="data"
      line="top"
      className="wrap"
      style={{ boxShadow: 'inset 3px 0 var(--accent)' }}
      data-decision-result
    >
      <p role="status">
        <b>{capitalize(move)}</b>: done in commit {formatCount(operation ?? 0)}.
      </p>
      <ul>
        {changes.slice(0, MAX_CHANGES).map((change) => (
          <li key={change.field}>
            <FieldChange {...change} />
          </li>
        ))}
        {changes.length > MAX_CHANGES && <li className="faint">and {changes.length - MAX_CHANGES} more fields</li>}
        {changes.length === 0 && <li className="faint">No field of this record changed. See its related records.</li>}
      </ul>
      <Undo key={operation} operation={operation} what={`the decision ${move}`} />
    </Stack>
  )
}
