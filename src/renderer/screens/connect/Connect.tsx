import { lazy, Suspense, useMemo } from 'react'
import { isOwnRequest } from '../../../api/contract/control/own-requests.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { type Program, useFeed } from '../../data/feed.ts'
import { useProgram } from '../../data/use-program.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatShortInstant } from '../../format/time.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { cx } from '../../ui/cx.ts'
import { Caption, Columns, ScreenBar } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'
import { FirstRequest } from './FirstRequest.tsx'
import { LatestRequests } from './LatestRequests.tsx'
import { Snippet } from './Snippet.tsx'
import { formatEnvFile, languages, type SnippetValues } from './snippets.ts'
import { ValueLine } from './ValueLine.tsx'
import { WebhookReceiver } from './WebhookReceiver.tsx'

/** Loaded after the rest, as it names endpoints and so needs the contract. */
const Pulse = lazy(async () => ({ default: (await import('./Pulse.tsx')).Pulse }))

/** What an app needs to call the sandbox, and the requests that it sends. */
export function Connect() {
  const world = useFeed((feed) => feed.world)
  const program = useProgram()
  const all = useFeed((feed) => feed.exchanges)
  const exchanges = useMemo(
    () => all.filter(({ program_uid }) => program_uid === null || program_uid === program?.uid),
    [all, program?.uid],
  )
  const ofApp = useMemo(() => exchanges.filter((exchange) => !isOwnRequest(exchange)), [exchanges])
  if (!world || !program) return <Heading />
  const values: SnippetValues = { base_url: world.api, program_uid: program.uid, hmac_key: program.hmac_key }
  return (
    <>
      <Heading />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section className={styles.page} tabIndex={0} aria-label="Connect">
        <Columns className={styles.columns}>
          <section aria-label="What your app needs">
            <Caption>
              <h2>What your app needs</h2>
              <span className="end">
                <CopyButton text={formatEnvFile(values)} what="values as .env" label="Copy as .env" />
              </span>
            </Caption>
            <ValueLine name="Base URL" value={values.base_url} />
            <ValueLine name="Program uid" value={values.program_uid} />
            <ValueLine name="HMAC key" value={values.hmac_key} />
            <Note>
              The key signs with HS512, as UTF-8 bytes. Valid in this sandbox only.{' '}
              <ScreenLink screen="settings" params={{ part: ['key'] }}>
                Rotate it
              </ScreenLink>
              <br />
              Allowed callers: <span className="mono">{program.allowlist.join(', ')}</span>. Change them in{' '}
              <ScreenLink screen="settings">Program settings</ScreenLink>
            </Note>
            <FirstRequest exchanges={ofApp} port={new URL(world.api).port} />
          </section>
          <Snippet
            label="Code for the first call"
            what="snippet for"
            languages={languages}
            values={values}
            note="Your values are already filled in."
          />
        </Columns>
        <LatestRequests exchanges={exchanges} />
        <Suspense>
          <Pulse program_uid={program.uid} />
        </Suspense>
        <Columns className={cx(styles.columns, styles.next)}>
          {ofApp.length === 0 ? <Troubleshooting /> : <NextStepsInApp />}
          {ofApp.length === 0 ? <WorldContents program={program} /> : <NextStepsInWindow />}
        </Columns>
        <WebhookReceiver />
      </section>
    </>
  )
}

function Heading() {
  return (
    <ScreenBar>
      <h1>Connect</h1>
      <span className="soft">
        Set your app’s base URL, sign in with the HMAC key, and send requests. Nothing leaves this machine.
      </span>
    </ScreenBar>
  )
}

function Troubleshooting() {
  return (
    <div>
      <h2>If no request arrives</h2>
      <ul>
        <li>
          <b>Connection refused</b>
          <span>In a container, 127.0.0.1 is the container itself.</span>
        </li>
        <li>
          <b>404, code 1001</b>
          <span>
            The base URL must end in <code>/api/v1</code>.
          </span>
        </li>
        <li>
          <b>401, code 1004</b>
          <span>Open the request here: it shows why it was refused.</span>
        </li>
      </ul>
    </div>
  )
}

function NextStepsInApp() {
  return (
    <div>
      <h2>Next, from your app</h2>
      <ul>
        <li>
          <b>Create a Customer</b>
          <span>
            <code>POST /customers</code>; an empty body is enough: <ScreenLink screen="customers">Customers</ScreenLink>
          </span>
        </li>
        <li>
          <b>Cause an error</b>
          <span>
            <code>GET /customers?limit=-1</code>: the response says why.
          </span>
        </li>
        <li>
          <b>Inspect requests</b>
          <span>
            Headers and bodies of every request: <ScreenLink screen="requests">Requests</ScreenLink>
          </span>
        </li>
      </ul>
    </div>
  )
}

function NextStepsInWindow() {
  const next = useFeed((feed) => feed.clock?.next)
  return (
    <div>
      <h2>Next, from this window</h2>
      <ul>
        <li>
          <b>Simulate a payment</b>
          <span>
            An incoming payment to an account or a VRN: <ScreenLink screen="inject">Inject</ScreenLink>
          </span>
        </li>
        <li>
          <b>Advance the clock</b>
          <span>
            {next ? (
              <>
                {formatShortInstant(Date.parse(next.at))}, <Text>{next.what}</Text>:{' '}
              </>
            ) : (
              'Scheduled tasks run at once: '
            )}
            <ScreenLink screen="time">Time</ScreenLink>
          </span>
        </li>
        <li>
          <b>Record a scenario</b>
          <span>
            Save your requests as a test that runs here and in CI: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
          </span>
        </li>
      </ul>
    </div>
  )
}

function WorldContents({ program }: { program: Program }) {
  const clock = useFeed((feed) => feed.clock)
  const customers = useTotal(program, 'customers', { include_initiated: true })
  const active = useTotal(program, 'customers', { status: ['active'] })
  const products = useTotal(program, 'products')
  const types = useTotal(program, 'synthetic_account_types')
  const due = clock?.due ?? 0
  return (
    <div>
      <h2>What is already here</h2>
      <ul>
        <li>
          <b>{formatTotal(customers, 'Customer')}</b>
          <span>
            {customers === 0 ? (
              'Your app creates the first one.'
            ) : (
              <>
                {formatCount(active ?? 0)} of them <code>active</code>
              </>
            )}
          </span>
        </li>
        <li>
          <b>{formatTotal(products, 'Product')}</b>
          <span>and {formatTotal(types, 'Synthetic Account Type')}, ready to use</span>
        </li>
        <li>
          <b>{plural(due, 'task')} scheduled</b>
          <span>
            {clock?.next ? (
              <>
                next {formatShortInstant(Date.parse(clock.next.at))}, <Text>{clock.next.what}</Text>
              </>
            ) : (
              'Nothing is scheduled until your app starts something.'
            )}
          </span>
        </li>
      </ul>
    </div>
  )
}

const formatTotal = (n: number | undefined, one: string) => (n === undefined ? `${one}s` : plural(n, one))

function useTotal({ uid }: Program, collection: string, filters: object = {}): number | undefined {
  const input = { collection, program_uid: uid, limit: 0, ...filters }
  return useQuery('records.list', input, [collection]).data?.total_count
}
