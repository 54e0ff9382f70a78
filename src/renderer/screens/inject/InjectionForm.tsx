import { useEffect, useId, useRef, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import type { Endpoint, Schema } from '../../../api/contract/terms/endpoint.ts'
import { type RequestStart, useRequestForm } from '../../components/request/use-request-form.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { SendResult } from '../../components/SendResult.tsx'
import { isRefused } from '../../data/feed.ts'
import { useApiAccess } from '../../data/use-program.ts'
import { formatCurl } from '../../format/request.ts'
import { formatCount, plural } from '../../format/text.ts'
import { type Body, parseBody } from '../../forms/BodyText.tsx'
import { FieldNote, FormRow, fieldClass } from '../../forms/FormRow.tsx'
import { bodyAfter, bodyOf, type Injection, withEnding } from '../../forms/injections.ts'
import { findCreatedRecord, type Request, sendingOf, sendRequest, toSentRequest } from '../../forms/send.ts'
import { type Examples, readExamples } from '../../forms/use-examples.ts'
import { formatJson, type JsonObject } from '../../forms/values.ts'
import { WhatFollows } from '../../forms/WhatFollows.tsx'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Actions } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { InjectPane, Result } from './InjectPane.tsx'
import { addRecentInjection, RecentInjections } from './RecentInjections.tsx'

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
  const pane = useRef<HTMLElement>(null)
  const [times, setTimes] = useState('1')
  const { run, send, cancel, sentBody } = useInjection(injection, program_uid, Number(times))
  const draft = useRequestForm(injection.endpoint, program_uid, initial, {
    body: initialBody,
    createBody: (of) => bodyOf(injection, of),
    send,
  })
  const { request, examples, needsConfirmation, isSending, exchange, failure } = draft
  const body = draft.body!
  useNextBody(injection, program_uid, examples, body, exchange, sentBody)
  const label = needsConfirmation ? 'Send anyway' : exchange && !isSending ? 'Inject again' : 'Inject'
  const submit = () => {
    if (!isValidCount(times)) return
    void draft.submit()
    if (needsConfirmation) return
    requestAnimationFrame(() => pane.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  // The codes themselves are in a list of the form.
  const outcome = injection.codes ? injection.outcome?.replace(/[;:].*/, '') : injection.outcome
  const created = exchange && findCreatedRecord(exchange)
  const { next } = injection
  const sentValue = () => {
    const sent = parseBody(sentBody.current)
    return 'value' in sent ? sent.value : {}
  }
  return (
    <InjectPane
      ref={pane}
      title={injection.title}
      about={
        <>
          {injection.description}
          {outcome && <span className="wrap">. Result: {outcome}.</span>}{' '}
          <ScreenLink screen="reference" record={injection.endpoint} className="nowrap">
            {method} {path}
          </ScreenLink>
        </>
      }
      wanted={injection.body()}
      schema={schema}
      body={body}
      examples={examples}
      submit={submit}
      calls={() => sendingOf(program_uid, request)}
      problems={body.problems}
      bodyTitle="Body"
      leads={injection.leads}
      notice={<WhatFollows program_uid={program_uid} endpoint={injection.endpoint} body={body.value} />}
      extraField={injection.codes && <CodeSelect codes={injection.codes} body={body.value} onChange={body.setValue} />}
      warning={
        needsConfirmation && (
          <NoticeLine role="alert">
            <b>
              {body.error === null
                ? `${plural(body.invalid.size, 'field')} ${body.invalid.size === 1 ? 'is' : 'are'} invalid.`
                : 'The body is not a JSON object.'}
            </b>{' '}
            Fix the body, or send it anyway to see the refusal.
          </NoticeLine>
        )
      }
      submitLabel={isValidCount(times) && Number(times) > 1 ? `${label} ${Number(times)} times` : label}
      isOff={isSending}
      controls={<InjectionControls request={request} times={times} setTimes={setTimes} run={run} cancel={cancel} />}
    >
      <Result
        note={
          run &&
          run.of > 1 &&
          run.state !== 'running' && (
            <span className="meta">
              {formatCount(run.done)} injected{run.refused > 0 ? `, ${formatCount(run.refused)} of them refused` : ''}
              {run.state === 'canceled' ? `, ${formatCount(run.of - run.done)} not sent` : ''}; last response:
            </span>
          )
        }
        none={!exchange && failure === undefined && 'No result yet. Ctrl+Enter injects from any field.'}
      >
        {failure !== undefined && <Notice title="The request could not be sent." error={failure} />}
        {exchange && <SendResult exchange={exchange} />}
        {next && created && (
          <Actions as="p">
            <Button onClick={() => onNext(next.kind, bodyAfter(injection, { ...sentValue(), ...created }, examples))}>
              Next: {next.label}
            </Button>
          </Actions>
        )}
      </Result>
      <RecentInjections />
    </InjectPane>
  )
}

/** After an injection that used up a record or a name, the form has the next one, so that it can be sent again. */
function useNextBody(
  injection: Injection,
  program_uid: string,
  { customer }: Examples,
  body: Body,
  exchange: ExchangeDetail | undefined,
  sentBody: React.RefObject<string>,
) {
  const { spends, renew } = injection
  const latest = useRef(body)
  latest.current = body
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer uses up a record.
  useEffect(() => {
    if (!exchange || isRefused(exchange)) return
    const sent = parseBody(sentBody.current)
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
  }, [exchange])
}

const MAX_TIMES = 100

function isValidCount(text: string): boolean {
  const count = Number(text)
  return Number.isInteger(count) && count >= 1 && count <= MAX_TIMES
}

interface InjectionControlsProps {
  readonly request: Request
  /** How often to inject, as typed. */
  readonly times: string
  readonly setTimes: (times: string) => void
  readonly run: Run | null
  readonly cancel: () => void
}

function InjectionControls({ request, times, setTimes, run, cancel }: InjectionControlsProps) {
  const access = useApiAccess()
  const isValid = isValidCount(times)
  return (
    <>
      <label className="row data soft" style={{ gap: 6 }}>
        <TextInput
          style={{ width: 48 }}
          numeric
          inputMode="numeric"
          value={times}
          aria-label={`How many times, at most ${MAX_TIMES}`}
          invalid={!isValid}
          onChange={(event) => setTimes(event.target.value)}
        />
        {isValid ? 'times' : <b className="bad">1 to {MAX_TIMES}</b>}
      </label>
      {run?.state === 'running' && run.of > 1 ? (
        <span className="row end">
          <Meter value={run.done} max={run.of} label="Injected" />
          <span className="meta nowrap">
            {run.done} of {run.of}
          </span>
          <Button onClick={cancel}>Cancel</Button>
        </span>
      ) : (
        <span className="end">
          <CopyButton
            text={() => formatCurl(access, toSentRequest(request))}
            what="request as curl"
            label="Copy as curl"
          />
        </span>
      )}
    </>
  )
}

interface CodeSelectProps {
  readonly codes: NonNullable<Injection['codes']>
  readonly body: JsonObject
  readonly onChange: (body: JsonObject) => void
}

/** Selects a network code by setting the last digits of the account number, which force it. */
function CodeSelect({ codes, body, onChange }: CodeSelectProps) {
  const id = useId()
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
        onChange={(to) => {
          const chosen = codes.find(({ code }) => code === to)
          if (chosen) onChange({ ...body, account_number: withEnding(account_number, chosen.ending) })
        }}
        options={[
          ...(selected ? [] : [['', 'none of these: account_number has another end'] as const]),
          ...codes.map(({ code, reason }) => [code, `${code} ${reason}`] as const),
        ]}
      />
    </FormRow>
  )
}

