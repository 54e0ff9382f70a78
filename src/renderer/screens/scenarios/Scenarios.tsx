import { Circle, ListChecks, Play, Square, X } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { ButtonLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { signalOfGlyph } from '../../components/Status.tsx'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, formatMilliseconds, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock, renderCodeLines } from '../../ui/CodeBlock.tsx'
import { SearchField } from '../../ui/Field.tsx'
import {
  Actions,
  Caption,
  Footer,
  Pane,
  PaneIntro,
  RunStatus,
  ScreenBar,
  Sidebar,
  Split,
  Splitter,
  usePaneSize,
} from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { EmptyState, ExampleHead, Notice, Skeleton, Way } from '../../ui/Notice.tsx'
import { type PickGroup, PickList } from '../../ui/PickList.tsx'
import { Table } from '../../ui/Table.tsx'
import { type GlyphName, GlyphText, Text } from '../../ui/Text.tsx'
import { Recorder } from './Recorder.tsx'
import {
  canReplaceRun,
  describeRun,
  glyphOfRun,
  parseErrors,
  runAll,
  type ScenarioReport,
  stopAll,
  useDrafts,
  useRunAll,
  useRunner,
} from './runner.ts'
import { ScenarioPane } from './ScenarioPane.tsx'
import styles from './Scenarios.module.css'

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
  // The list may have been read before the scenario was saved.
  const isUnlisted = record !== null && data !== undefined && !selected && !isRecording && !isReport
  const missing = useQuery('scenarios.read', isUnlisted ? { name: record } : null, ['scenarios'])
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
        ) : isUnlisted ? (
          <Pane aria-label="Scenario">
            {missing.error === undefined ? (
              <Skeleton />
            ) : (
              <Notice title={`There is no scenario ${record}.`}>Choose one from the list.</Notice>
            )}
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
  const ran = trouble === null && !isChanged && run !== undefined && describeRun(run) !== null ? run.state : undefined
  const glyph = trouble === null ? ran && glyphOfRun[ran] : 'decide'
  return (
    <>
      <b title={title}>
        <Text>{title}</Text>
      </b>
      <span className="meta" title={teaches ?? undefined}>
        {/* In the second line, so that all rows have the same height. */}
        {glyph && (
          <>
            <GlyphText glyph={glyph} signal={signalOfGlyph(glyph)}>
              {ran ?? 'invalid'}
            </GlyphText>
            {' · '}
          </>
        )}
        {isChanged && 'unsaved · '}
        {trouble !== null ? (parseErrors(trouble)[0]?.text ?? name) : teaches === null ? name : <Text>{teaches}</Text>}
      </span>
    </>
  )
}

/** The library by rail and topic: the beginnings of its file names. */
const TOPICS: readonly (readonly [title: string, beginnings: readonly string[]])[] = [
  ['Worlds to start from', ['a-funded-customer']],
  ['Onboarding', ['onboarding-', 'customers-']],
  ['ACH', ['ach-']],
  ['Wires', ['wire-']],
  ['Instant payments', ['instant-payment-']],
  ['VRNs', ['vrn-']],
  ['Transfers', ['transfers-', 'combined-transfer', 'movements-']],
  ['Returns', ['returns-']],
  ['Limits', ['limits-']],
  ['Archival', ['archival-', 'accounts-']],
  ['Webhooks', ['webhooks-']],
  ['Programs and tokens', ['programs-', 'tokens-']],
  ['Requests and faults', ['requests-', 'duplicate-', 'faults-', 'sandbox-']],
]

const OWN = 'Your scenarios'
const OTHER = 'Other'

const topicOf = ({ name, own }: Pick<ScenarioInfo, 'name' | 'own'>): string =>
  own ? OWN : (TOPICS.find(([, all]) => all.some((beginning) => name.startsWith(beginning)))?.[0] ?? OTHER)

/** The scenarios of the user first, then the library. A search for a topic finds its scenarios. */
export function groupByTopic(all: readonly ScenarioInfo[], q: string): PickGroup<ScenarioInfo>[] {
  const text = q.trim().toLowerCase()
  const found = all.filter((info) =>
    `${info.name}\n${info.title}\n${info.teaches ?? ''}\n${topicOf(info)}`.toLowerCase().includes(text),
  )
  return [OWN, ...TOPICS.map(([title]) => title), OTHER]
    .map((title) => ({ title, items: found.filter((info) => topicOf(info) === title) }))
    .filter(({ items }) => items.length > 0)
}

const EXAMPLE = `name: A Customer is created
teaches: The smallest test is one request with expectations for its response.

steps:
  - name: Create a Customer
    request: POST /customers
    body: { email: ada@example.test }
    expect:
      status: 201
      body: { status: initiated }
    capture: { customer: uid }

  - expect:
      states: { customers/$customer: initiated }
      ledger: balanced`

