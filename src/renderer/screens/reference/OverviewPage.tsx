import { errors } from '../../../api/contract/errors.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useFeed } from '../../data/feed.ts'
import { formatJson } from '../../forms/values.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { PropertyList } from '../../ui/Property.tsx'
import styles from './OverviewPage.module.css'
import { Part } from './Tables.tsx'

const EXAMPLE_ERROR = {
  errors: [
    {
      code: errors.missingParameter.code,
      title: errors.missingParameter.title,
      detail: errors.missingParameter.detail,
      occurred_at: '2026-11-20T14:04:18.000Z',
      extra: 'customer_uid is missing',
    },
  ],
  status: errors.missingParameter.status,
}

export function OverviewPage() {
  const api = useFeed((feed) => feed.world?.api ?? '')
  return (
    <>
      <PaneIntro as="header">
        <h2>The API of this sandbox</h2>
        <p className="soft">
          Generated from the contract that the server itself uses. Fields and parameters that it does not define are
          ignored, and the hints of a request name them.
        </p>
      </PaneIntro>
      <PropertyList className={styles.facts}>
        <dt>Base URL</dt>
        <dd>
          <code>{api}</code> <CopyButton text={api} what="base URL" small />
        </dd>
        <dt>Token</dt>
        <dd>
          Sign a refresh token with HS512 and the HMAC key of the Program, exchange it at{' '}
          <ScreenLink screen="reference" record="createAccessToken">
            POST /auth
          </ScreenLink>
          , and send the whole token, which begins with <code className="nowrap">auth-</code>, in the header{' '}
          <code>Authorization</code>. Code to copy: <ScreenLink screen="connect">Connect</ScreenLink>
        </dd>
        <dt>x-trace-id</dt>
        <dd>A header that every request needs, with a new value each time, e.g. a UUID. The response repeats it.</dd>
        <dt>Bodies</dt>
        <dd>
          JSON, or a form: lists as <code>name[]=a&amp;name[]=b</code>, objects as{' '}
          <code>details[address][city]=Ames</code>
        </dd>
        <dt>Lists</dt>
        <dd>
          <code>total_count</code>, <code>count</code>, <code>limit</code>, <code>offset</code> and <code>data</code>,
          newest first unless <code>sort</code> is set
        </dd>
        <dt>Amounts</dt>
        <dd>US dollars as text with two decimals. An amount with more decimals is refused, never rounded.</dd>
        <dt>Times</dt>
        <dd>UTC in milliseconds, by the simulated clock</dd>
        <dt>OpenAPI</dt>
        <dd>
          <code>{api}/openapi.json</code> for client generators; the control API has its own at{' '}
          <code className="nowrap">/control/openapi.json</code>
        </dd>
      </PropertyList>
      <Part title="Error response" about="only the first error is returned; extra names the field">
        <JsonView body={formatJson(EXAMPLE_ERROR)} />
      </Part>
    </>
  )
}
