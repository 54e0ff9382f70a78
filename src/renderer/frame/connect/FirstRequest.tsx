import { useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { findPlatformClient, needsOf } from '../../../api/contract/platform-clients.ts'
import type { Program } from '../../../api/contract/resources/programs.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useRealSeconds } from '../../data/feed.ts'
import { formatStopwatch, newYork } from '../../format/text.ts'
import { Caption, Row, Stack } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Notice.tsx'
import { Glyph, type GlyphName, Prose, Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'

const looks: Readonly<Record<Step['state'], { readonly glyph: GlyphName; readonly tone: string }>> = {
  upcoming: { glyph: 'not-begun', tone: 'faint' },
  current: { glyph: 'under-way', tone: 'live' },
  done: { glyph: 'done', tone: '' },
  refused: { glyph: 'broken', tone: 'bad' },
}

/** Each step: what is to do, what was done, and what is waited for. */
const rowsOf = (
  port: string,
): readonly (readonly [name: keyof Steps, todo: string, done: string, wanted: string])[] => [
  ['reach', 'Reach the address', 'Reached the address', `Waiting. Nothing has called port ${port} yet.`],
  ['signIn', 'Sign in', 'Signed in', '`POST /auth` returns 201 with an access token'],
  ['call', 'Call with the token', 'Called with the token', 'any endpoint, with a new `x-trace-id` each time'],
]

export function FirstRequest({ exchanges, port }: { exchanges: readonly Exchange[]; port: string }) {
  const steps = findSteps(exchanges)
  const first = exchanges.at(-1)
  return (
    <>
      <Caption style={{ borderTop: '1px solid var(--line)' }}>
        <h2>The first request</h2>
        {first ? (
          <span className="meta end cut" title={first.caller}>
            from <Text>{first.caller}</Text>
          </span>
        ) : (
          <Listening />
        )}
      </Caption>
      <ol className={styles.steps}>
        {rowsOf(port).map(([name, todo, done, wanted]) => (
          <StepLine key={name} step={steps[name]} label={steps[name].state === 'done' ? done : todo} wanted={wanted} />
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

function StepLine({ step: { state, exchange }, label, wanted }: { step: Step; label: string; wanted: string }) {
  return (
    <Stack
      as="li"
      columns="16px 132px minmax(0, 1fr)"
      gap={8}
      pad="0 16"
      least={32}
      align="center"
      line="top"
      text="data"
      style={{ alignContent: 'center' }}
      data-state={state}
    >
      <span className={`row ${looks[state].tone}`}>
        <Glyph name={looks[state].glyph} />
      </span>
      {state === 'upcoming' ? <span className="soft">{label}</span> : <b>{label}</b>}
      <span className={`cut ${state === 'upcoming' ? 'faint' : 'soft'}`}>
        {state === 'refused' ? (
          <Refused exchange={exchange!} />
        ) : state === 'done' ? (
          <RequestSummary exchange={exchange!} />
        ) : (
          <Prose>{wanted}</Prose>
        )}
      </span>
    </Stack>
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
    // Its request may have left the log: who calls with a valid token has signed in.
    signIn: step((signedIn ?? called) !== undefined, signedIn ?? called, first !== undefined, signIns[0]),
    call: step(called !== undefined, called, signedIn !== undefined, calls[0]),
  }
}

function step(isDone: boolean, exchange: Exchange | undefined, isCurrent: boolean, newest: Exchange | undefined): Step {
  if (isDone) return { state: 'done', exchange }
  if (newest && newest.status >= 400) return { state: 'refused', exchange: newest }
  return { state: isCurrent ? 'current' : 'upcoming', exchange: undefined }
}

/** What the newest of the platform's own clients needs of the Program, if one has called. */
export function ClientNeeds({ exchanges, program }: { exchanges: readonly Exchange[]; program: Program }) {
  const client = exchanges.map(findPlatformClient).find((found) => found !== undefined)
  if (!client) return null
  const { name, does, setting } = client
  return (
    <Note>
      The caller is the platform’s <b>{name}</b>. Its way: <Prose>{does}</Prose>. It needs{' '}
      <Prose>{needsOf(client)}</Prose>
      {setting && (
        <>
          , which is {program[setting] ? 'on' : 'off'}: <ScreenLink screen="settings">Program settings</ScreenLink>
        </>
      )}
    </Note>
  )
}