interface WelcomeProps {
  readonly record: () => void
  readonly first: ScenarioInfo | undefined
  readonly select: (info: ScenarioInfo) => void
}

/** Shown until a scenario is selected: what scenarios are, and three ways to start. */
function Welcome({ record, first, select }: WelcomeProps) {
  return (
    <Pane aria-label="About scenarios" tabIndex={0}>
      <EmptyState
        stacked
        title="A scenario is a test you can read"
        text={
          <>
            Requests, decisions and clock advances, each with expectations. Step through a file here, and run the same
            file in CI with <code>sandbank run</code>.
          </>
        }
        example={
          <>
            <ExampleHead />
            <CodeBlock>{renderCodeLines(EXAMPLE)}</CodeBlock>
          </>
        }
      >
        {first && (
          <Way title="From the library" text="Choose a scenario from the list, then run it or step through it.">
            <Button onClick={() => select(first)}>Open the first</Button>
          </Way>
        )}
        <Way title="Record" text="Use your app as usual: its requests become a file, and uids become variables.">
          <Button onClick={record}>Record…</Button>
        </Way>
        <Way title="From a recording" text="Import a HAR file, curl lines or a bundle into this world, then record it.">
          <ButtonLink screen="requests" params={{ replay: ['import'] }}>
            Import…
          </ButtonLink>
        </Way>
      </EmptyState>
    </Pane>
  )
}

const glyphOf: Readonly<Record<ScenarioReport['state'], GlyphName>> = {
  waiting: 'not-begun',
  running: 'under-way',
  passed: 'done',
  failed: 'broken',
  'not run': 'stopped',
}

/** Failed ones first. */
const ORDER: readonly ScenarioReport['state'][] = ['failed', 'running', 'not run', 'passed', 'waiting']

/** The results of Run all; each leads to its scenario. */
function RunReport({ close }: { close: () => void }) {
  const { reports, isRunning } = useRunAll()
  const { report: _, ...params } = useRoute((view) => view.params)
  const countOf = (state: ScenarioReport['state']) => reports.filter((one) => one.state === state).length
  const [passed, failed, skipped] = [countOf('passed'), countOf('failed'), countOf('not run')]
  const done = passed + failed + skipped
  const ms = reports.reduce((sum, one) => sum + one.ms, 0)
  const sorted = reports.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <Pane aria-label="Report" tabIndex={0}>
      <PaneIntro>
        <h2>
          {isRunning
            ? `Running ${plural(reports.length, 'scenario')}`
            : `Report of ${plural(reports.length, 'scenario')}`}
        </h2>
        <p className="soft">Each runs in a temporary world; the current world does not change.</p>
      </PaneIntro>
      <Actions className={styles.actions}>
        <Button whyNot={isRunning ? undefined : 'No scenario is running.'} onClick={stopAll}>
          <Square size={11} fill="currentColor" aria-hidden="true" />
          Stop
        </Button>
        <Button whyNot={isRunning ? 'It is running.' : undefined} onClick={close}>
          <X size={12} aria-hidden="true" />
          Close the report
        </Button>
        <RunStatus className="data" role="status">
          <GlyphText glyph={glyphOf.passed} signal={signalOfGlyph(glyphOf.passed)}>
            {formatCount(passed)} passed
          </GlyphText>
          {failed > 0 && (
            <GlyphText glyph={glyphOf.failed} signal={signalOfGlyph(glyphOf.failed)}>
              {formatCount(failed)} failed
            </GlyphText>
          )}
          {skipped > 0 && <span>{formatCount(skipped)} not run</span>}
          <span className="faint nowrap">{formatMilliseconds(ms)} ms</span>
          {isRunning && <Meter value={done} max={reports.length} label="Scenarios done" />}
        </RunStatus>
      </Actions>
      <Table
        headers={[
          { label: 'State', width: 104 },
          { label: 'Scenario' },
          { label: 'Steps', width: 64, right: true },
          { label: 'ms', width: 80, right: true },
        ]}
      >
        {sorted.map(({ name, title, state, why, steps, ms: took }) => (
          <tr key={name}>
            <td>
              <GlyphText
                glyph={glyphOf[state]}
                signal={state === 'waiting' || state === 'not run' ? 'soft' : signalOfGlyph(glyphOf[state])}
              >
                {state}
              </GlyphText>
            </td>
            <td>
              <ScreenLink screen="scenarios" record={name} params={params} title={name}>
                <Text>{title}</Text>
              </ScreenLink>
              {why !== '' && (
                <div className={state === 'failed' ? 'bad' : 'soft'}>
                  <Text>{why}</Text>
                </div>
              )}
            </td>
            <td data-right="">{steps === 0 ? '–' : formatCount(steps)}</td>
            <td data-right="">{steps === 0 ? '–' : formatMilliseconds(took)}</td>
          </tr>
        ))}
      </Table>
    </Pane>
  )
}
