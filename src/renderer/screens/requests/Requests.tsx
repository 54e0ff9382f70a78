import { Lightbulb, RotateCcw, Undo2, Upload, X, Zap } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { ExportBundle } from '../../components/ExportBundle.tsx'
import { ColumnsMenu } from '../../components/list/ColumnsMenu.tsx'
import { ListFooter } from '../../components/list/ListFooter.tsx'
import { pickParams, standAlone } from '../../components/list/model.ts'
import { RangeFilter } from '../../components/list/RangeFilter.tsx'
import { useRowMenu } from '../../components/list/RowMenu.tsx'
import { SavedViews } from '../../components/list/SavedViews.tsx'
import { sortRows } from '../../components/list/sort.ts'
import { type TableTools, useArrangedColumns, useTableTools } from '../../components/list/use-table-tools.ts'
import { ButtonLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { exchangeFilter, isFiltered, METHODS } from '../../data/exchange-filter.ts'
import { isRefused, useFeed } from '../../data/feed.ts'
import { formatRoute, useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { readApiAccess, useProgram } from '../../data/use-program.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatCurl } from '../../format/request.ts'
import { formatShortInstant } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { CodeBlock, codeStyles } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { arrangeColumns, type ColumnLayout } from '../../ui/column-layout.ts'
import { copyText } from '../../ui/copy.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState, ExampleHead } from '../../ui/EmptyState.tsx'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Caption, ScreenBar, Split, TableArea } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { Inspector } from './Inspector.tsx'
import { ReplayPage } from './ReplayPage.tsx'
import { buildRows, realTimeWidth, requestColumns } from './rows.tsx'

const idOf = ({ uid }: Exchange) => uid

/** From this window width on, the list without the inspector has space for the real time. */
const MIN_WIDTH_WITH_REAL_TIME = 1_240

/** The request log. It updates live and follows the newest request while it is scrolled to the top. */
export function Requests() {
  const { record, params } = useRoute()
  const all = useExchanges()
  const searchParams = useDeferredValue(params)
  const shown = useMemo(() => all.filter(exchangeFilter(searchParams)), [all, searchParams])
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [newest, setNewest] = useState<string | null>(null)
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
      <FilterBar all={all} shown={shown} />
      <RequestLog {...{ all, shown, marked, setMarked, newest, setNewest }} />
    </>
  )
}

interface ListProps {
  readonly all: readonly Exchange[]
  readonly shown: readonly Exchange[]
}

function FilterBar({ all, shown }: ListProps) {
  const { record, params, filter } = useRoute()
  const clear = useClearFilters()
  const refused = useMemo(() => all.filter(isRefused).length, [all])
  const withHints = useMemo(() => all.filter(({ hints }) => hints > 0).length, [all])
  const undone = useMemo(() => all.filter(({ undone_by }) => undone_by !== undefined).length, [all])
  const withFaults = useFaultCount(all)
  const toggle = (name: string) => filter(name, params[name] ? [] : ['yes'])
  return (
    <ScreenBar>
      <h1>Requests</h1>
      <SearchField
        value={params.q?.[0] ?? ''}
        onChange={(q) => filter('q', q === '' ? [] : [q])}
        label="Search requests"
        placeholder="path, uid, trace id, time"
        width={200}
      />
      <FilterMenu
        name="Method"
        options={METHODS}
        chosen={params.method ?? []}
        onChange={(method) => filter('method', method)}
      />
      <Chip pressed={Boolean(params.refused)} onClick={() => toggle('refused')}>
        <Glyph name="broken" /> Refused {formatCount(refused)}
      </Chip>
      <Chip pressed={Boolean(params.hints)} onClick={() => toggle('hints')}>
        <Lightbulb size={12} strokeWidth={1.6} aria-hidden="true" /> Hints {formatCount(withHints)}
      </Chip>
      {(undone > 0 || params.undone) && (
        <Chip pressed={Boolean(params.undone)} onClick={() => toggle('undone')}>
          <Undo2 size={12} strokeWidth={1.6} aria-hidden="true" /> Undone {formatCount(undone)}
        </Chip>
      )}
      {(withFaults > 0 || params.faults) && (
        <Chip pressed={Boolean(params.faults)} onClick={() => toggle('faults')}>
          <Zap size={12} strokeWidth={1.6} aria-hidden="true" /> Faults {formatCount(withFaults)}
        </Chip>
      )}
      {REMOVABLE.map((name) =>
        params[name] ? (
          <Chip key={name} on title={`Remove the filter by ${name}`} onClick={() => filter(name, [])}>
            {describeFilter(name, params[name])} <X size={12} strokeWidth={1.8} aria-hidden="true" />
          </Chip>
        ) : null,
      )}
      <RangeFilter title="Date" params={['from', 'to']} kind="date" />
      {isFiltered(params) && <Button onClick={clear}>Clear filters</Button>}
      <span className="end row" data-tight>
        <ButtonLink
          screen="requests"
          record={record}
          params={{ ...params, replay: ['own'] }}
          primary={record === null && shown.length > 0}
        >
          <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
          Replay…
        </ButtonLink>
        <ButtonLink screen="requests" record={record} params={{ ...params, replay: ['import'] }}>
          <Upload size={12} strokeWidth={1.8} aria-hidden="true" />
          Import…
        </ButtonLink>
        <ExportBundle />
      </span>
    </ScreenBar>
  )
}

/** Filters that only links set. */
const REMOVABLE = ['status', 'code', 'endpoint', 'since'] as const

const describeFilter = (name: (typeof REMOVABLE)[number], [value = '']: readonly string[]) =>
  name === 'since' && !Number.isNaN(Date.parse(value))
    ? `since ${formatShortInstant(Date.parse(value))}`
    : `${name} ${value}`

interface RequestLogProps extends ListProps {
  readonly marked: ReadonlySet<string>
  readonly setMarked: (marked: ReadonlySet<string>) => void
  /**
   * The first row while the user reads further down: later requests are only counted, so that the rows do not move. Null
   * at the top of the list.
   */
  readonly newest: string | null
  readonly setNewest: React.Dispatch<React.SetStateAction<string | null>>
}

function RequestLog({ all, shown, marked, setMarked, newest, setNewest }: RequestLogProps) {
  const { record, params, adjust, go } = useRoute()
  const pane = usePaneSize('requests', '--inspector')
  const isComplete = useFeed((feed) => feed.isLogComplete)
  const jumps = useFeed((feed) => feed.jumps)
  const table = useRef<{ toTop(): void }>(null)
  const index = newest === null ? -1 : shown.findIndex(({ uid }) => uid === newest)
  const newCount = Math.max(0, index)
  const hasInspector = record !== null
  const isWide = useIsWide(MIN_WIDTH_WITH_REAL_TIME)
  const columns = useMemo(() => requestColumns(hasInspector, isWide), [hasInspector, isWide])
  const tools = useTableTools('requests', columns)
  const { sort } = tools
  const sorted = sort && columns.find(({ id }) => id === sort.id)
  /** Rows of days are shown while the rows are in the order of simulated time. */
  const isByTime = sort === undefined || sort.id === 'time'
  const drawn = useMemo(() => (isByTime ? columns : columns.map(standAlone)), [columns, isByTime])
  const { visible, minWidth } = useArrangedColumns(drawn, tools.layout, hasInspector ? 504 : isWide ? 900 : 664)
  const settled = useMemo(() => {
    const still = shown.slice(newCount)
    return sort && sorted ? sortRows(still, sorted, sort.descending) : still
  }, [shown, newCount, sort, sorted])
  const rows = useMemo(
    () => (isByTime ? buildRows(settled, sort || newCount > 0 ? [] : jumps) : settled),
    [settled, newCount, jumps, sort, isByTime],
  )
  const select = ({ uid }: Exchange) => (record === null ? go({ record: uid, params }) : adjust({ record: uid }))
  const openRequest = () => document.getElementById('request')?.focus()
  const { copyRows, onMenu } = useRowMenu({
    ...{ tools, visible: useCopiedColumns(tools.layout), rows: settled, marked },
    onOpen: (row: Exchange) => {
      select(row)
      openRequest()
    },
    addressOf: ({ uid }) => formatRoute({ screen: 'requests', collection: null, record: uid, params }),
    more: (row: Exchange) => [{ label: 'Copy as curl', run: () => void copyCurl(row) }],
  })
  const showNewest = () => {
    setNewest(null)
    table.current?.toTop()
  }
  return (
    <Split style={{ ...pane.style, '--real-time': realTimeWidth(visible) } as React.CSSProperties}>
      <TableArea as="section" aria-label="Requests">
        <DataTable
          ref={table}
          label={
            sort
              ? `Requests, sorted by ${sorted?.header}, ${sort.descending ? 'descending' : 'ascending'}`
              : 'Requests, newest first'
          }
          columns={visible}
          headers={tools.headers}
          onCopy={copyRows}
          onMenu={onMenu}
          rows={rows}
          idOf={idOf}
          selected={record}
          onSelect={select}
          onOpen={openRequest}
          marked={marked}
          onMark={setMarked}
          scrollKey="requests"
          minWidth={minWidth}
          onTopChange={(isAtTop) => setNewest((was) => (isAtTop ? null : (was ?? shown[0]?.uid ?? null)))}
          empty={!isComplete ? <Skeleton /> : isFiltered(params) ? <NoMatches /> : <NoRequests />}
        />
        <ListFooter
          count={`${isFiltered(params) ? `${formatCount(shown.length)} of ` : ''}${plural(all.length, 'request')}${isComplete ? '' : ', loading'}`}
          order={sort ? `by ${sorted?.header}` : 'following the newest'}
          waiting={newCount}
          onShowNew={showNewest}
        >
          {record === null && <Legend all={all} />}
          {marked.size > 0 && (
            <span className="row live" role="status">
              {formatCount(marked.size)} chosen
              <Button
                small
                bare
                title="As tab-separated text, for a spreadsheet: Ctrl C"
                onClick={() => copyRows(marked)}
              >
                Copy rows
              </Button>
              <Button small bare onClick={() => setMarked(new Set())}>
                Clear
              </Button>
            </span>
          )}
          <span className="end row" data-tight>
            <SavedViews list="requests" />
            <ColumnsMenu tools={tools as unknown as TableTools<never>} visible={visible} />
          </span>
        </ListFooter>
      </TableArea>
      {record !== null && <Splitter label="Width of the right pane" sizes="after" onResize={pane.onResize} />}
      {record !== null && <Inspector uid={record} close={() => adjust({ record: null })} />}
    </Split>
  )
}

/** A click on a row opens the inspector, which hides columns: rows are copied with those, too. */
const useCopiedColumns = (layout: ColumnLayout) =>
  useMemo(() => arrangeColumns(requestColumns(false, true), layout), [layout])

/** The log has only summaries: the request is read when it is copied. */
const copyCurl = async ({ uid, program_uid }: Exchange) =>
  copyText(formatCurl(readApiAccess(program_uid), await sandbox['exchanges.get']({ uid })))

/** What the glyphs in the list mean. */
function Legend({ all }: { all: readonly Exchange[] }) {
  const withFaults = useFaultCount(all)
  return (
    <>
      <span className="row">
        <span className="bad row">
          <Glyph name="broken" />
        </span>
        refused
      </span>
      <span className="row">
        <Lightbulb className="wait" size={12} strokeWidth={1.6} aria-hidden="true" /> hint
      </span>
      {all.some(({ undone_by }) => undone_by) && (
        <span className="row">
          <Undo2 className="wait" size={12} strokeWidth={1.6} aria-hidden="true" /> undone
        </span>
      )}
      {withFaults > 0 && (
        <span className="row">
          <Zap className="wait" size={12} strokeWidth={1.6} aria-hidden="true" /> fault
        </span>
      )}
    </>
  )
}

const useFaultCount = (all: readonly Exchange[]) =>
  useMemo(() => all.filter(({ fault }) => fault !== undefined).length, [all])

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

function NoMatches() {
  const clear = useClearFilters()
  return (
    <Caption as="p" className="data soft">
      No request matches the filters.
      <Button small onClick={clear}>
        Clear filters
      </Button>
    </Caption>
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
        Run a snippet with your values: <ScreenLink screen="connect">Connect</ScreenLink>
      </li>
      <li>
        Point your app at <code>{api}</code> and start it.
      </li>
      <li>
        Send one from this window: <ScreenLink screen="reference">API reference</ScreenLink>
      </li>
      <li>
        Replay a HAR file, curl commands or a bundle:{' '}
        <ScreenLink screen="requests" params={{ replay: ['import'] }}>
          Import
        </ScreenLink>
      </li>
    </EmptyState>
  )
}
