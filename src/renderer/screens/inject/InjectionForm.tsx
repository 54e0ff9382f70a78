import { Zap } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { endpoints } from '../../../api/contract/endpoints.ts'
import type { Endpoint, Schema } from '../../../api/contract/terms/endpoint.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { isRefused } from '../../data/feed.ts'
import { useApiAccess } from '../../data/use-program.ts'
import { plural } from '../../format/numbers.ts'
import { formatCurl } from '../../format/request.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import { ForcedOutcome } from '../../forms/ForcedOutcome.tsx'
import { FieldNote, FormRow, fieldClass } from '../../forms/FormRow.tsx'
import { type FieldErrors, findFieldErrors, findRefusedFields } from '../../forms/field-errors.ts'
import { bodyAfter, bodyOf, findMissing, type Injection, withEnding } from '../../forms/injections.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { type Request, toSentRequest } from '../../forms/send.ts'
import { flattenShape, shapeOf } from '../../forms/shape.ts'
import { type Body, parseBody, useBody } from '../../forms/use-body.ts'
import { type Examples, readExamples, useCustomerExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Actions, Caption, Pane, PaneIntro } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import styles from './InjectionForm.module.css'
import { InjectionResult } from './InjectionResult.tsx'
import { RecentInjections } from './RecentInjections.tsx'
import { type Run, useInjection } from './use-injection.ts'

interface InjectionFormProps {
  readonly injection: Injection
  readonly examples: Examples
  readonly program_uid: string
  readonly initialBody: JsonObject
  readonly onNext: (id: string, body: JsonObject) => void
}

