import { useMemo } from 'react'
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
import { envFile, type Values } from './snippets.ts'

/** What an app needs to call the sandbox, and what arrives when it does. */
export function Connect() {
  const world = useFeed((feed) => feed.world)
  const program = useProgram()
  const all = useFeed((feed) => feed.exchanges)
  const exchanges = useMemo(
    () => all.filter(({ program_uid }) => program_uid === null || program_uid === program?.uid),
    [all, program?.uid],
  )
  if (!world || !program) return <Heading />
  const values: Values = { base_url: world.api, program_uid: program.uid, hmac_key: program.hmac_key }
  return (
    <>
      <Heading />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys. */}
      <section className={styles.page} tabIndex={0} aria-label="Connect">
        <Columns className={styles.columns}>
          <section aria-label="What your app needs">
            <Caption>
              <h2>What your app needs</h2>
              <span className="end">
                <CopyButton text={envFile(values)} what="values as .env" label="Copy as .env" />
              </span>
            </Caption>
            <ValueLine name="Base URL" value={values.base_url} />
            <ValueLine name="Program uid" value={values.program_uid} />
            <ValueLine name="HMAC key" value={values.hmac_key} />
            <Note>
              These characters as UTF-8 bytes, HS512. Worth nothing outside.{' '}
              <ScreenLink screen="settings" params={{ part: ['key'] }}>
                Rotate
              </ScreenLink>
              <br />
              Callers allowed: <span className="mono">{program.allowlist.join(', ')}</span>. Others:{' '}
              <ScreenLink screen="settings">Program settings</ScreenLink>
            </Note>
            <FirstRequest exchanges={exchanges} port={new URL(world.api).port} />
          </section>
          <Snippet values={values} />
        </Columns>
        <LatestRequests exchanges={exchanges} />
        <Columns className={cx(styles.columns, styles.next)}>
          {exchanges.length === 0 ? <IfNothingArrives /> : <NextFromYourApp />}
          {exchanges.length === 0 ? <AlreadyHere program={program} /> : <NextFromThisWindow />}
        </Columns>
      </section>
    </>
  )
}

function Heading() {
  return (
    <ScreenBar>
      <h1>Connect</h1>
      <span className="soft">
        Set your app’s base URL, sign with this key, and call. No account, no allowlist to wait for, no network.
      </span>
    </ScreenBar>
  )
}

function ValueLine({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.value} data-value-line>
      <span>{name}</span>
      <code>
        <Text>{value}</Text>
      </code>
      <CopyButton text={value} what={name} label="Copy" />
    </div>
  )
}

function IfNothingArrives() {
  return (
    <div>
      <h2>If nothing arrives</h2>
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
          <span>Open the request: the window names the cause.</span>
        </li>
      </ul>
    </div>
  )
}

function NextFromYourApp() {
  return (
    <div>
      <h2>Next, from your app</h2>
      <ul>
        <li>
          <b>Create a Customer</b>
          <span>
            <code>POST /customers</code>, with an empty body too: <ScreenLink screen="customers">Customers</ScreenLink>
          </span>
        </li>
        <li>
          <b>Send one that fails</b>
          <span>
            <code>GET /customers?limit=-1</code>: the refusal says why.
          </span>
        </li>
        <li>
          <b>Look at the answers</b>
          <span>
            headers and bodies of every request: <ScreenLink screen="requests">Requests</ScreenLink>
          </span>
        </li>
      </ul>
    </div>
  )
}

function NextFromThisWindow() {
  const next = useFeed((feed) => feed.clock?.next)
  return (
    <div>
      <h2>Next, from this window</h2>
      <ul>
        <li>
          <b>Let a payment arrive</b>
          <span>
            from outside, on an account or a VRN: <ScreenLink screen="inject">Inject</ScreenLink>
          </span>
        </li>
        <li>
          <b>Move time on</b>
          <span>
            {next ? (
              <>
                {formatShortInstant(Date.parse(next.at))}, <Text>{next.what}</Text>:{' '}
              </>
            ) : (
              'and see what is due happen at once: '
            )}
            <ScreenLink screen="time">Time</ScreenLink>
          </span>
        </li>
        <li>
          <b>Record what you do</b>
          <span>
            as a scenario that runs again here and in CI: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
          </span>
        </li>
      </ul>
    </div>
  )
}

function AlreadyHere({ program }: { program: Program }) {
  const clock = useFeed((feed) => feed.clock)
  const customers = useCount(program, 'customers', { include_initiated: true })
  const active = useCount(program, 'customers', { status: ['active'] })
  const products = useCount(program, 'products')
  const types = useCount(program, 'synthetic_account_types')
  const due = clock?.due ?? 0
  return (
    <div>
      <h2>What is already here</h2>
      <ul>
        <li>
          <b>{said(customers, 'Customer')}</b>
          <span>
            {customers === 0 ? 'none yet: your app makes the first' : `${formatCount(active ?? 0)} of them `}
            {customers === 0 ? null : <code>active</code>}
          </span>
        </li>
        <li>
          <b>{said(products, 'product')}</b>
          <span>and {said(types, 'type')} of synthetic account, ready to be used</span>
        </li>
        <li>
          <b>{plural(due, 'thing')} due</b>
          <span>
            {clock?.next ? (
              <>
                next {formatShortInstant(Date.parse(clock.next.at))}, <Text>{clock.next.what}</Text>
              </>
            ) : (
              'nothing happens by itself until your app starts something'
            )}
          </span>
        </li>
      </ul>
    </div>
  )
}

const said = (n: number | undefined, one: string) => (n === undefined ? `${one}s` : plural(n, one))

function useCount({ uid }: Program, collection: string, filters: object = {}): number | undefined {
  const input = { collection, program_uid: uid, limit: 0, ...filters }
  return useQuery('records.list', input, [collection]).data?.total_count
}
