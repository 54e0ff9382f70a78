import { Play } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import type { OutgoingRequest } from '../../../api/contract/control/repairs.ts'
import { findEndpoint } from '../../../api/contract/paths.ts'
import { objectShape, plainShape, type Shape, shapeOf } from '../../../api/contract/shape.ts'
import type { Endpoint, Schema } from '../../../api/contract/terms/endpoint.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { type FormPart, RequestFields } from '../../components/request/RequestForm.tsx'
import { SendResult } from '../../components/SendResult.tsx'
import type { RecordRef } from '../../data/at-hand.ts'
import { sendingForm, useAction } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { BodyText, parseBody } from '../../forms/BodyText.tsx'
import { Corrections } from '../../forms/Corrections.tsx'
import {
  type Correction,
  correctBody,
  correctQuery,
  findBodyCorrections,
  findTargetCorrections,
} from '../../forms/corrections.ts'
import { describeRefusal, type FieldErrors, findProblems } from '../../forms/field-errors.ts'
import { customerOf, SchemaForm } from '../../forms/SchemaForm.tsx'
import { formatQuery, parseQuery, sendingOf, sendRequest } from '../../forms/send.ts'
import { useExamples } from '../../forms/use-examples.ts'
import { formatJson, type JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeEditor } from '../../ui/CodeEditor.tsx'
import { formatLines } from '../../ui/code-lines.ts'
import { Choice } from '../../ui/Field.tsx'
import { Actions, Caption, Stack } from '../../ui/Layout.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import styles from './Resend.module.css'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const
type Method = (typeof METHODS)[number]
/** A field, or the button that adds an object. */
const REFUSED_FIELD = '[aria-invalid=true]:is(input, select, textarea), fieldset[data-wrong] button'
const TEXT = plainShape(undefined)
const TARGET = objectShape([
  { name: 'method', required: true, shape: plainShape(METHODS) },
  { name: 'path', required: true, shape: TEXT },
  { name: 'query', required: false, shape: { ...TEXT, schema: { examples: ['limit=5&status[]=active'] } } },
])

interface Draft {
  readonly method: Method
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly body: string
}

type Recorded = Pick<ExchangeDetail, 'method' | 'path'> & { readonly request: { readonly body: string } }

function draftOf({ method, path, request }: Recorded): Draft {
  const at = path.indexOf('?')
  return {
    method: METHODS.find((one) => one === method) ?? 'GET',
    path: at < 0 ? path : path.slice(0, at),
    query: at < 0 ? '' : path.slice(at + 1),
    body: request.body,
  }
}

/** Differs if another request is sent. The layout of the body makes no difference. */
function keyOf(draft: Draft): string {
  const parsed = parseBody(draft.body)
  return JSON.stringify('value' in parsed ? { ...draft, body: parsed.value } : draft)
}

/** The records that complete the request: those of the Customer that it names. */
function customerOfRequest({ request }: ExchangeDetail): RecordRef | null {
  const parsed = parseBody(request.body)
  const uid = 'value' in parsed ? customerOf(parsed.value) : undefined
  return uid === undefined ? null : { collection: 'customers', uid }
}

/** The unknown names and values of a recorded request. */
export const findCorrections = (exchange: ExchangeDetail) => correctionsOf(draftOf(exchange))

function correctionsOf({ method, path, query, body }: Draft): Correction[] {
  const schema = findEndpoint(method, path)?.body
  const parsed = parseBody(body)
  return [
    ...findTargetCorrections({ method, path, query }),
    ...(schema && 'value' in parsed ? findBodyCorrections(parsed.value, shapeOf(schema)) : []),
  ]
}

function correctDraft(draft: Draft, correction: Correction): Draft {
  if (correction.kind === 'path') return { ...draft, path: correction.nearest }
  if (correction.part === 'query') return { ...draft, query: correctQuery(draft.query, correction) }
  const parsed = parseBody(draft.body)
  return 'value' in parsed ? { ...draft, body: formatJson(correctBody(parsed.value, correction)) } : draft
}

/** With what the form opens. */
export interface Editing {
  /** Applied to the recorded request. */
  readonly correction?: Correction
  /** In its place. */
  readonly repaired?: OutgoingRequest
}

interface ResendProps extends Editing {
  readonly exchange: ExchangeDetail
  readonly close: () => void
}

