import { useEffect, useRef, useState } from 'react'
import type { ScenarioInfo, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { useFeed } from '../../data/feed.ts'
import { formatMilliseconds, plural } from '../../format/numbers.ts'
import { formatDateTime, formatInstant } from '../../format/time.ts'
import { Row } from '../../ui/Box.tsx'
import { Button, PlainButton } from '../../ui/Button.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { isInView, scrollToTop } from '../../ui/scroll.ts'
import { Text } from '../../ui/Text.tsx'
import { canReplaceRun, type RunTarget, runScenario, useRunner } from './runner.ts'
import { StepDetail } from './StepDetail.tsx'
import styles from './Steps.module.css'
import { glyphOfStep, type StepState, signalOfStep, stateOfStep } from './step-state.ts'

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