interface Run {
  readonly done: number
  readonly of: number
  readonly refused: number
  readonly state: 'running' | 'done' | 'canceled'
}

/**
 * Sends a request once or several times in a row, each time with the renewed body if the injection has one. Canceling it or
 * leaving the screen stops it.
 */
function useInjection({ title, renew }: Injection, program_uid: string, times: number) {
  const [run, setRun] = useState<Run | null>(null)
  const isCanceled = useRef(false)
  /** The body that was sent last: the log redacts parts of it. */
  const sentBody = useRef('')
  const cancel = () => {
    isCanceled.current = true
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the screen is left.
  useEffect(() => cancel, [])
  const send: RequestStart['send'] = async (request, show) => {
    isCanceled.current = false
    let { body } = request
    let next: Run = { done: 0, of: times, refused: 0, state: 'running' }
    setRun(next)
    try {
      while (next.state === 'running') {
        sentBody.current = body
        const exchange = await sendRequest(program_uid, { ...request, body })
        addRecentInjection(title, exchange)
        show(exchange)
        const parsed = parseBody(body)
        if (renew && !isRefused(exchange) && 'value' in parsed) body = formatJson(renew(parsed.value))
        const done = next.done + 1
        next = {
          done,
          of: times,
          refused: next.refused + (isRefused(exchange) ? 1 : 0),
          state: done === times ? 'done' : isCanceled.current ? 'canceled' : 'running',
        }
        setRun(next)
      }
    } catch (error) {
      setRun(null)
      throw error
    }
  }
  return { run, send, cancel, sentBody }
}
