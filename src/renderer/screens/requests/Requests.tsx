import { Download, RotateCcw, Upload, X } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { type Action, perform } from '../../actions/action.ts'
import { requestActions } from '../../actions/window.ts'
import { ExportBundle } from '../../components/ExportBundle.tsx'
import { FilterBar, RangeFilter } from '../../components/list/FilterBar.tsx'
import { ListTable, NO_ROWS, NoMatches, useArrivals } from '../../components/list/ListTable.tsx'
import { pickParams } from '../../components/list/model.ts'
import { sortRows, useTableTools } from '../../components/list/use-table-tools.ts'
import { ButtonLink, ConnectLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { exchangeFilter, isFiltered, METHODS } from '../../data/exchange-filter.ts'
import { useFeed } from '../../data/feed.ts'
import { formatRoute, useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { NOT_SAVED, saveFile } from '../../data/save-file.ts'
import { readApiAccess, useProgram } from '../../data/use-program.ts'
import { formatHar } from '../../format/har.ts'
import { formatCurl } from '../../format/request.ts'
import { formatCount, formatShortInstant, plural } from '../../format/text.ts'
import { Chip, CopyButton, copyText } from '../../ui/Button.tsx'
import { CodeBlock, codeStyles } from '../../ui/CodeBlock.tsx'
import { arrangeColumns } from '../../ui/column-layout.ts'
import { Split, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { EmptyState, ExampleHead, Skeleton } from '../../ui/Notice.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { Inspector } from './Inspector.tsx'
import { ReplayPage } from './ReplayPage.tsx'
import { buildRows, MARKS, type MarkName, realTimeWidth, requestColumns } from './rows.tsx'

/** From this window width on, the list without the inspector has space for the real time. */
const MIN_WIDTH_WITH_REAL_TIME = 1_240
/** The same for the result beside the inspector. */
const MIN_WIDTH_WITH_RESULT = 1_640

/** The request log. It updates live and follows the newest request while it is scrolled to the top. */
export function Requests() {
  const { record, params } = useRoute()
  const all = useExchanges()
  const searchParams = useDeferredValue(params)
  const shown = useMemo(() => all.filter(exchangeFilter(searchParams)), [all, searchParams])
  const [marked, setMarked] = useState<ReadonlySet<string>>(NO_ROWS)
  const arrivals = useArrivals()
  const counts = useMemo(
    () => new Map(MARKS.map(({ name, isOn }) => [name, all.filter((exchange) => isOn(exchange)).length])),
    [all],
  )
  if (params.replay)
    return (
      <ReplayPage
        isImport={params.replay[0] === 'import'}
        selected={all.find(({ uid }) => uid === record)}
        marked={marked}
        shown={shown}
      />
    )
  return (
    <>
      <RequestFilters hasRows={shown.length > 0} counts={counts} />
      <RequestLog all={all} shown={shown} counts={counts} marked={marked} setMarked={setMarked} arrivals={arrivals} />
    </>
  )
}

/** How many requests have each mark. */
type Counts = ReadonlyMap<MarkName, number>

function RequestFilters({ hasRows, counts }: { readonly hasRows: boolean; readonly counts: Counts }) {
  const { record, params, filter } = useRoute()
  const clear = useClearFilters()
  const replayLink = (kind: 'own' | 'import') =>
    ({ screen: 'requests', record, params: { ...params, replay: [kind] } }) as const
  return (
    <FilterBar
      title="Requests"
      search={{ label: 'Search requests', placeholder: 'path, uid, trace id, time', width: 200 }}
      filters={[{ name: 'Method', param: 'method', options: METHODS }]}
      clear={isFiltered(params) ? clear : undefined}
      actions={
        <>
          <ButtonLink icon={RotateCcw} {...replayLink('own')} primary={record === null && hasRows}>
            Replay…
          </ButtonLink>
          <ButtonLink icon={Upload} {...replayLink('import')}>
            Import…
          </ButtonLink>
          <ExportBundle />
        </>
      }
    >
      {MARKS.map(({ name, label, Icon, isUsual }) => {
        const count = counts.get(name) ?? 0
        return isUsual || count > 0 || params[name] ? (
          <Chip key={name} pressed={Boolean(params[name])} onClick={() => filter(name, params[name] ? [] : ['yes'])}>
            <Icon /> {label} {formatCount(count)}
          </Chip>
        ) : null
      })}
      {REMOVABLE.map((name) =>
        params[name] ? (
          <Chip key={name} on title={`Remove the filter by ${name}`} onClick={() => filter(name, [])}>
            {describeFilter(name, params[name])} <X size={12} strokeWidth={1.8} aria-hidden="true" />
          </Chip>
        ) : null,
      )}
      <RangeFilter title="Date" params={['from', 'to']} kind="date" />
    </FilterBar>
  )
}

/** Filters that only links set. */
const REMOVABLE = ['status', 'code', 'endpoint', 'since'] as const

const describeFilter = (name: (typeof REMOVABLE)[number], [value = '']: readonly string[]) =>
  name === 'since' && !Number.isNaN(Date.parse(value))
    ? `since ${formatShortInstant(Date.parse(value))}`
    : `${name} ${value}`

interface RequestLogProps {
  readonly all: readonly Exchange[]
  readonly shown: readonly Exchange[]
  readonly counts: Counts
  readonly marked: ReadonlySet<string>
  readonly setMarked: (marked: ReadonlySet<string>) => void
  readonly arrivals: ReturnType<typeof useArrivals>
}

function RequestLog({ all, shown, counts, marked, setMarked, arrivals }: RequestLogProps) {
  const { record, params, adjust, go } = useRoute()
  const pane = usePaneSize('requests', '--inspector')
  const isComplete = useFeed((feed) => feed.isLogComplete)
  const jumps = useFeed((feed) => feed.jumps)
  const length = useFeed((feed) => (feed.hasDeletedRequests ? feed.world?.log_length : undefined))
  const kept = length === undefined ? '' : `, older ones are deleted (at least ${formatCount(length)} stay)`
  const clear = useClearFilters()
  const hasInspector = record !== null
  const isWide = useIsWide(MIN_WIDTH_WITH_REAL_TIME)
  const hasResult = useIsWide(MIN_WIDTH_WITH_RESULT)
  const columns = useMemo(() => requestColumns(hasInspector, isWide, hasResult), [hasInspector, isWide, hasResult])
  const tools = useTableTools('requests', columns)
  const { sort, layout } = tools
  const sorted = useMemo(() => {
    const column = sort && columns.find(({ id }) => id === sort.id)
    return column ? sortRows(shown, column, sort.descending) : shown
  }, [shown, columns, sort])
  const group = useCallback(
    (rows: readonly Exchange[], isWhole: boolean) => buildRows(rows, isWhole ? jumps : []),
    [jumps],
  )
  // A click on a row opens the inspector, which hides columns: rows are copied with those, too.
  const copied = useMemo(() => arrangeColumns(requestColumns(false, true, true), layout), [layout])
  const realTime = useMemo(() => realTimeWidth(arrangeColumns(columns, layout)), [columns, layout])
  const { edit: _, ...others } = params
  const select = ({ uid }: Exchange) => (record === null ? go : adjust)({ record: uid, params: others })
  const filtered = isFiltered(params) ? `${formatCount(shown.length)} of ` : ''
  return (
    <Split style={{ ...pane.style, '--real-time': realTime } as React.CSSProperties}>
      <ListTable
        list="requests"
        title="Requests"
        all={all}
        columns={columns}
        tools={tools}
        arrivals={arrivals}
        group={group}
        copied={copied}
        marked={marked}
        shown={sorted}
        selected={record}
        onSelect={select}
        onOpen={(row) => {
          select(row)
          document.getElementById('request')?.focus()
        }}
        onMark={setMarked}
        addressOf={({ uid }) => formatRoute({ screen: 'requests', collection: null, record: uid, params: others })}
        menuOf={(row) => [
          { label: 'Copy as curl', run: () => void copyCurl(row) },
          {
            label: 'Save as HAR…',
            run: () => void perform(saveHar(marked.has(row.uid) ? all.filter(({ uid }) => marked.has(uid)) : [row])),
          },
          null,
          ...requestActions(row.uid).map((action) => ({ label: action.title, run: () => void perform(action) })),
        ]}
        scrollKey="requests"
        count={`${filtered}${plural(all.length, 'request')}${isComplete ? kept : ', loading'}`}
        order="following the newest"
        note={record === null && <Legend counts={counts} />}
        empty={
          !isComplete ? <Skeleton /> : isFiltered(params) ? <NoMatches one="request" clear={clear} /> : <NoRequests />
        }
      />
      {record !== null && (
        <>
          <Splitter label="Width of the right pane" sizes="after" onResize={pane.onResize} />
          <Inspector uid={record} close={() => adjust({ record: null, params: others })} />
        </>
      )}
    </Split>
  )
}

/** The log has only summaries: the request is read when it is copied. */
const copyCurl = async ({ uid, program_uid }: Exchange) =>
  copyText(formatCurl(readApiAccess(program_uid), await sandbox['exchanges.get']({ uid })))

/** Requests, newest first, for other tools and for a replay. */
const saveHar = (rows: readonly Exchange[]): Action => ({
  id: 'save har',
  icon: Download,
  title: 'Save as HAR',
  failed: 'The file was not saved.',
  run: async () => {
    const details = await Promise.all(rows.map(({ uid }) => sandbox['exchanges.get']({ uid })))
    const text = formatHar(readApiAccess(rows[0]!.program_uid).base_url, details)
    const isSaved = await saveFile('requests.har', text, 'application/json')
    return { message: isSaved ? `requests.har: ${plural(rows.length, 'request')}` : NOT_SAVED }
  },
})

/** What the glyphs in the list mean. */
const Legend = ({ counts }: { readonly counts: Counts }) =>
  MARKS.filter(({ name, isUsual }) => isUsual || (counts.get(name) ?? 0) > 0).map(({ name, one, signal, Icon }) => (
    <span key={name} className="row">
      <span className={`${signal} row`}>
        <Icon />
      </span>
      {one}
    </span>
  ))

/** Clears all filters but the Program. */
function useClearFilters() {
  const { params, adjust } = useRoute()
  return () => adjust({ params: pickParams(params, ['program', 'sort']) })
}

/** The requests of the current Program, and those without a valid token. */
function useExchanges(): readonly Exchange[] {
  const program = useProgram()?.uid
  const exchanges = useFeed((feed) => feed.exchanges)
  return useMemo(
    () => exchanges.filter(({ program_uid }) => program_uid === null || program_uid === program),
    [exchanges, program],
  )
}

function NoRequests() {
  const api = useFeed((feed) => feed.world?.api)
  const example = `curl -s ${api}/customers`
  return (
    <EmptyState
      title="Every request to the API appears here"
      text="With its response, what it did or why it was refused, and which of its fields were ignored."
      example={
        <>
          <ExampleHead>
            <span className="end">
              <CopyButton text={example} what="example" label="Copy" />
            </span>
          </ExampleHead>
          <CodeBlock>
            <span className={codeStyles.comment}># Without a token it is refused, and the error says why</span>
            <span>{example}</span>
          </CodeBlock>
        </>
      }
    >
      <li>
        Run a snippet with your values: <ConnectLink />
      </li>
      <li>
        Point your app at <code>{api}</code> and start it.
      </li>
      <li>
        Replay a HAR file, curl commands or a bundle:{' '}
        <ScreenLink screen="requests" params={{ replay: ['import'] }}>
          Import
        </ScreenLink>
      </li>
      <li>Or send one from this window:</li>
      {Object.entries(endpoints).map(([name, { method, path, summary }]) => (
        <li key={name}>
          <ScreenLink screen="reference" record={name}>{`${method} ${path}`}</ScreenLink> {summary}
        </li>
      ))}
    </EmptyState>
  )
}
