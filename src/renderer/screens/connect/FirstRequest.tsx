import { useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useRealSeconds } from '../../data/use-now.ts'
import { formatStopwatch, newYork } from '../../format/time.ts'
import { Glyph, type GlyphName } from '../../ui/Glyph.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './FirstRequest.module.css'
import { findSteps, type Step } from './steps.ts'

const glyphs: Readonly<Record<Step['state'], GlyphName>> = {
  upcoming: 'not-begun',
  current: 'under-way',
  done: 'done',
  refused: 'broken',
}
const tones: Readonly<Record<Step['state'], string>> = { upcoming: 'faint', current: 'live', done: '', refused: 'bad' }

export function FirstRequest({ exchanges, port }: { exchanges: readonly Exchange[]; port: string }) {
  const steps = findSteps(exchanges)
  return (
    <>
      <Caption style={{ borderTop: '1px solid var(--line)' }}>
        <h2>The first request</h2>
        {exchanges.length === 0 ? <Listening /> : <Caller exchange={exchanges.at(-1)!} />}
      </Caption>
      <ol className={styles.steps}>
        <StepLine step={steps.reach} labels={['Reach the address', 'Reached the address']}>
          {steps.reach.state === 'done' ? (
            <RequestSummary exchange={steps.reach.exchange!} />
          ) : (
            `Waiting. Nothing has called port ${port} yet.`
          )}
        </StepLine>
        <StepLine step={steps.signIn} labels={['Sign in', 'Signed in']}>
          {steps.signIn.state === 'done' ? (
            <RequestSummary exchange={steps.signIn.exchange!} />
          ) : (
            <>
              <code>POST /auth</code> returns 201 with an access token
            </>
          )}
        </StepLine>
        <StepLine step={steps.call} labels={['Call with the token', 'Called with the token']}>
          {steps.call.state === 'done' ? (
            <RequestSummary exchange={steps.call.exchange!} />
          ) : (
            <>
              any endpoint, with a new <code>x-trace-id</code> each time
            </>
          )}
        </StepLine>
      </ol>
    </>
  )
}

/** Real time: it shows how long the user has been waiting. */
function Listening() {
  const now = useRealSeconds()
  const [start] = useState(now)
  return <span className="meta end">listening for {formatStopwatch((now - start) * 1000)}</span>
}

function Caller({ exchange }: { exchange: Exchange }) {
  return (
    <span className="meta end cut" title={exchange.caller}>
      from <Text>{exchange.caller}</Text>
    </span>
  )
}

function StepLine({
  step,
  labels: [todoLabel, doneLabel],
  children,
}: {
  step: Step
  labels: readonly [string, string]
  children: React.ReactNode
}) {
  const { state, exchange } = step
  return (
    <li data-state={state}>
      <span className={`row ${tones[state]}`}>
        <Glyph name={glyphs[state]} />
      </span>
      {state === 'upcoming' ? (
        <span className="soft">{todoLabel}</span>
      ) : (
        <b>{state === 'done' ? doneLabel : todoLabel}</b>
      )}
      <span className={`cut ${state === 'upcoming' ? 'faint' : 'soft'}`}>
        {state === 'refused' ? <Refused exchange={exchange!} /> : children}
      </span>
    </li>
  )
}

/** In a narrow window the path is truncated, never the status. */
function RequestSummary({ exchange: { at, method, path, status } }: { exchange: Exchange }) {
  return (
    <span className={styles.exchange} title={`${at} ${method} ${path}`}>
      {newYork(Date.parse(at)).time}
      <code className="cut">
        {method} <Text>{path}</Text>
      </code>
      returned {status}
    </span>
  )
}

function Refused({ exchange: { status, code, did, uid } }: { exchange: Exchange }) {
  return (
    <span className={styles.exchange}>
      <span className="bad">
        {status}
        {code === null ? '' : `, code ${code}`}
      </span>
      <span className="cut" title={did}>
        <Text>{did}</Text>
      </span>
      <ScreenLink screen="requests" record={uid}>
        See why
      </ScreenLink>
    </span>
  )
}
