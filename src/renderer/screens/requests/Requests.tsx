import { Lightbulb, RotateCcw, Upload, Zap } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { ExportBundle } from '../../components/ExportBundle.tsx'
import { ButtonLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { exchangeFilter, isFiltered, METHODS } from '../../data/exchange-filter.ts'
import { isRefused, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { CodeBlock, codeStyles } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState, ExampleHead } from '../../ui/EmptyState.tsx'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Caption, Footer, ScreenBar, Split, TableArea } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Inspector } from './Inspector.tsx'
import { ReplayPage } from './ReplayPage.tsx'
import { columns, rowsOf } from './rows.tsx'

const idOf = ({ uid }: Exchange) => uid

/** The request log, live: newest first, following the newest while its top is in sight. */
export function Requests() {
  const { record, params, filter, adjust, go } = useRoute()
  const all = useExchanges()
  const complete = useFeed((feed) => feed.complete)
  const jumps = useFeed((feed) => feed.jumps)
  const searched = useDeferredValue(params)
  const shown = useMemo(() => all.filter(exchangeFilter(searched)), [all, searched])

  // Away from the top nothing may push the rows that are being read: newer ones wait above and are counted.
  const [newest, setNewest] = useState<string | null>(null)
  const table = useRef<{ toTop(): void }>(null)
  const waiting =
    newest === null
      ? 0
      : Math.max(
          0,
          shown.findIndex(({ uid }) => uid === newest),
        )
  const rows = useMemo(() => rowsOf(shown.slice(waiting), waiting > 0 ? [] : jumps), [shown, waiting, jumps])

  const select = ({ uid }: Exchange) => (record === null ? go({ record: uid, params }) : adjust({ record: uid }))
  const refused = useMemo(() => all.filter(isRefused).length, [all])
  const hinted = useMemo(() => all.filter(({ hints }) => hints > 0).length, [all])
  const faulty = useMemo(() => all.filter(({ fault }) => fault !== undefined).length, [all])
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const filtered = isFiltered(params)
  const clear = () => adjust({ params: params.program ? { program: params.program } : {} })
  const follow = () => {
    setNewest(null)
    table.current?.toTop()
  }
  if (params.replay)
    return (
      <ReplayPage
        imports={params.replay[0] === 'import'}
        selected={all.find(({ uid }) => uid === record)}
        marked={marked}
        shown={shown}
      />
    )
  return (
    <>
      <ScreenBar>
        <h1>Requests</h1>
        <SearchField
          value={params.q?.[0] ?? ''}
          onChange={(q) => filter('q', q === '' ? [] : [q])}
          label="Search requests"
          placeholder="path, uid, trace id"
          width={200}
        />
        <FilterMenu
          name="Method"
          options={METHODS}
          chosen={params.method ?? []}
          onChange={(method) => filter('method', method)}
        />
        <Chip pressed={Boolean(params.refused)} onClick={() => filter('refused', params.refused ? [] : ['yes'])}>
          <Glyph name="broken" /> Refused {formatCount(refused)}
        </Chip>
        <Chip pressed={Boolean(params.hints)} onClick={() => filter('hints', params.hints ? [] : ['yes'])}>
          <Lightbulb size={12} strokeWidth={1.6} aria-hidden="true" /> Hints {formatCount(hinted)}
        </Chip>
        {(faulty > 0 || params.faults) && (
          <Chip pressed={Boolean(params.faults)} onClick={() => filter('faults', params.faults ? [] : ['yes'])}>
            <Zap size={12} strokeWidth={1.6} aria-hidden="true" /> Faults {formatCount(faulty)}
          </Chip>
        )}
        {filtered && <Button onClick={clear}>Clear filters</Button>}
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
      <Split>
        <TableArea as="section" aria-label="Requests">
          <DataTable
            ref={table}
            label="Requests, newest first"
            columns={record === null ? columns.alone : columns.withInspector}
            rows={rows}
            idOf={idOf}
            selected={record}
            onSelect={select}
            onOpen={() => document.getElementById('request')?.focus()}
            marked={marked}
            onMark={setMarked}
            place="requests"
            least={record === null ? 900 : 420}
            onTop={(top) => setNewest((was) => (top ? null : (was ?? shown[0]?.uid ?? null)))}
            empty={!complete ? <Skeleton /> : filtered ? <NoHits clear={clear} /> : <NoRequests />}
          />
          <Footer>
            <span>
              {filtered ? `${formatCount(shown.length)} of ` : ''}
              {plural(all.length, 'request')}
              {complete ? '' : ', reading'}
            </span>
            <span className="row">
              <span className="bad row">
                <Glyph name="broken" />
              </span>
              refused
            </span>
            <span className="row">
              <Lightbulb className="wait" size={12} strokeWidth={1.6} aria-hidden="true" /> hint
            </span>
            {faulty > 0 && (
              <span className="row">
                <Zap className="wait" size={12} strokeWidth={1.6} aria-hidden="true" /> fault
              </span>
            )}
            {marked.size > 0 && (
              <span className="row live" role="status">
                {formatCount(marked.size)} chosen
                <Button small bare onClick={() => setMarked(new Set())}>
                  Clear
                </Button>
              </span>
            )}
            {waiting > 0 ? (
              <Button className="end" small onClick={follow}>
                {formatCount(waiting)} new, show
              </Button>
            ) : (
              <span className="end">following the newest</span>
            )}
          </Footer>
        </TableArea>
        {record !== null && <Inspector uid={record} close={() => adjust({ record: null })} />}
      </Split>
    </>
  )
}

/** Those of the Program in view, and those that named none. */
function useExchanges(): readonly Exchange[] {
  const program = useProgram()?.uid
  const exchanges = useFeed((feed) => feed.exchanges)
  return useMemo(
    () => exchanges.filter(({ program_uid }) => program_uid === null || program_uid === program),
    [exchanges, program],
  )
}

function NoHits({ clear }: { clear: () => void }) {
  return (
    <Caption as="p" className="data soft">
      No request fits the filters.
      <Button small onClick={clear}>
        Clear filters
      </Button>
    </Caption>
  )
}

function NoRequests() {
  const api = useFeed((feed) => feed.world?.api)
  const least = `curl -s ${api}/customers`
  return (
    <EmptyState
      title="Every request to the API shows here"
      text="With its answer, what it did or why it was refused, and which of its fields were ignored."
      example={
        <>
          <ExampleHead>
            <span className="end">
              <CopyButton text={least} what="example" label="Copy" />
            </span>
          </ExampleHead>
          <CodeBlock>
            <span className={codeStyles.comment}># the least that is answered: a refusal, with its reason</span>
            <span>{least}</span>
          </CodeBlock>
        </>
      }
    >
      <li>
        Run a snippet with the values filled in: <ScreenLink screen="connect">Connect</ScreenLink>
      </li>
      <li>
        Point your app at <code>{api}</code> and start it.
      </li>
      <li>
        Send one from this window: <ScreenLink screen="reference">API reference</ScreenLink>
      </li>
    </EmptyState>
  )
}
