import { Zap } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import type { Schema } from '../../../api/contract/terms/endpoint.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { SendResult } from '../../components/SendResult.tsx'
import { isRefused, useFeed } from '../../data/feed.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatCurl } from '../../format/request.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import { type Facts, fillingOf } from '../../forms/facts.ts'
import { type Problems, problemsOf, refusedFields } from '../../forms/problems.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { madeBy, send, unsent } from '../../forms/send.ts'
import { rowsOf, shapeOf } from '../../forms/shape.ts'
import { useBody } from '../../forms/use-body.ts'
import type { Tree } from '../../forms/values.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { type Kind, noAccount } from './injections.ts'
import { RecentInjections } from './RecentInjections.tsx'
import { remember } from './session.ts'

interface InjectionProps {
  readonly kind: Kind
  readonly facts: Facts
  readonly program_uid: string
  readonly begin: Tree
  readonly follow: (kind: string, body: Tree) => void
}

interface Run {
  readonly done: number
  readonly of: number
  readonly refused: number
  readonly state: 'running' | 'done' | 'canceled'
}

const MOST = 100

/** One kind of happening: its form, the body beside it, and what came of it. */
export function InjectionForm({ kind, facts, program_uid, begin, follow }: InjectionProps) {
  const endpoint = endpoints[kind.endpoint]
  const schema: Schema | undefined = 'body' in endpoint ? endpoint.body : undefined
  const shape = shapeOf(schema!)
  const paths = useMemo(() => rowsOf(shape).map(({ path }) => path), [shape])
  const filling = useMemo(() => fillingOf(facts), [facts])
  const body = useBody(begin)
  const api = useFeed((feed) => feed.world?.api ?? '')
  const id = useId()
  const pane = useRef<HTMLElement>(null)
  const [times, setTimes] = useState('1')
  const [insists, setInsists] = useState<string | null>(null)
  const [answer, setAnswer] = useState<{ exchange: ExchangeDetail; text: string } | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const canceled = useRef(false)
  useEffect(() => {
    canceled.current = false
    return () => {
      canceled.current = true
    }
  }, [])

  const unfit = useMemo(() => problemsOf(schema!, body.value), [schema, body.value])
  const refusal = answer?.text === body.text ? answer.exchange.refusal : null
  const problems: Problems = useMemo(
    () => new Map([...(refusal ? refusedFields(refusal.extra, refusal.code, paths) : []), ...unfit]),
    [refusal, paths, unfit],
  )
  const n = Number(times)
  const nIsWrong = !Number.isInteger(n) || n < 1 || n > MOST
  const running = run?.state === 'running'
  const doubtful = unfit.size > 0 || body.trouble !== null
  const request = { method: endpoint.method, path: endpoint.path as string, body: body.text }

  const inject = async () => {
    if (running || nIsWrong) return
    if (doubtful && insists !== body.text) {
      setInsists(body.text)
      requestAnimationFrame(() => pane.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setFailure(undefined)
    canceled.current = false
    let refused = 0
    for (let done = 0; done < n; ) {
      setRun({ done, of: n, refused, state: 'running' })
      try {
        const exchange = await send(program_uid, request)
        remember(kind, exchange)
        if (isRefused(exchange)) refused++
        setAnswer({ exchange, text: body.text })
      } catch (error) {
        setRun(null)
        return setFailure(error)
      }
      done++
      const state = done === n ? 'done' : canceled.current ? 'canceled' : 'running'
      setRun({ done, of: n, refused, state })
      if (state !== 'running') return
    }
  }
  const asks = doubtful && insists === body.text
  const made = answer && madeBy(answer.exchange)
  const lacks = kind.lacks?.(facts) ?? null
  return (
    <section className="pane injection" aria-label="Injection" ref={pane}>
      <form
        className="what-happens"
        onSubmit={(event) => {
          event.preventDefault()
          void inject()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void inject()
        }}
      >
        <header className="about">
          <h2>{kind.title}</h2>
          <p className="data soft">
            {kind.says}
            {kind.outcome && <span className="wrap">. Then: {kind.outcome}.</span>}{' '}
            <ScreenLink screen="reference" record={kind.endpoint} className="nowrap">
              {endpoint.method} {endpoint.path}
            </ScreenLink>
          </p>
        </header>
        {lacks !== null && (
          <p className="notice" data-signal="wait">
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
          </p>
        )}
        <div className="filling">
          {kind.codes && <CodeChoice id={`${id}code`} codes={kind.codes} body={body.value} set={body.set} />}
          <SchemaForm
            id={id}
            shape={shape}
            value={body.value}
            onChange={body.set}
            problems={problems}
            filling={filling}
            {...(kind.leads ? { leads: kind.leads } : {})}
          />
        </div>
        {asks && (
          <p className="notice" role="alert">
            <b>
              {body.trouble
                ? 'The body is not JSON.'
                : `${plural(unfit.size, 'field')} ${unfit.size === 1 ? 'does' : 'do'} not fit the contract.`}
            </b>{' '}
            Mend it, or send it as it is and see how it is refused.
          </p>
        )}
        <div className="acts sticky">
          <button type="submit" className="btn" data-likeliest aria-disabled={running || undefined}>
            <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
            {asks ? 'Send it all the same' : answer && !running ? 'Inject again' : 'Inject'}
            {!nIsWrong && n > 1 ? ` ${n} times` : ''}
          </button>
          <label className="times">
            <span className="field" data-wrong={nIsWrong ? '' : undefined}>
              <input
                inputMode="numeric"
                value={times}
                aria-label={`How many times, at most ${MOST}`}
                aria-invalid={nIsWrong || undefined}
                onChange={(event) => setTimes(event.target.value)}
              />
            </span>
            {nIsWrong ? <b className="bad">1 to {MOST}</b> : 'times'}
          </label>
          {running && run.of > 1 ? (
            <span className="row end">
              <Meter value={run.done} max={run.of} label="Injected" />
              <span className="meta nowrap">
                {run.done} of {run.of}
              </span>
              <button
                type="button"
                className="btn"
                onClick={() => {
                  canceled.current = true
                }}
              >
                Cancel
              </button>
            </span>
          ) : (
            <span className="end">
              <CopyButton text={() => formatCurl(api, unsent(request))} what="request as curl" label="Copy as curl" />
            </span>
          )}
        </div>
      </form>
      <div className="beside">
        <div className="cap">
          <h2>Body</h2>
          <span className="meta">follows the form, and the form follows it</span>
        </div>
        <BodyText body={body} problems={problems} onSend={() => void inject()} />
        <section aria-label="What came of it">
          <div className="cap" role="status">
            <h2>What came of it</h2>
            {run && run.of > 1 && run.state !== 'running' && (
              <span className="meta">
                {formatCount(run.done)} injected{run.refused > 0 ? `, ${formatCount(run.refused)} of them refused` : ''}
                {run.state === 'canceled' ? `, ${formatCount(run.of - run.done)} not sent` : ''}; the last one:
              </span>
            )}
          </div>
          {failure !== undefined && <Notice title="It could not be sent." error={failure} />}
          {answer ? (
            <SendResult exchange={answer.exchange} />
          ) : (
            failure === undefined && <p className="cap data faint">Nothing yet. Ctrl and Enter send from any field.</p>
          )}
          {kind.next && made && (
            <p className="acts">
              <button
                type="button"
                className="btn"
                onClick={() => follow(kind.next!.kind, kind.next!.body(made.uid, facts))}
              >
                Next: {kind.next.label}
              </button>
            </p>
          )}
        </section>
        <RecentInjections />
      </div>
    </section>
  )
}

interface CodeChoiceProps {
  readonly id: string
  readonly codes: NonNullable<Kind['codes']>
  readonly body: Tree
  readonly set: (body: Tree) => void
}

/** A code of a network, by the value that forces it. */
function CodeChoice({ id, codes: { field, list }, body, set }: CodeChoiceProps) {
  const now = list.find(({ value }) => value === body[field])
  return (
    <div className="formrow">
      <span className="name">
        <label htmlFor={id}>Code of the network</label>
      </span>
      <span className="row">
        <span className="field">
          <select
            id={id}
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
          </select>
        </span>
      </span>
      <span className="says">Sets {field}: its last digits ask for the code.</span>
    </div>
  )
}
