import { useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useRealSeconds } from '../../data/use-now.ts'
import { formatStopwatch, newYork } from '../../format/time.ts'
import { Row } from '../../ui/Box.tsx'
import { Glyph, type GlyphName } from '../../ui/Glyph.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Prose } from '../../ui/Prose.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'

const glyphs: Readonly<Record<Step['state'], GlyphName>> = {
  upcoming: 'not-begun',
  current: 'under-way',
  done: 'done',
  refused: 'broken',
}
const tones: Readonly<Record<Step['state'], string>> = { upcoming: 'faint', current: 'live', done: '', refused: 'bad' }

interface StepRow {
  readonly name: keyof Steps
  readonly labels: readonly [todo: string, done: string]
  /** What is waited for. */
  readonly todo: string
}

const rowsOf = (port: string): readonly StepRow[] => [
  {
    name: 'reach',
    labels: ['Reach the address', 'Reached the address'],
    todo: `Waiting. Nothing has called port ${port} yet.`,
  },
  {
    name: 'signIn',
    labels: ['Sign in', 'Signed in'],
    todo: '`POST /auth` returns 201 with an access token',
  },
  {
    name: 'call',
    labels: ['Call with the token', 'Called with the token'],
    todo: 'any endpoint, with a new `x-trace-id` each time',
  },
]

export function FirstRequest({ exchanges, port }: { exchanges: readonly Exchange[]; port: string }) {
  const steps = findSteps(exchanges)
  return (
    <>
      <Caption style={{ borderTop: '1px solid var(--line)' }}>
        <h2>The first request</h2>
        {exchanges.length === 0 ? <Listening /> : <Caller exchange={exchanges.at(-1)!} />}
      </Caption>
      <ol className={styles.steps}>
        {rowsOf(port).map((row) => (
          <StepLine key={row.name} step={steps[row.name]} {...row} />
        ))}
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

function StepLine({ step: { state, exchange }, labels, todo }: Omit<StepRow, 'name'> & { readonly step: Step }) {
  const label = labels[state === 'done' ? 1 : 0]
  return (
    <li data-state={state}>
      <span className={`row ${tones[state]}`}>
        <Glyph name={glyphs[state]} />
      </span>
      {state === 'upcoming' ? <span className="soft">{label}</span> : <b>{label}</b>}
      <span className={`cut ${state === 'upcoming' ? 'faint' : 'soft'}`}>
        {state === 'refused' ? (
          <Refused exchange={exchange!} />
        ) : state === 'done' ? (
          <RequestSummary exchange={exchange!} />
        ) : (
          <Prose>{todo}</Prose>
        )}
      </span>
    </li>
  )
}

/** In a narrow window the path is truncated, never the status. */
function RequestSummary({ exchange: { at, method, path, status } }: { exchange: Exchange }) {
  return (
    <Row as="span" gap={4} className="nowrap" title={`${at} ${method} ${path}`}>
      {newYork(Date.parse(at)).time}
      <code className="cut">
        {method} <Text>{path}</Text>
      </code>
      returned {status}
    </Row>
  )
}

function Refused({ exchange: { status, code, did, uid } }: { exchange: Exchange }) {
  return (
    <Row as="span" gap={4} className="nowrap">
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
    </Row>
  )
}

interface Step {
  readonly state: 'upcoming' | 'current' | 'done' | 'refused'
  /** The request that completed the step, or the newest one that was refused. */
  readonly exchange: Exchange | undefined
}

interface Steps {
  readonly reach: Step
  readonly signIn: Step
  readonly call: Step
}

const SIGN_IN = 'createAccessToken'

/** How far the user's app is, judged by its requests. `exchanges` are newest first. */
export function findSteps(exchanges: readonly Exchange[]): Steps {
  const first = exchanges.at(-1)
  const signIns = exchanges.filter(({ endpoint }) => endpoint === SIGN_IN)
  const signedIn = signIns.findLast(({ status }) => status === 201)
  const calls = exchanges.filter(({ endpoint }) => endpoint !== SIGN_IN)
  // Only a request with a valid token has a Program.
  const called = calls.findLast(({ program_uid, status }) => program_uid !== null && status < 400)
  return {
    reach: step(first !== undefined, first, true, undefined),
    signIn: step(signedIn !== undefined, signedIn, first !== undefined, signIns[0]),
    call: step(called !== undefined, called, signedIn !== undefined, calls[0]),
  }
}

function step(isDone: boolean, exchange: Exchange | undefined, isCurrent: boolean, newest: Exchange | undefined): Step {
  if (isDone) return { state: 'done', exchange }
  if (newest && newest.status >= 400) return { state: 'refused', exchange: newest }
  return { state: isCurrent ? 'current' : 'upcoming', exchange: undefined }
}
