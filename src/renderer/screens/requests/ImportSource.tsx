import { Upload } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { useFeed } from '../../data/feed.ts'
import { useReplay } from '../../data/replay.ts'
import { type ImportedFile, isBundle, NotTextError, readFileText } from '../../data/replay-input.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, formatDateTime, plural } from '../../format/text.ts'
import { FileButton } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Property, PropertyList, Text } from '../../ui/Text.tsx'

interface ImportSourceProps {
  readonly source: ImportedFile | null
  readonly onChange: (source: ImportedFile | null) => void
}

/** The name of pasted text, which the title of its replay shows. */
const PASTED = 'pasted text'

export function ImportSource({ source, onChange }: ImportSourceProps) {
  const [isDragOver, setDragOver] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useId()
  const api = useFeed((feed) => feed.world?.api)
  const pasted = source?.name === PASTED ? source.text : ''
  const readFile = async (file: File | undefined) => {
    setDragOver(false)
    if (!file) return
    try {
      onChange({ name: file.name, text: await readFileText(file) })
      setFailure(null)
    } catch (error) {
      onChange(null)
      setFailure(
        `${file.name} could not be read. ${error instanceof NotTextError ? error.message : 'Choose the file again.'}`,
      )
    }
  }
  return (
    <Stack gap={8} data-import>
      <Row
        wraps
        gap={8}
        pad={12}
        fill={isDragOver ? 'accent' : undefined}
        style={{ border: `1px dashed var(${isDragOver ? '--accent' : '--edge'})`, borderRadius: 'var(--radius)' }}
        onDragOver={(event) => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          void readFile(event.dataTransfer.files[0])
        }}
      >
        <FileButton
          label="File to import"
          accept=".har,.json,.txt,.sh,.sandbank,text/*,application/json"
          onFile={(file) => void readFile(file)}
        >
          <Upload size={12} strokeWidth={1.8} aria-hidden="true" />
          Choose a file…
        </FileButton>
        <span className="data soft">or drop it here: a HAR file, curl commands or a Sandbank bundle.</span>
      </Row>
      <p className="data" role="status">
        {source && source.name !== PASTED ? (
          <>
            <b>
              <Text>{source.name}</Text>
            </b>
            , {isBundle(source.text) ? 'a bundle' : 'a recording'} of{' '}
            {formatCount(Math.ceil(source.text.length / 1024))} kB
          </>
        ) : (
          <span className="faint">No file chosen.</span>
        )}
      </p>
      {failure !== null && (
        <p className="data bad wrap" role="alert">
          {failure}
        </p>
      )}
      <label htmlFor={field} className="data soft">
        Or paste curl commands, e.g. from the browser’s “Copy as cURL (bash)”
      </label>
      <TextArea
        id={field}
        value={pasted}
        rows={8}
        spellCheck={false}
        placeholder={`curl ${api ?? ''}/customers \\\n  -H "Authorization: …" -H "x-trace-id: …"`}
        onChange={(event) => {
          setFailure(null)
          onChange(event.target.value.trim() === '' ? null : { name: PASTED, text: event.target.value })
        }}
      />
      <p className="meta" style={{ minHeight: 16 }}>
        {pasted === '' ? '' : plural(pasted.split('\n').length, 'line')}
      </p>
    </Stack>
  )
}

/** What a chosen file contains and what its replay needs, before it runs. */
export function RecordingSummary({ text }: { text: string }) {
  const { data, error } = useQuery('recordings.describe', { text: useDeferredValue(text) })
  const hasFailed = useReplay((state) => state.failure !== null)
  // A failed replay shows the same error.
  if (error !== undefined) return hasFailed ? null : <Notice title="The file cannot be replayed." error={error} />
  if (!data) return null
  const { requests, actions, kinds, from, to, has_world, has_responses, needs, missing, note, unusable } = data
  return (
    <Summary requests={requests} kinds={kinds} from={from} to={to}>
      {note !== null && (
        <Property name="Note">
          <Text>{note}</Text>
        </Property>
      )}
      {actions > 0 && <Property name="Actions">{plural(actions, 'operator action')}</Property>}
      <Property name="Needs">
        {has_world
          ? 'nothing: it contains its world'
          : needs.length === 0
            ? 'a Program to sign in as'
            : `a Program to sign in as, and ${plural(needs.length, 'record')} that it does not create`}
        {missing.length > 0 && (
          <p className="wait wrap">
            The current world does not have {formatCount(missing.length)} of them:{' '}
            <Text className="mono">{missing.slice(0, 5).join(', ')}</Text>
            {missing.length > 5 && ', …'}
          </p>
        )}
      </Property>
      {!has_responses && requests > 0 && <Property name="Responses">none: there is nothing to compare with</Property>}
      {unusable.length > 0 && <Property name="Skipped">{formatCount(unusable.length)} of its entries</Property>}
    </Summary>
  )
}

/** The same for requests of the log. */
export function LogSummary({ exchanges }: { exchanges: readonly Exchange[] }) {
  if (exchanges.length === 0) return null
  const counts = new Map<string, number>()
  for (const { method, path } of exchanges) {
    const name = `${method} ${path.split('?')[0]!.replaceAll(/\/[A-Za-z0-9]{16}(?=\/|$)/g, '/{uid}')}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const times = exchanges.map(({ at }) => at).sort()
  const kinds = [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count)
  return <Summary requests={exchanges.length} kinds={kinds} from={times[0]!} to={times.at(-1)!} />
}

interface SummaryProps {
  readonly requests: number
  readonly kinds: readonly { readonly name: string; readonly count: number }[]
  readonly from: string | null
  readonly to: string | null
  readonly children?: React.ReactNode
}

const MAX_KINDS = 6

function Summary({ requests, kinds, from, to, children }: SummaryProps) {
  const others = kinds.length - MAX_KINDS
  const widest = Math.max(...kinds.map(({ count }) => formatCount(count).length))
  return (
    <section aria-label="Summary" style={{ paddingTop: 12, overflowWrap: 'anywhere' }}>
      <PropertyList>
        <Property name="Requests">{formatCount(requests)}</Property>
        <Property name="Kinds">
          <ul>
            {kinds.slice(0, MAX_KINDS).map(({ name, count }) => (
              <Stack as="li" key={name} columns={`${widest}ch minmax(0, 1fr)`} gap={8}>
                <span style={{ textAlign: 'right' }}>{formatCount(count)}</span>
                <Text className="mono">{name}</Text>
              </Stack>
            ))}
            {others > 0 && <li className="soft">and {plural(others, 'other kind')}</li>}
          </ul>
        </Property>
        {from !== null && to !== null && (
          <Property name="Time">
            {formatDateTime(Date.parse(from))}
            {from !== to && ` to ${formatDateTime(Date.parse(to))}`} ET
          </Property>
        )}
        {children}
      </PropertyList>
    </section>
  )
}
