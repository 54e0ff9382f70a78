import { useEffect, useRef, useState } from 'react'
import type { ScenarioInfo, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import type { Check, RequestResult, StepResult } from '../../../api/contract/scenario-results.ts'
import { Messages } from '../../components/Messages.tsx'
import { useFeed } from '../../data/feed.ts'
import { formatDateTime, formatInstant, formatMilliseconds, plural } from '../../format/text.ts'
import { Button, PlainButton } from '../../ui/Button.tsx'
import { Caption, Row } from '../../ui/Layout.tsx'
import { NoticeLine, Skeleton } from '../../ui/Notice.tsx'
import { isInView, scrollToTop } from '../../ui/scroll.ts'
import { Table } from '../../ui/Table.tsx'
import { GlyphText, Property, PropertyList, Text } from '../../ui/Text.tsx'
import {
  canReplaceRun,
  glyphOfStep,
  type RunTarget,
  runScenario,
  type StepState,
  signalOfStep,
  stateOfStep,
  useRunner,
} from './runner.ts'
import styles from './Steps.module.css'

interface StepsProps {
  readonly info: ScenarioInfo
  readonly run: ScenarioRun | undefined
  /** This example has not run: `run` has its steps, but the results of another example. */
  readonly isNew: boolean
  readonly target: RunTarget
  readonly openLine: (line: number) => void
}

/** The steps in order. The list is one tab stop, followed by the buttons of the current step. */
export function Steps({ info, run, isNew, target, openLine }: StepsProps) {
  const [open, setOpen] = useState<number | null>(null)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const failed = run && !isNew && run.state === 'failed' ? run.result.steps.findIndex(({ ok }) => !ok) : -1

  // A failed step is opened and scrolled into view, once: the user may close it again.
  const toReveal = useRef(-1)
  useEffect(() => {
    if (failed < 0) return
    toReveal.current = failed
    setOpen(failed)
    setAt(failed)
  }, [failed])
  useEffect(() => {
    if (open === null || open !== toReveal.current) return
    toReveal.current = -1
    const step = list.current?.querySelector(`[data-step="${open}"]`)
    if (!isInView(step?.querySelector('table, [data-notice]'))) scrollToTop(step)
  }, [open])

  const running = run && !isNew && run.state === 'running' ? run.at : -1
  useEffect(() => {
    if (running > 0) list.current?.querySelector(`[data-step="${running}"]`)?.scrollIntoView?.({ block: 'nearest' })
  }, [running])

  if (!run) return <NotLoaded steps={info.steps} />
  const last = run.steps.length - 1
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-face]')) return
    if (event.key === 'Escape' && open !== null) {
      event.preventDefault()
      return setOpen(null)
    }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(last, to))
    setAt(next)
    list.current?.querySelector<HTMLElement>(`[data-step="${next}"] [data-face]`)?.focus()
  }
  return (
    <ol className={styles.steps} ref={list} aria-label="Steps" onKeyDown={onKeyDown}>
      {run.steps.map((step, index) => (
        <StepLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no id, only its number.
          key={index}
          index={index}
          step={step}
          isFromSetup={step.scenario !== run.title}
          isFirstOfScenario={
            step.scenario !== run.steps[index - 1]?.scenario &&
            run.steps.some(({ scenario }) => scenario !== step.scenario)
          }
          state={isNew ? 'not run' : stateOfStep(run, index)}
          result={isNew ? undefined : run.result.steps[index]}
          isOpen={open === index}
          isCurrent={at === index}
          toggle={() => {
            setAt(index)
            setOpen(open === index ? null : index)
          }}
          runTo={() => void runScenario('run', target, index)}
          openLine={openLine}
        />
      ))}
    </ol>
  )
}

function NotLoaded({ steps }: { steps: number }) {
  const other = useFeed((feed) => (canReplaceRun(feed.run) ? null : feed.run))
  if (!other) return <Skeleton rows={Math.min(12, Math.max(1, steps))} />
  return (
    <Caption as="p" className="data soft">
      <span>
        {plural(steps, 'step')}. They are listed when “<Text>{other.title}</Text>”, which is {other.state}, has ended.
        Run and Step replace it.
      </span>
    </Caption>
  )
}

interface StepLineProps {
  readonly index: number
  readonly step: ScenarioRun['steps'][number]
  /** The step is of the scenario named in `given`. */
  readonly isFromSetup: boolean
  readonly isFirstOfScenario: boolean
  readonly state: StepState
  readonly result: ScenarioRun['result']['steps'][number] | undefined
  readonly isOpen: boolean
  readonly isCurrent: boolean
  readonly toggle: () => void
  readonly runTo: () => void
  readonly openLine: (line: number) => void
}

