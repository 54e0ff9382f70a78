import { Play } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { SendResult } from '../../components/SendResult.tsx'
import { useFeed } from '../../data/feed.ts'
import { collectionOfPath } from '../../data/records.ts'
import { formatCurl, formatFetch, formatHttp } from '../../format/request.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import { exampleOf, type Filling } from '../../forms/example.ts'
import { type Problems, problemsOf, refusedFields } from '../../forms/problems.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { pathOf, send, unsent } from '../../forms/send.ts'
import { rowsOf, type Shape, shapeOf } from '../../forms/shape.ts'
import { useBody } from '../../forms/use-body.ts'
import type { Tree } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { cx } from '../../ui/cx.ts'
import { Actions, Columns } from '../../ui/Layout.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { endpointNamed } from './pages.ts'
import styles from './TryIt.module.css'

interface TryItProps {
  readonly name: EndpointName
  readonly program_uid: string
  readonly filling: Filling
}

const NONE: Problems = new Map()

/** The endpoint with the Program's own token, in this world: what is done is done. */
export function TryIt({ name, program_uid, filling }: TryItProps) {
  const { method, path, query, body: schema } = endpointNamed(name)
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const api = useFeed((feed) => feed.world?.api ?? '')
  const parts = useMemo(() => pathShape(path), [path])
  const collection = collectionOfPath(path)
  const [params, setParams] = useState<Tree>(() => {
    const uid = collection && filling.uid?.(`newest_${collection.slice(0, -1)}_uid`, '')
    return uid && parts ? { uid } : {}
  })
  const [asked, setAsked] = useState<Tree>(() => (query ? { limit: 5 } : {}))
  const body = useBody((schema ? exampleOf(shapeOf(schema), filling) : {}) as Tree)
  const [answer, setAnswer] = useState<{ exchange: ExchangeDetail; said: string } | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [busy, setBusy] = useState(false)
  const [insists, setInsists] = useState<string | null>(null)

  const request = { method, path: pathOf(path, params, asked), body: schema ? body.text : '' }
  const saying = JSON.stringify(request)
  const unfitBody = useMemo(() => (schema ? problemsOf(schema, body.value) : NONE), [schema, body.value])
  const unfitQuery = useMemo(() => (query ? problemsOf(query, asked) : NONE), [query, asked])
  const refusal = answer?.said === saying ? answer.exchange.refusal : null
  const named = (shape: Shape | null) =>
    refusal && shape
      ? [
          ...refusedFields(
            refusal.extra,
            refusal.code,
            rowsOf(shape).map((row) => row.path),
          ),
        ]
      : []
  const doubtful = unfitBody.size > 0 || unfitQuery.size > 0 || body.trouble !== null
  const asks = doubtful && insists === saying

  const go = async () => {
    if (busy) return
    if (doubtful && !asks) {
      setInsists(saying)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setBusy(true)
    setFailure(undefined)
    try {
      setAnswer({ exchange: await send(program_uid, request), said: saying })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const sent = unsent(request)
  const fields = (parts || query || schema) && (
    <div className={styles.fields}>
      {parts && (
        <SchemaForm
          id={`${id}path`}
          shape={parts}
          value={params}
          onChange={setParams}
          problems={NONE}
          filling={filling}
          {...(collection ? { uids: { uid: collection } } : {})}
        />
      )}
      {query && (
        <SchemaForm
          id={`${id}query`}
          shape={shapeOf(query)}
          value={asked}
          onChange={setAsked}
          problems={new Map([...named(shapeOf(query)), ...unfitQuery])}
          filling={filling}
          leads={['limit']}
        />
      )}
      {schema && (
        <SchemaForm
          id={`${id}body`}
          shape={shapeOf(schema)}
          value={body.value}
          onChange={body.set}
          problems={new Map([...named(shapeOf(schema)), ...unfitBody])}
          filling={filling}
          leads={[]}
        />
      )}
    </div>
  )
  return (
    <details className={styles.details} open>
      <summary>Try it</summary>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void go()
        }}
      >
        {schema ? (
          <Columns className={styles.columns}>
            {fields}
            <div>
              <BodyText body={body} problems={unfitBody} onSend={() => void go()} />
            </div>
          </Columns>
        ) : (
          fields
        )}
        {asks && (
          <NoticeLine role="alert">
            <b>It does not fit the contract.</b> Mend what is marked, or send it as it is and see how it is refused.
          </NoticeLine>
        )}
        <Actions className={styles.actions}>
          <Button type="submit" primary aria-disabled={busy || undefined}>
            <Play size={12} strokeWidth={1.8} aria-hidden="true" />
            {asks ? 'Send it all the same' : 'Send'}
          </Button>
          <code className={cx('cut', styles.request)}>
            {method} <Text>{request.path}</Text>
          </code>
          <span className="end row">
            <CopyButton text={() => formatCurl(api, sent)} what="request as curl" label="curl" />
            <CopyButton text={() => formatFetch(api, sent)} what="request as fetch" label="fetch" />
            <CopyButton text={() => formatHttp(api, sent)} what="request as HTTP" label="HTTP" />
          </span>
        </Actions>
      </form>
      {failure !== undefined && <Notice title="It could not be sent." error={failure} />}
      <div role="status" aria-label="Answer">
        {answer && <SendResult exchange={answer.exchange} />}
      </div>
    </details>
  )
}

/** The parts of a path that are to be filled in, as a schema has fields. */
function pathShape(path: string): Shape | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  if (names.length === 0) return null
  const none = { nullable: false, schema: {}, options: [], item: null, shapes: [] }
  const text: Shape = { ...none, kind: 'text', fields: [] }
  return { ...none, kind: 'object', fields: names.map((name) => ({ name, required: true, shape: text })) }
}
