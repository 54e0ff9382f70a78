import { Circle, ListChecks, Play } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { signalOfGlyph } from '../../components/Status.tsx'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import type { GlyphName } from '../../ui/Glyph.tsx'
import type { Signal } from '../../ui/GlyphText.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption, Footer, Pane, ScreenBar, Sidebar, Split } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import { Text } from '../../ui/Text.tsx'
import { useDrafts } from './drafts.ts'
import { parseErrors } from './errors.ts'
import { Recorder } from './Recorder.tsx'
import { RunReport } from './RunReport.tsx'
import { runAll, useRunAll } from './run-all.ts'
import { canReplaceRun, useRunner } from './runner.ts'
import { ScenarioPane } from './ScenarioPane.tsx'
import styles from './Scenarios.module.css'
import { describeRun, glyphOfRun } from './step-state.ts'
import { groupByTopic } from './topics.ts'
import { Welcome } from './Welcome.tsx'

const nameOf = ({ name }: ScenarioInfo) => name
const NONE: readonly ScenarioInfo[] = []

/** The scenarios of the user and of the library: run, step through, edit and record. */
export function Scenarios() {
  const { record, params, filter, go, adjust } = useRoute()
  const { data, error, slow } = useQuery('scenarios.list', {}, ['scenarios'])
  const all = data?.scenarios ?? NONE
  const q = useDeferredValue(params.q?.[0] ?? '')
  const groups = useMemo(() => groupByTopic(all, q), [all, q])
  const shown = groups.reduce((sum, { items }) => sum + items.length, 0)
  const list = usePaneSize('scenarios', '--sidebar')
  const isRecording = params.record !== undefined
  const isReport = params.report !== undefined && !isRecording
  const selected = isRecording || isReport ? undefined : all.find(({ name }) => name === record)
  const select = ({ name }: ScenarioInfo) => {
    const { record: _, report: __, ...others } = params
    if (record === null) go({ record: name, params: others })
    else adjust({ record: name, params: others })
  }
  const openRecorder = () => go({ params: { ...params, record: ['0'] } })
  const { report: _, ...withoutReport } = params
  return (
    <>
      <ScreenBar>
        <h1>Scenarios</h1>
        <SearchField
          value={params.q?.[0] ?? ''}
          onChange={(to) => filter('q', to === '' ? [] : [to])}
          label="Search scenarios"
          placeholder="name, title, description"
          width={248}
        />
        <span className="end row" data-tight>
          <RunAllButton scenarios={groups.flatMap(({ items }) => items)} isFiltered={q.trim() !== ''} />
        </span>
        <Button primary={!(selected || isRecording || isReport)} aria-pressed={isRecording} onClick={openRecorder}>
          <Circle size={10} fill="currentColor" aria-hidden="true" />
          Record…
        </Button>
      </ScreenBar>
      {error !== undefined && data === undefined && (
        <Notice title="The scenarios could not be read." error={error}>
          They are read again when the sandbox responds.
        </Notice>
      )}
      <Split data-stacks style={list.style}>
        <Sidebar aria-label="All scenarios">
          {data === undefined ? (
            slow && <Skeleton />
          ) : groups.length > 0 ? (
            <PickList
              label="Scenarios"
              className={styles.list}
              groups={groups}
              idOf={nameOf}
              selected={isRecording || isReport ? null : record}
              onSelect={select}
              onOpen={() => document.querySelector<HTMLElement>('[data-primary]')?.focus()}
              renderItem={(info) => <Row info={info} />}
            />
          ) : (
            <Caption as="p" className="data soft">
              No scenario matches.
              <Button small onClick={() => filter('q', [])}>
                Clear search
              </Button>
            </Caption>
          )}
          <Footer style={{ marginTop: 'auto' }}>
            {data && (
              <span>{`${shown === all.length ? '' : `${formatCount(shown)} of `}${plural(all.length, 'scenario')}`}</span>
            )}
          </Footer>
        </Sidebar>
        <Splitter label="Width of the list" sizes="before" onResize={list.onResize} />
        {isRecording ? (
          <Recorder taken={all.filter(({ own }) => own).map(nameOf)} />
        ) : isReport ? (
          <RunReport close={() => adjust({ params: withoutReport })} />
        ) : selected ? (
          <ScenarioPane key={selected.name} info={selected} names={all.filter(({ own }) => own).map(nameOf)} />
        ) : record !== null && data ? (
          <Pane aria-label="Scenario">
            <Notice title={`There is no scenario ${record}.`}>Choose one from the list.</Notice>
          </Pane>
        ) : (
          data && <Welcome record={openRecorder} first={all.find(({ own }) => !own)} select={select} />
        )}
      </Split>
    </>
  )
}

interface RunAllButtonProps {
  readonly scenarios: readonly ScenarioInfo[]
  readonly isFiltered: boolean
}

/** Runs the scenarios that are listed, and leads to their report afterwards. */
function RunAllButton({ scenarios, isFiltered }: RunAllButtonProps) {
  const { params, go } = useRoute()
  const { reports, isRunning } = useRunAll()
  const isPending = useRunner(({ pending }) => pending !== null)
  const isLive = useFeed((feed) => feed.connection === 'live')
  const isFree = useFeed((feed) => canReplaceRun(feed.run))
  const why = !isLive
    ? 'No connection.'
    : isPending || !isFree
      ? 'A scenario is running or paused.'
      : scenarios.length === 0
        ? 'No scenario is listed.'
        : undefined
  const openReport = () => go({ params: { ...params, report: ['all'] } })
  const hasReport = reports.length > 0 && params.report === undefined
  return (
    <>
      {hasReport && (
        <Button icon={ListChecks} onClick={openReport}>
          {isRunning ? 'Progress' : 'Report'}
        </Button>
      )}
      <Button
        whyNot={why}
        onClick={() => {
          void runAll(scenarios)
          openReport()
        }}
      >
        <Play size={12} fill="currentColor" strokeWidth={1.5} aria-hidden="true" />
        {isFiltered ? `Run these ${formatCount(scenarios.length)}` : 'Run all'}
      </Button>
    </>
  )
}

function Row({ info: { name, title, teaches, trouble } }: { info: ScenarioInfo }) {
  const run = useFeed((feed) => feed.runs[name])
  const isChanged = useDrafts(({ texts }) => texts[name] !== undefined)
  const hasStarted = run !== undefined && describeRun(run) !== null
  return (
    <>
      <b title={title}>
        <Text>{title}</Text>
      </b>
      <span className="meta" title={teaches ?? undefined}>
        {trouble !== null ? (
          <State signal="wait" glyph="decide" text="invalid" />
        ) : (
          hasStarted &&
          !isChanged && (
            <State signal={signalOfGlyph(glyphOfRun[run.state])} glyph={glyphOfRun[run.state]} text={run.state} />
          )
        )}
        {isChanged && 'unsaved · '}
        {trouble !== null ? (parseErrors(trouble)[0]?.text ?? name) : teaches === null ? name : <Text>{teaches}</Text>}
      </span>
    </>
  )
}

/** In the second line of its row, so that all rows have the same height. */
function State({ signal, glyph, text }: { signal: Signal; glyph: GlyphName; text: string }) {
  return (
    <>
      <GlyphText glyph={glyph} signal={signal}>
        {text}
      </GlyphText>
      {' · '}
    </>
  )
}
