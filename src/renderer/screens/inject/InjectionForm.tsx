import { Zap } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { endpoints } from '../../../api/contract/endpoints.ts'
import type { Schema } from '../../../api/contract/terms/endpoint.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useFeed } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import { formatCurl } from '../../format/request.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import { FieldNote, FormRow, fieldClass } from '../../forms/FormRow.tsx'
import { type FieldErrors, findFieldErrors, findRefusedFields } from '../../forms/field-errors.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { exampleValuesFrom, type SampleRecords } from '../../forms/sample-records.ts'
import { toSentRequest } from '../../forms/send.ts'
import { flattenShape, shapeOf } from '../../forms/shape.ts'
import { useBody } from '../../forms/use-body.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Actions, Caption, Pane, PaneIntro } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import styles from './InjectionForm.module.css'
import { InjectionResult } from './InjectionResult.tsx'
import { type Kind, noAccount } from './injections.ts'
import { RecentInjections } from './RecentInjections.tsx'
import { type Run, useInjection } from './use-injection.ts'

interface InjectionProps {
  readonly kind: Kind
  readonly facts: SampleRecords
  readonly program_uid: string
  readonly begin: JsonObject
  readonly follow: (kind: string, body: JsonObject) => void
}

const MAX_TIMES = 100

/** One kind of injection: its form, the body beside it, and the result. */
export function InjectionForm({ kind, facts, program_uid, begin, follow }: InjectionProps) {
  const endpoint = endpoints[kind.endpoint]
  const { body: schema } = endpoint as { readonly body: Schema }
  const shape = shapeOf(schema)
  const body = useBody(begin)
  const api = useFeed((feed) => feed.world?.api ?? '')
  const filling = useMemo(() => exampleValuesFrom(facts), [facts])
  const id = useId()
  const pane = useRef<HTMLElement>(null)
  const [times, setTimes] = useState('1')
  const n = Number(times)
  const areTimesWrong = !Number.isInteger(n) || n < 1 || n > MAX_TIMES
  /** The body that did not fit and was to be sent: once more, and it is. */
  const [doubted, setDoubted] = useState<string | null>(null)
  const { answer, run, failure, inject, cancel } = useInjection(kind, program_uid)
  const running = run?.state === 'running'
  const { unfit, problems } = useProblems(schema, body, answer)
  const isDoubtful = unfit.size > 0 || body.error !== null
  const asksAgain = isDoubtful && doubted === body.text
  const request = { method: endpoint.method, path: endpoint.path as string, body: body.text }

  const submit = () => {
    if (running || areTimesWrong) return
    if (!isDoubtful || asksAgain) return void inject(request, n)
    setDoubted(body.text)
    requestAnimationFrame(() => pane.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <Pane className={styles.injection} aria-label="Injection" ref={pane}>
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
        <Introduction kind={kind} />
        <Lacking kind={kind} facts={facts} />
        <div className={styles.fields}>
          {kind.codes && <CodeChoice id={`${id}code`} codes={kind.codes} body={body.value} set={body.setValue} />}
          <SchemaForm
            id={id}
            shape={shape}
            value={body.value}
            onChange={body.setValue}
            problems={problems}
            filling={filling}
            {...(kind.leads ? { leads: kind.leads } : {})}
          />
        </div>
        {asksAgain && (
          <NoticeLine role="alert">
            <b>
              {body.error
                ? 'The body is not JSON.'
                : `${plural(unfit.size, 'field')} ${unfit.size === 1 ? 'does' : 'do'} not fit the contract.`}
            </b>{' '}
            Mend it, or send it as it is and see how it is refused.
          </NoticeLine>
        )}
        <Actions className={styles.actions}>
          <Button type="submit" primary className={styles.inject} aria-disabled={running || undefined}>
            <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
            {asksAgain ? 'Send it all the same' : answer && !running ? 'Inject again' : 'Inject'}
            {!areTimesWrong && n > 1 ? ` ${n} times` : ''}
          </Button>
          <label className={styles.times}>
            <TextInput
              className={styles.number}
              numeric
              inputMode="numeric"
              value={times}
              aria-label={`How many times, at most ${MAX_TIMES}`}
              invalid={areTimesWrong}
              onChange={(event) => setTimes(event.target.value)}
            />
            {areTimesWrong ? <b className="bad">1 to {MAX_TIMES}</b> : 'times'}
          </label>
          {running && run.of > 1 ? (
            <Progress run={run} cancel={cancel} />
          ) : (
            <span className="end">
              <CopyButton
                text={() => formatCurl(api, toSentRequest(request))}
                what="request as curl"
                label="Copy as curl"
              />
            </span>
          )}
        </Actions>
      </form>
      <div className={styles.side}>
        <Caption className={styles.caption}>
          <h2>Body</h2>
          <span className="meta">follows the form, and the form follows it</span>
        </Caption>
        <BodyText body={body} problems={problems} onSend={submit} />
        <InjectionResult
          kind={kind}
          exchange={answer?.exchange}
          run={run}
          failure={failure}
          onNext={(next, made) => follow(next.kind, next.body(made, facts))}
        />
        <RecentInjections />
      </div>
    </Pane>
  )
}

/** What does not fit by the contract, and what the last answer refused of this very body. */
function useProblems(
  schema: Schema,
  body: ReturnType<typeof useBody>,
  answer: ReturnType<typeof useInjection>['answer'],
): { readonly unfit: FieldErrors; readonly problems: FieldErrors } {
  const unfit = useMemo(() => findFieldErrors(schema, body.value), [schema, body.value])
  const paths = useMemo(() => flattenShape(shapeOf(schema)).map(({ path }) => path), [schema])
  const refusal = answer?.body === body.text ? answer.exchange.refusal : null
  const problems = useMemo(
    () => new Map([...(refusal ? findRefusedFields(refusal.extra, refusal.code, paths) : []), ...unfit]),
    [refusal, paths, unfit],
  )
  return { unfit, problems }
}

function Introduction({ kind }: { kind: Kind }) {
  const { method, path } = endpoints[kind.endpoint]
  return (
    <PaneIntro as="header">
      <h2>{kind.title}</h2>
      <p className="data soft">
        {kind.says}
        {kind.outcome && <span className="wrap">. Then: {kind.outcome}.</span>}{' '}
        <ScreenLink screen="reference" record={kind.endpoint} className="nowrap">
          {method} {path}
        </ScreenLink>
      </p>
    </PaneIntro>
  )
}

/** What the world has to hold before this can be injected. */
function Lacking({ kind, facts }: { kind: Kind; facts: SampleRecords }) {
  const lacks = kind.lacks?.(facts) ?? null
  if (lacks === null) return null
  return (
    <NoticeLine waits>
      <b>Something is missing for it.</b> {lacks}
      {lacks === noAccount(facts) && (
        <>
          {' '}
          The scenario{' '}
          <ScreenLink screen="scenarios" record="a-funded-customer">
            A funded Customer
          </ScreenLink>{' '}
          makes one, run in this world.
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

interface CodeChoiceProps {
  readonly id: string
  readonly codes: NonNullable<Kind['codes']>
  readonly body: JsonObject
  readonly set: (body: JsonObject) => void
}

/** A code of a network, by the value that forces it. */
function CodeChoice({ id, codes: { field, list }, body, set }: CodeChoiceProps) {
  const now = list.find(({ value }) => value === body[field])
  return (
    <FormRow
      label={<label htmlFor={id}>Code of the network</label>}
      note={<FieldNote>Sets {field}: its last digits ask for the code.</FieldNote>}
    >
      <Select
        id={id}
        className={fieldClass}
        value={now?.code ?? ''}
        onChange={({ target }) => {
          const to = list.find(({ code }) => code === target.value)
          if (to) set({ ...body, [field]: to.value })
        }}
      >
        {!now && <option value="">none: {field} asks for none</option>}
        {list.map(({ code, says }) => (
          <option key={code} value={code}>
            {code} {says}
          </option>
        ))}
      </Select>
    </FormRow>
  )
}