function StepLine(props: StepLineProps) {
  const { index, step, isFromSetup, isFirstOfScenario, state, result, isOpen, isCurrent, toggle, runTo, openLine } =
    props
  const isBusy = useRunner(({ pending }) => pending !== null)
  const tab = isCurrent ? 0 : -1
  return (
    <li
      data-step={index}
      data-state={state}
      aria-current={state === 'next' || state === 'running' ? 'step' : undefined}
    >
      {isFirstOfScenario && (
        <Row as="p" pad="4 16" text="head" tone="soft" fill="well" line="bottom">
          <span>
            {isFromSetup && 'Given: '}
            <Text>{step.scenario}</Text>
          </span>
        </Row>
      )}
      <div className={styles.step}>
        <PlainButton data-face className={styles.summary} tabIndex={tab} aria-expanded={isOpen} onClick={toggle}>
          <span className={styles.number}>{index + 1}</span>
          <GlyphText
            glyph={glyphOfStep[state]}
            className={state === 'running' ? 'live' : undefined}
            signal={signalOfStep(state)}
          >
            {state}
          </GlyphText>
          <span className={styles.kind}>{step.kind}</span>
          <span className="cut" title={result?.title ?? step.title}>
            <Text>{result?.title ?? step.title}</Text>
          </span>
          <span className={styles.duration}>{result ? `${formatMilliseconds(result.ms)} ms` : ''}</span>
          <span
            className={styles.time}
            title={result ? `${formatInstant(Date.parse(result.to))}, simulated` : undefined}
          >
            {result ? formatDateTime(Date.parse(result.to)) : ''}
          </span>
        </PlainButton>
        {isFromSetup ? (
          <span className={styles.line} title={`Line ${step.line} of ${step.scenario}`}>
            line {step.line}
          </span>
        ) : (
          <PlainButton
            className={styles.line}
            tabIndex={tab}
            aria-label={`Step ${index + 1}: show line ${step.line} of the text`}
            onClick={() => openLine(step.line)}
          >
            line {step.line}
          </PlainButton>
        )}
        <Button
          className={styles.runTo}
          small
          tabIndex={tab}
          aria-disabled={isBusy}
          title="Runs and pauses before this step"
          onClick={() => !isBusy && runTo()}
        >
          Run to here<span className="unseen">before step {index + 1}</span>
        </Button>
      </div>
      {isOpen && <StepDetail result={result} state={state} />}
    </li>
  )
}

const noResult: Readonly<Record<StepState, string>> = {
  'not run': 'Not run yet.',
  next: 'Runs next.',
  running: 'Running.',
  passed: '',
  failed: '',
  skipped: 'Skipped: an earlier step failed.',
}

const END = { borderBottom: '1px solid var(--line-strong)' }

/** The result of a step: its expectations with expected and actual values, its request and its response. */
export function StepDetail({ result, state }: { result: StepResult | undefined; state: StepState }) {
  if (!result)
    return (
      <Caption as="p" className="data soft" style={END}>
        {noResult[state]}
      </Caption>
    )
  const { trouble, checks, sent, answer, requests = [], captured, from, to } = result
  const names = Object.entries(captured)
  return (
    <div style={{ ...END, '--caption': '28px' }} data-step-detail>
      {trouble !== null && (
        <NoticeLine>
          <b>{checks.some(({ ok }) => !ok) ? 'An expectation failed.' : 'The step could not be executed.'}</b>{' '}
          <Text>{trouble}</Text>
        </NoticeLine>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      {(sent || answer) && <Exchange sent={sent} answer={answer} />}
      {requests.map((request, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a request has no id, only its position.
        <RequestDetail key={at} request={request} />
      ))}
      {(names.length > 0 || from !== to) && (
        <PropertyList style={{ padding: '0 16px 8px', '--name': '128px' }}>
          {names.map(([name, value]) => (
            <Property key={name} name={`$${name}`}>
              <Text className="mono">{asText(value)}</Text>
            </Property>
          ))}
          {from !== to && (
            <Property name="simulated time">
              {formatInstant(Date.parse(from))} to {formatInstant(Date.parse(to))}
            </Property>
          )}
        </PropertyList>
      )}
    </div>
  )
}

/** One of the requests that were sent at once. */
function RequestDetail({ request: { title, ok, trouble, checks, sent, answer } }: { request: RequestResult }) {
  return (
    <section aria-label={title}>
      <Caption>
        <GlyphText glyph={ok ? 'done' : 'broken'} signal={ok ? undefined : 'bad'}>
          {ok ? 'passed' : 'failed'}
        </GlyphText>
        <span className="mono cut" title={title}>
          <Text>{title}</Text>
        </span>
      </Caption>
      {trouble !== null && (
        <NoticeLine>
          <b>The request could not be sent.</b> <Text>{trouble}</Text>
        </NoticeLine>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      <Exchange sent={sent} answer={answer} />
    </section>
  )
}

const Exchange = ({ sent, answer }: Pick<StepResult, 'sent' | 'answer'>) => (
  <Messages
    messages={[
      { title: 'Request', head: sent ? `${sent.method} ${sent.path}` : undefined, body: sent?.body, none: 'No body.' },
      {
        title: 'Response',
        head: answer ? (answer.status === 0 ? 'connection dropped' : String(answer.status)) : undefined,
        body: answer?.body,
        none: 'No body.',
      },
    ]}
  />
)

const HEADS = [{ label: 'Expectation', width: '34%' }, { label: 'Expected' }, { label: 'Actual' }]

function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <Table headers={HEADS} style={{ '--cell': '5px 8px 4px' }}>
      {checks.map(({ what, expected, actual, ok, place }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expectation has no id, only its position.
        <tr key={at} data-unmet={ok ? undefined : ''}>
          <th scope="row" title={`line ${place.line}`}>
            <GlyphText glyph={ok ? 'done' : 'broken'} signal={ok ? undefined : 'bad'}>
              <span className="unseen">{ok ? 'met: ' : 'not met: '}</span>
            </GlyphText>{' '}
            <Text>{what}</Text>
          </th>
          <td>
            <pre>{asText(expected)}</pre>
          </td>
          <td>{actual === undefined ? <span className="faint">absent</span> : <pre>{asText(actual)}</pre>}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Keeps the quotes: `"10.00"` and `10.00` differ. */
const asText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'absent'
