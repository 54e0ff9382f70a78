import { Lightbulb, RotateCcw, Upload, Zap } from 'lucide-react'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Exchange } from '../../../api/contract/control.ts'
import { ExportBundle } from '../../components/ExportBundle.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { exchangeFilter, isFiltered, METHODS } from '../../data/exchange-filter.ts'
import { isRefused, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
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
      <div className="bar">
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
        <button
          type="button"
          className="chip"
          aria-pressed={Boolean(params.refused)}
          onClick={() => filter('refused', params.refused ? [] : ['yes'])}
        >
          <Glyph name="broken" /> Refused {formatCount(refused)}
        </button>
        <button
          type="button"
          className="chip"
          aria-pressed={Boolean(params.hints)}
          onClick={() => filter('hints', params.hints ? [] : ['yes'])}
        >
          <Lightbulb size={12} strokeWidth={1.6} aria-hidden="true" /> Hints {formatCount(hinted)}
        </button>
        {(faulty > 0 || params.faults) && (
          <button
            type="button"
            className="chip"
            aria-pressed={Boolean(params.faults)}
            onClick={() => filter('faults', params.faults ? [] : ['yes'])}
          >
            <Zap size={12} strokeWidth={1.6} aria-hidden="true" /> Faults {formatCount(faulty)}
          </button>
        )}
        {filtered && (
          <button type="button" className="btn" onClick={clear}>
            Clear filters
          </button>
        )}
        <span className="end row" data-tight>
          <ScreenLink
            screen="requests"
            record={record}
            params={{ ...params, replay: ['own'] }}
            className="btn"
            likeliest={record === null && shown.length > 0}
          >
            <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
            Replay…
          </ScreenLink>
          <ScreenLink screen="requests" record={record} params={{ ...params, replay: ['import'] }} className="btn">
            <Upload size={12} strokeWidth={1.8} aria-hidden="true" />
            Import…
          </ScreenLink>
          <ExportBundle />
        </span>
      </div>
      <div className="split">
        <section className="table" aria-label="Requests">
          <DataTable
            ref={table}
            label="Requests, newest first"
            columns={record === null ? columns.alone : columns.withInspector}
            rows={rows}
            idOf={idOf}
            selected={record}
            onSelect={select}
            onOpen={() => document.querySelector<HTMLElement>('.inspector')?.focus()}
            marked={marked}
            onMark={setMarked}
            place="requests"
            least={record === null ? 900 : 420}
            onTop={(top) => setNewest((was) => (top ? null : (was ?? shown[0]?.uid ?? null)))}
            empty={!complete ? <Skeleton /> : filtered ? <NoHits clear={clear} /> : <NoRequests />}
          />
          <div className="foot">
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
                <button type="button" className="btn" data-small data-bare onClick={() => setMarked(new Set())}>
                  Clear
                </button>
              </span>
            )}
            {waiting > 0 ? (
              <button type="button" className="btn end" data-small onClick={follow}>
                {formatCount(waiting)} new, show
              </button>
            ) : (
              <span className="end">following the newest</span>
            )}
          </div>
        </section>
        {record !== null && <Inspector uid={record} close={() => adjust({ record: null })} />}
      </div>
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
    <p className="cap data soft">
      No request fits the filters.
      <button type="button" className="btn" data-small onClick={clear}>
        Clear filters
      </button>
    </p>
  )
}

function NoRequests() {
  const api = useFeed((feed) => feed.world?.api)
  const least = `curl -s ${api}/customers`
  return (
    <div className="empty">
      <div>
        <h2>Every request to the API shows here</h2>
        <p>With its answer, what it did or why it was refused, and which of its fields were ignored.</p>
        <ul>
          <li>
            Run a snippet with the values filled in: <ScreenLink screen="connect">Connect</ScreenLink>
          </li>
          <li>
            Point your app at <code>{api}</code> and start it.
          </li>
          <li>
            Send one from this window: <ScreenLink screen="reference">API reference</ScreenLink>
          </li>
        </ul>
      </div>
      <div>
        <div className="cap worked">
          <h2>One worked example</h2>
          <span className="end">
            <CopyButton text={least} what="example" label="Copy" />
          </span>
        </div>
        <pre className="code">
          <span className="c"># the least that is answered: a refusal, with its reason</span>
          <span>{least}</span>
        </pre>
      </div>
    </div>
  )
}