/** The form of one injection, its body as JSON, and the result. */
export function InjectionForm(props: InjectionFormProps) {
  const { injection, examples: initial, program_uid, initialBody, onNext } = props
  const { method, path, body: schema } = endpoints[injection.endpoint] as Endpoint & { readonly body: Schema }
  const body = useBody(initialBody)
  const examples = useCustomerExamples(program_uid, initial, body, (of) => bodyOf(injection, of))
  const id = useId()
  const pane = useRef<HTMLElement>(null)
  const [times, setTimes] = useState('1')
  /** The invalid body for which Inject was pressed once. Pressing again sends it anyway. */
  const [warnedText, setWarnedText] = useState<string | null>(null)
  const { answer, run, failure, inject, cancel } = useInjection(injection, program_uid)
  const { invalid, problems } = useProblems(schema, body, answer)
  useNextBody(injection, program_uid, examples, body, answer)
  const isRunning = run?.state === 'running'
  const isInvalid = invalid.size > 0 || body.error !== null
  const isWarned = isInvalid && warnedText === body.text
  const request = { method, path, body: body.text }

  const submit = () => {
    if (isRunning || !isValidCount(times)) return
    if (!isInvalid || isWarned) return void inject(request, Number(times))
    setWarnedText(body.text)
    requestAnimationFrame(() => pane.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const side = usePaneSize('inject-body', '--side')
  return (
    <Pane className={styles.injection} aria-label="Injection" ref={pane} style={side.style}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
      >
        <Introduction injection={injection} />
        <MissingRecords injection={injection} examples={examples} />
        <ForcedOutcome endpoint={injection.endpoint} body={body.value} />
        <InjectionFields
          id={id}
          injection={injection}
          examples={examples}
          schema={schema}
          body={body}
          problems={problems}
        />
        {isWarned && <InvalidBodyWarning invalidFields={body.error === null ? invalid.size : null} />}
        <InjectionActions
          label={isWarned ? 'Send anyway' : answer && !isRunning ? 'Inject again' : 'Inject'}
          request={request}
          times={times}
          setTimes={setTimes}
          run={run}
          cancel={cancel}
        />
      </form>
      <Splitter label="Width of the body" sizes="after" min={320} onResize={side.onResize} />
      <div className={styles.side}>
        <Caption className={styles.caption}>
          <h2>Body</h2>
          <span className="meta">in sync with the form</span>
        </Caption>
        <BodyText body={body} problems={problems} onSend={submit} />
        <InjectionResult
          injection={injection}
          exchange={answer?.exchange}
          run={run}
          failure={failure}
          onNext={(next, uid) => onNext(next.kind, bodyAfter(next, uid, examples))}
        />
        <RecentInjections />
      </div>
    </Pane>
  )
}

/** After an injection that used up a record or a name, the form has the next one, so that it can be sent again. */
function useNextBody(
  injection: Injection,
  program_uid: string,
  { customer }: Examples,
  body: Body,
  answer: ReturnType<typeof useInjection>['answer'],
) {
  const { spends, renew } = injection
  const latest = useRef(body)
  latest.current = body
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer uses up a record.
  useEffect(() => {
    if (!answer || isRefused(answer.exchange)) return
    const sent = parseBody(answer.body)
    if (renew && 'value' in sent) body.setValue(renew(sent.value))
    if (!spends) return
    const near = customer === undefined ? null : { collection: 'customers' as const, uid: customer }
    readExamples(program_uid, near).then(
      (examples) => {
        const next = bodyOf(injection, examples)[spends]
        if (next !== '') latest.current.setValue({ ...latest.current.value, [spends]: next })
      },
      () => {},
    )
  }, [answer])
}

/** The fields that the contract refuses, and all problems: these and those of the last response to the same body. */
function useProblems(
  schema: Schema,
  body: Body,
  answer: ReturnType<typeof useInjection>['answer'],
): { readonly invalid: FieldErrors; readonly problems: FieldErrors } {
  const invalid = useMemo(() => findFieldErrors(schema, body.value), [schema, body.value])
  const paths = useMemo(() => flattenShape(shapeOf(schema)).map(({ path }) => path), [schema])
  const refusal = answer?.body === body.text ? answer.exchange.refusal : null
  const problems = useMemo(
    () => new Map([...(refusal ? findRefusedFields(refusal, paths) : []), ...invalid]),
    [refusal, paths, invalid],
  )
  return { invalid, problems }
}

interface InjectionFieldsProps {
  readonly id: string
  readonly injection: Injection
  readonly examples: Examples
  readonly schema: Schema
  readonly body: Body
  readonly problems: FieldErrors
}

function InjectionFields({ id, injection, examples, schema, body, problems }: InjectionFieldsProps) {
  return (
    <div className={styles.fields}>
      {injection.codes && (
        <CodeSelect id={`${id}code`} codes={injection.codes} body={body.value} onChange={body.setValue} />
      )}
      <SchemaForm
        id={id}
        shape={shapeOf(schema)}
        value={body.value}
        onChange={body.setValue}
        problems={problems}
        examples={examples.values}
        customer={examples.customer}
        {...(injection.leads ? { leads: injection.leads } : {})}
      />
    </div>
  )
}

/** `invalidFields` is null if the body is not JSON at all. */
const InvalidBodyWarning = ({ invalidFields }: { invalidFields: number | null }) => (
  <NoticeLine role="alert">
    <b>
      {invalidFields === null
        ? 'The body is not a JSON object.'
        : `${plural(invalidFields, 'field')} ${invalidFields === 1 ? 'is' : 'are'} invalid.`}
    </b>{' '}
    Fix the body, or send it anyway to see the refusal.
  </NoticeLine>
)

const MAX_TIMES = 100

function isValidCount(text: string): boolean {
  const count = Number(text)
  return Number.isInteger(count) && count >= 1 && count <= MAX_TIMES
}

interface InjectionActionsProps {
  readonly label: string
  readonly request: Request
  /** How often to inject, as typed. */
  readonly times: string
  readonly setTimes: (times: string) => void
  readonly run: Run | null
  readonly cancel: () => void
}

function InjectionActions({ label, request, times, setTimes, run, cancel }: InjectionActionsProps) {
  const access = useApiAccess()
  const isRunning = run?.state === 'running'
  const isValid = isValidCount(times)
  return (
    <Actions className={styles.actions}>
      <Button type="submit" primary className={styles.inject} aria-disabled={isRunning || undefined}>
        <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
        {label}
        {isValid && Number(times) > 1 ? ` ${Number(times)} times` : ''}
      </Button>
      <label className={styles.times}>
        <TextInput
          className={styles.number}
          numeric
          inputMode="numeric"
          value={times}
          aria-label={`How many times, at most ${MAX_TIMES}`}
          invalid={!isValid}
          onChange={(event) => setTimes(event.target.value)}
        />
        {isValid ? 'times' : <b className="bad">1 to {MAX_TIMES}</b>}
      </label>
      {isRunning && run.of > 1 ? (
        <Progress run={run} cancel={cancel} />
      ) : (
        <span className="end">
          <CopyButton
            text={() => formatCurl(access, toSentRequest(request))}
            what="request as curl"
            label="Copy as curl"
          />
        </span>
      )}
    </Actions>
  )
}

function Introduction({ injection }: { injection: Injection }) {
  const { method, path } = endpoints[injection.endpoint]
  // The codes themselves are in a list of the form.
  const outcome = injection.codes ? injection.outcome?.replace(/[;:].*/, '') : injection.outcome
  return (
    <PaneIntro as="header">
      <h2>{injection.title}</h2>
      <p className="data soft">
        {injection.description}
        {outcome && <span className="wrap">. Result: {outcome}.</span>}{' '}
        <ScreenLink screen="reference" record={injection.endpoint} className="nowrap">
          {method} {path}
        </ScreenLink>
      </p>
    </PaneIntro>
  )
}

/** What the world lacks for this injection. */
function MissingRecords({ injection, examples }: { injection: Injection; examples: Examples }) {
  const missing = findMissing(injection.body(), examples)
  if (missing === null) return null
  return (
    <NoticeLine isWarning>
      <b>Records are missing.</b> {missing.text}
      {missing.isAccount && (
        <>
          {' '}
          The scenario{' '}
          <ScreenLink screen="scenarios" record="a-funded-customer">
            A funded Customer
          </ScreenLink>{' '}
          creates one when you run it in the current world.
        </>
      )}
    </NoticeLine>
  )
}

const Progress = ({ run, cancel }: { run: Run; cancel: () => void }) => (
  <span className="row end">
    <Meter value={run.done} max={run.of} label="Injected" />
    <span className="meta nowrap">
      {run.done} of {run.of}
    </span>
    <Button onClick={cancel}>Cancel</Button>
  </span>
)

interface CodeSelectProps {
  readonly id: string
  readonly codes: NonNullable<Injection['codes']>
  readonly body: JsonObject
  readonly onChange: (body: JsonObject) => void
}

/** Selects a network code by setting the last digits of the account number, which force it. */
function CodeSelect({ id, codes, body, onChange }: CodeSelectProps) {
  const { account_number } = body
  const selected = codes.find(({ ending }) => String(account_number).endsWith(ending))
  return (
    <FormRow
      label={<label htmlFor={id}>Network code</label>}
      note={<FieldNote>Sets the last digits of account_number, which force the code.</FieldNote>}
    >
      <Select
        id={id}
        className={fieldClass}
        value={selected?.code ?? ''}
        onChange={({ target }) => {
          const chosen = codes.find(({ code }) => code === target.value)
          if (chosen) onChange({ ...body, account_number: withEnding(account_number, chosen.ending) })
        }}
      >
        {!selected && <option value="">none: account_number forces no code</option>}
        {codes.map(({ code, reason }) => (
          <option key={code} value={code}>
            {code} {reason}
          </option>
        ))}
      </Select>
    </FormRow>
  )
}
