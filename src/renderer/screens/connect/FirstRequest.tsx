import { useState } from 'react'
import type { Exchange } from '../../../api/contract/control.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useRealSeconds } from '../../data/use-now.ts'
import { formatStopwatch, newYork } from '../../format/time.ts'
import { Glyph, type GlyphName } from '../../ui/Glyph.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './FirstRequest.module.css'
import { type Step, stepsOf } from './steps.ts'

const shapes: Readonly<Record<Step['state'], GlyphName>> = {
  later: 'not-begun',
  now: 'under-way',
  done: 'done',
  refused: 'broken',
}
const tones: Readonly<Record<Step['state'], string>> = { later: 'faint', now: 'live', done: '', refused: 'bad' }

export function FirstRequest({ exchanges, port }: { exchanges: readonly Exchange[]; port: string }) {
  const steps = stepsOf(exchanges)
  return (
    <>
      <Caption style={{ borderTop: '1px solid var(--line)' }}>
        <h2>The first request</h2>
        {exchanges.length === 0 ? <Listening /> : <From exchange={exchanges.at(-1)!} />}
      </Caption>
      <ol className={styles.steps}>
        <StepLine step={steps.reached} words={['Reach the address', 'Reached the address']}>
          {steps.reached.state === 'done' ? (
            <When exchange={steps.reached.exchange!} />
          ) : (
            `Waiting. Nothing has called port ${port} yet.`
          )}
        </StepLine>
        <StepLine step={steps.signedIn} words={['Sign in', 'Signed in']}>
          {steps.signedIn.state === 'done' ? (
            <When exchange={steps.signedIn.exchange!} />
          ) : (
            <>
              <code>POST /auth</code> answers 201 with a token
            </>
          )}
        </StepLine>
        <StepLine step={steps.called} words={['Call with the token', 'Called with the token']}>
          {steps.called.state === 'done' ? (
            <When exchange={steps.called.exchange!} />
          ) : (
            <>
              any path, a new <code>x-trace-id</code> each time
            </>
          )}
        </StepLine>
      </ol>
    </>
  )
}

/** By the wall's clock: it is somebody who waits, not the simulated world. */
function Listening() {
  const now = useRealSeconds()
  const [since] = useState(now)
  return <span className="meta end">listening for {formatStopwatch((now - since) * 1000)}</span>
}

function From({ exchange }: { exchange: Exchange }) {
  return (
    <span className="meta end cut" title={exchange.caller}>
      from <Text>{exchange.caller}</Text>
    </span>
  )
}

function StepLine({
  step,
  words: [toDo, done],
  children,
}: {
  step: Step
  words: readonly [string, string]
  children: React.ReactNode
}) {
  const { state, exchange } = step
  return (
    <li data-state={state}>
      <span className={`row ${tones[state]}`}>
        <Glyph name={shapes[state]} />
      </span>
      {state === 'later' ? <span className="soft">{toDo}</span> : <b>{state === 'done' ? done : toDo}</b>}
      <span className={`cut ${state === 'later' ? 'faint' : 'soft'}`}>
        {state === 'refused' ? <Refused exchange={exchange!} /> : children}
      </span>
    </li>
  )
}

/** Where there is little room the path gives way, and never what was answered. */
function When({ exchange: { at, method, path, status } }: { exchange: Exchange }) {
  return (
    <span className={styles.exchange} title={`${at} ${method} ${path}`}>
      {newYork(Date.parse(at)).time}
      <code className="cut">
        {method} <Text>{path}</Text>
      </code>
      answered {status}
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