/** A recorded request to change and send again, with a token of its Program and a new trace id. */
export function Resend({ exchange, correction, repaired, close }: ResendProps) {
  const shown = useProgram()
  const program_uid = exchange.program_uid ?? shown?.uid
  const examples = useExamples(program_uid, customerOfRequest(exchange))
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const result = useRef<HTMLDivElement>(null)
  const [draft, setDraft] = useState(() => {
    const recorded = draftOf(repaired ? { ...repaired, request: { body: repaired.body ?? '' } } : exchange)
    return correction ? correctDraft(recorded, correction) : recorded
  })
  // The fields that were refused are marked until the request is changed.
  const [answered, setAnswered] = useState({ refusal: exchange.refusal, key: keyOf(draftOf(exchange)) })
  const [sent, setSent] = useState<ExchangeDetail | null>(null)
  const contentType = repaired ? undefined : exchange.request.headers.find(([name]) => name === 'content-type')?.[1]
  const { method, path, query, body } = draft
  const endpoint = findEndpoint(method, path)
  const isJson = contentType === undefined || /json/i.test(contentType)
  const parsed = useMemo(() => parseBody(body), [body])
  const whyNoForm = endpoint ? noFormReason(endpoint, isJson, 'trouble' in parsed) : 'No endpoint has this path.'
  const [chosenView, setView] = useState<'form' | 'text'>('form')
  const view = whyNoForm === undefined ? chosenView : 'text'
  const key = useMemo(() => keyOf(draft), [draft])
  const refusal = answered.key === key ? answered.refusal : null
  const change = (part: Partial<Draft>) => setDraft((was) => ({ ...was, ...part }))

  // biome-ignore lint/correctness/useExhaustiveDependencies: each response moves the focus to the first field that it refused.
  useEffect(() => {
    const refused = form.current?.querySelector<HTMLElement>(REFUSED_FIELD)
    if (refused) {
      refused.focus({ preventScroll: true })
      refused.scrollIntoView({ block: 'center' })
    } else if (sent) result.current?.scrollIntoView({ block: 'nearest' })
    else form.current?.querySelector<HTMLElement>('input:not([type=radio]), textarea')?.focus()
  }, [answered])

  const request = {
    method,
    path: query === '' ? path : `${path}?${query}`,
    body,
    ...(contentType === undefined ? {} : { content_type: contentType }),
  }
  const sending = useAction(async () => {
    const response = await sendRequest(program_uid, request)
    setSent(response)
    setAnswered({ refusal: response.refusal, key })
  })
  const corrections = useMemo(() => correctionsOf(draft), [draft])
  /** A part of the request as a form. */
  const partOf = (schema: Schema | undefined, parse: (shape: Shape) => JsonObject, onChange: FormPart['onChange']) => {
    if (!schema) return undefined
    const shape = shapeOf(schema)
    const value = parse(shape)
    return { shape, value, onChange, problems: findProblems(schema, value, refusal) }
  }
  const queryForm = partOf(
    endpoint?.query,
    (shape) => parseQuery(query, shape),
    (value) => change({ query: formatQuery(value) }),
  )
  const bodyForm = partOf(
    'value' in parsed ? endpoint?.body : undefined,
    () => ('value' in parsed ? parsed.value : {}),
    (value) => change({ body: formatJson(value) }),
  )
  const isUidRefused = refusal?.fields?.some((field) => field.startsWith('{')) ?? false
  const targetProblems = new Map([
    ...(endpoint ? [] : [['path', 'No endpoint has this method and path.'] as const]),
    ...(endpoint && isUidRefused ? [['path', describeRefusal(refusal!, '')] as const] : []),
    ...(view === 'text' && queryForm && queryForm.problems.size > 0
      ? [['query', describeAll(queryForm.problems)] as const]
      : []),
  ])
  return (
    <form ref={form} className={styles.form} aria-label="Edit and resend" {...sendingForm(sending.run)}>
      <Actions className={styles.actions}>
        <Button icon={Play} type="submit" primary aria-disabled={sending.isBusy || undefined}>
          Send
        </Button>
        <TryIt what="Send" calls={() => sendingOf(program_uid, request)} />
        <Button onClick={close}>Cancel</Button>
        <Choice
          className="end"
          legend="Fields"
          inline
          options={[
            { value: 'form', label: 'Form', disabledReason: whyNoForm },
            { value: 'text', label: 'Text' },
          ]}
          value={view}
          onChange={setView}
        />
      </Actions>
      <Stack gap={6} pad="8 16">
        <SchemaForm
          id={`${id}target`}
          shape={TARGET}
          value={{ method, path, ...(query === '' ? {} : { query }) }}
          onChange={(target) => change({ path: '', query: '', ...target })}
          problems={targetProblems}
        />
      </Stack>
      <Corrections corrections={corrections} apply={(one) => setDraft((was) => correctDraft(was, one))} />
      {view === 'form' ? (
        <Stack gap={6} pad="8 16">
          <RequestFields examples={examples} query={queryForm} body={bodyForm} />
        </Stack>
      ) : (
        <>
          <Caption>
            <h3>Body</h3>
            <span className="meta">as it is sent</span>
            {isJson && 'value' in parsed && formatLines(body) !== body && (
              <Button small className="end" onClick={() => change({ body: formatLines(body) })}>
                Format
              </Button>
            )}
          </Caption>
          {isJson ? (
            <BodyText
              text={body}
              error={'trouble' in parsed ? parsed.trouble : null}
              setText={(text) => change({ body: text })}
              problems={bodyForm?.problems}
              isBesideForm={false}
            />
          ) : (
            <CodeEditor label="Body" value={body} onChange={(text) => change({ body: text })} />
          )}
        </>
      )}
      {body.includes('[removed]') && (
        <NoticeLine>
          The request log removes secrets: replace <span className="mono">[removed]</span> before you send.
        </NoticeLine>
      )}
      {sending.error !== undefined && <Notice title="The request could not be sent." error={sending.error} />}
      <div role="status" aria-label="Response" ref={result}>
        {sent && <SendResult exchange={sent} />}
      </div>
    </form>
  )
}

function noFormReason(endpoint: Endpoint, isJson: boolean, isBroken: boolean): string | undefined {
  if (!endpoint.body) return undefined
  if (!isJson) return 'The body is not JSON.'
  return isBroken ? 'The body is not a valid JSON object.' : undefined
}

const describeAll = (problems: FieldErrors) => [...problems].map(([name, problem]) => `${name}: ${problem}`).join('; ')
