import { useId, useMemo, useRef, useState } from 'react'
import { ControlError } from '../../../api/contract/control/client.ts'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import {
  CreateWebhook,
  type Webhook,
  WebhookChanges,
  webhookDefaults,
} from '../../../api/contract/resources/webhooks.ts'
import type { Schema } from '../../../api/contract/terms/endpoint.ts'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, submitting, useAction } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { type FieldErrors, findFieldErrors } from '../../forms/field-errors.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { shapeOf } from '../../forms/shape.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Column, Row } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** In the address parameter `form`: a new webhook. Otherwise it is the uid of the webhook to edit. */
export const NEW = 'new'

export const openForm = (which: string) => useRoute.getState().filter('form', [which])
const closeForm = () => useRoute.getState().filter('form', [])

/** The form that adds a webhook or changes one. Its fields are those of the contract. */
export function WebhookDialog({ webhooks }: { webhooks: readonly Webhook[] }) {
  const which = useRoute(({ params }) => params.form?.[0])
  const webhook = webhooks.find(({ uid }) => uid === which)
  const isOpen = which === NEW || webhook !== undefined
  return (
    <Dialog
      title={webhook ? 'Edit a webhook' : 'Add a webhook'}
      open={isOpen}
      onOpenChange={(open) => !open && closeForm()}
    >
      {isOpen && <WebhookForm key={which} webhook={webhook} />}
    </Dialog>
  )
}

/** Without the choice of a Program where there is only one. */
const forOneProgram = CreateWebhook.omit({ program_uid: true })

/** Pause and Activate set the status. */
const changeable = WebhookChanges.omit({ status: true })

/** The fields that differ from the defaults, without the HMAC key. */
function editableFields(webhook: Webhook): JsonObject {
  const defaults: JsonObject = { ...webhookDefaults, hmac_key: webhook.hmac_key }
  return Object.fromEntries(
    shapeOf(changeable).fields.flatMap(({ name }) => {
      const value = (webhook as JsonObject)[name]
      return value === undefined || isSame(value, defaults[name] ?? undefined) ? [] : [[name, value]]
    }),
  )
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Adds a webhook, or changes one: then only what differs is sent. */
function WebhookForm({ webhook }: { webhook: Webhook | undefined }) {
  const program_uid = useProgram()?.uid
  const isOneProgram = useFeed((feed) => feed.programs.length < 2)
  const ofProgram = program_uid === undefined ? {} : { program_uid }
  const schema: Schema = webhook ? changeable : isOneProgram ? forOneProgram : CreateWebhook
  const [value, setValue] = useState<JsonObject>(() =>
    webhook ? editableFields(webhook) : isOneProgram ? {} : ofProgram,
  )
  const saving = useAction(async (fields: JsonObject) => {
    if (webhook) {
      const changes = Object.entries(fields).filter(([name, part]) => !isSame(part, (webhook as JsonObject)[name]))
      if (changes.length > 0) await sandbox['webhooks.update']({ uid: webhook.uid, ...Object.fromEntries(changes) })
    } else await sandbox['webhooks.create']({ ...ofProgram, ...(fields as MethodInput<'webhooks.create'>) })
    closeForm()
  })
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const shape = shapeOf(schema)
  const [isSubmitted, setSubmitted] = useState(false)
  const [sent, setSent] = useState<JsonObject | null>(null)
  const invalid = useMemo(() => findFieldErrors(schema, value), [schema, value])
  const refused = sent === value ? saving.error : undefined
  const refusedFields = findRefusedField(
    refused,
    shape.fields.map(({ name }) => name),
  )
  const submit = async () => {
    setSubmitted(true)
    if (invalid.size === 0) {
      setSent(value)
      await saving.run(value)
    }
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <form
      ref={form}
      style={{ display: 'grid', '--names': '112px' } as React.CSSProperties}
      noValidate
      onSubmit={submitting(submit)}
    >
      <p className="data soft" style={{ padding: '10px 16px 4px' }}>
        {webhook ? (
          'Fields that are not sent stay as they are. The HMAC key is not shown.'
        ) : (
          <>
            Each event is sent as a signed POST to the address, a slash and its topic. No receiver yet? Set{' '}
            <code>url</code> to null: events are kept, and you can read and resend them later.
          </>
        )}
      </p>
      <Column scroll style={{ padding: '4px 16px 8px', maxHeight: 'min(560px, 100vh - 260px)' }}>
        <SchemaForm
          id={id}
          shape={shape}
          value={value}
          onChange={setValue}
          problems={new Map([...(isSubmitted ? invalid : []), ...refusedFields])}
          leads={webhook ? ['url', 'topics'] : ['program_uid', 'url', 'topics', 'hmac_key', 'confirm']}
        />
      </Column>
      {refused !== undefined && refusedFields.size === 0 && (
        <Notice title="The webhook was not saved." error={refused} />
      )}
      <Row gap={4} line="top" style={{ padding: '8px 16px 12px' }}>
        <Button type="submit" primary aria-disabled={saving.isBusy || undefined}>
          {webhook ? 'Save' : 'Add'}
        </Button>
        <Button onClick={closeForm}>Cancel</Button>
      </Row>
    </form>
  )
}

/** The field that a refusal begins with, as in `url: …`. */
function findRefusedField(error: unknown, fields: readonly string[]): FieldErrors {
  const first = error instanceof ControlError ? error.body.errors[0] : undefined
  const [, field, reason] = /^(\w+)(?:[.[][\w.[\]]*)?: (.+)$/s.exec(first?.extra ?? '') ?? []
  return first && field && reason && fields.includes(field) ? new Map([[field, `${first.code}: ${reason}`]]) : new Map()
}
