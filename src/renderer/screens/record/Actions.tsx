import { useState } from 'react'
import type { RecordAction, Refusal } from '../../../api/contract/control/requests.ts'
import type { LoadedRecordProps, RecordProps } from '../../components/fields/use-record.ts'
import { RequestForm } from '../../components/request/RequestForm.tsx'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { Unavailable } from '../../components/Unavailable.tsx'
import { Undo } from '../../components/Undo.tsx'
import { closeRecordAction, openRecordAction, useRecordAction } from '../../data/record-action.ts'
import { useProgram } from '../../data/use-program.ts'
import { useRecordActions } from '../../data/use-record-actions.ts'
import { formatRefusal } from '../../format/errors.ts'
import { useExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Section.tsx'

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
