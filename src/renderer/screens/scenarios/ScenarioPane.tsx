import { ChevronDown, Pause, Play, StepForward, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ScenarioInfo, ScenarioInto, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { signalOfGlyph } from '../../components/Status.tsx'
import { useFeed } from '../../data/feed.ts'
import { formatCount, formatMilliseconds } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Actions, Caption, Pane, PaneIntro, RunStatus } from '../../ui/Layout.tsx'
import { RadioMenu } from '../../ui/Menu.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Text } from '../../ui/Text.tsx'
import { type Chosen, go, lookAt, mayMakeRoom, pause, undo, useRunner } from './runner.ts'
import styles from './ScenarioPane.module.css'
import shared from './Scenarios.module.css'
import { Steps } from './Steps.tsx'
import { isGoingOn, sayRun, shapeOfRun } from './step-state.ts'
import { TextPane } from './TextPane.tsx'

/** The scenario that was chosen: what it teaches, its steps with what came of them, its text. */
export function ScenarioPane({ info, names }: { info: ScenarioInfo; names: readonly string[] }) {
  const { name, trouble } = info
  const run = useFeed((feed) => feed.runs[name])
  const [example, setExample] = useState(run?.example ?? 0)
  const [into, setInto] = useState<ScenarioInto>(run?.into ?? 'scratch')
  const [part, setPart] = useState(trouble === null ? 'steps' : 'text')
  const [line, setLine] = useState<{ line: number; column: number } | null>(null)
  const chosen: Chosen = { name, example, into }
  useSteps(info)
  const shown = run && run.example === example ? run : undefined
  const openLine = (at: number) => {
    setPart('text')
    setLine({ line: at, column: 1 })
  }
  return (
    <Pane aria-label="Scenario">
      <Heading info={info} example={example} setExample={setExample} into={into} setInto={setInto} />
      <Hands chosen={chosen} run={shown} whyNot={trouble === null ? undefined : 'Its text is in trouble: see there.'} />
      <Troubled name={name} />
      {into === 'present' && <MakesRoom chosen={chosen} run={shown} />}
      <Tabs value={part} onValueChange={setPart} className={styles.parts}>
        <TabBar
          label="Parts of the scenario"
          className={styles.tabs}
          tabs={[
            { value: 'steps', label: <>Steps {trouble === null && formatCount(info.steps)}</> },
            { value: 'text', label: 'Text' },
          ]}
        >
          <span className="end row meta">
            <span className="mono cut">{name}</span>
            <CopyButton text={`sandbank run ${name}`} what="command that runs it" small />
          </span>
        </TabBar>
        <TabPanel value="steps" className={styles.panel}>
          {trouble === null ? (
            <Steps info={info} run={shown ?? run} fresh={shown === undefined} chosen={chosen} openLine={openLine} />
          ) : (
            <Caption as="p" className="data soft">
              Its steps cannot be read: the text says why.
            </Caption>
          )}
        </TabPanel>
        <TabPanel value="text" className={styles.panel}>
          <TextPane info={info} names={names} goTo={line} />
        </TabPanel>
      </Tabs>
    </Pane>
  )
}

/** Steps are known once the scenario stands before its first one; nobody's run is disturbed for it. */
function useSteps({ name, trouble }: ScenarioInfo) {
  const known = useFeed((feed) => feed.runs[name] !== undefined)
  const free = useFeed((feed) => feed.connection === 'live' && mayMakeRoom(feed.run))
  const pending = useRunner((state) => state.pending !== null)
  const wanted = trouble === null && !known && free && !pending
  useEffect(() => {
    if (!wanted) return
    // Arrows may pass over many of them.
    const timer = setTimeout(() => void lookAt(name), 120)
    return () => clearTimeout(timer)
  }, [wanted, name])
}

interface HeadingProps {
  readonly info: ScenarioInfo
  readonly example: number
  readonly setExample: (example: number) => void
  readonly into: ScenarioInto
  readonly setInto: (into: ScenarioInto) => void
}

function Heading({ info, example, setExample, into, setInto }: HeadingProps) {
  const { title, teaches, examples } = info
  return (
    <PaneIntro>
      <h2>
        <Text>{title}</Text>
      </h2>
      {teaches !== null && (
        <p className="soft">
          <Text>{teaches}</Text>
        </p>
      )}
      <div className={shared.options}>
        <Choice
          inline
          legend="Runs in"
          value={into}
          onChange={setInto}
          options={[
            { value: 'scratch', label: 'a world of its own' },
            { value: 'present', label: 'this world' },
          ]}
        />
        {examples.length > 0 && <Examples rows={examples} chosen={example} choose={setExample} />}
      </div>
    </PaneIntro>
  )
}

function Examples({ rows, chosen, choose }: { rows: readonly string[]; chosen: number; choose: (at: number) => void }) {
  return (
    <RadioMenu
      trigger={
        <Chip title={rows[chosen]}>
          row {chosen + 1} of {formatCount(rows.length)}:{' '}
          <Text className="mono cut">{rows[chosen] ?? rows[0] ?? ''}</Text>
          <ChevronDown size={12} aria-hidden="true" />
        </Chip>
      }
      value={chosen}
      onChange={choose}
      options={rows.map((row, at) => ({ value: at, label: <Text className="mono">{row}</Text> }))}
    />
  )
}

interface HandsProps {
  readonly chosen: Chosen
  readonly run: ScenarioRun | undefined
  readonly whyNot: string | undefined
}

function Hands({ chosen, run, whyNot }: HandsProps) {
  const current = useFeed((feed) => feed.run)
  const live = useFeed((feed) => feed.connection === 'live')
  const pending = useRunner((state) => state.pending)
  const runs = current?.state === 'running'
  const mine = isGoingOn(current, chosen) && current!.at > 0
  const why = whyNot ?? (!live ? 'No connection.' : pending || runs ? 'A scenario is running.' : undefined)
  return (
    <Actions className={shared.actions}>
      <Button
        primary
        aria-disabled={why !== undefined}
        title={why}
        onClick={() => why === undefined && void go('run', chosen)}
      >
        <Play size={12} fill="currentColor" strokeWidth={1.5} aria-hidden="true" />
        {mine ? 'Go on' : 'Run'}
      </Button>
      <Button
        aria-disabled={why !== undefined}
        title={why}
        onClick={() => why === undefined && void go('step', chosen)}
      >
        <StepForward size={12} strokeWidth={1.6} aria-hidden="true" />
        Step
      </Button>
      <Button
        aria-disabled={!runs}
        title={runs ? 'When its step is done' : 'Nothing is running.'}
        onClick={() => runs && void pause(chosen)}
      >
        <Pause size={12} fill="currentColor" strokeWidth={1.5} aria-hidden="true" />
        Pause
      </Button>
      <Standing run={run} />
    </Actions>
  )
}

function Standing({ run }: { run: ScenarioRun | undefined }) {
  const said = run && sayRun(run)
  return (
    <RunStatus className="data" role="status">
      {run && said ? (
        <>
          <GlyphText signal={signalOfGlyph(shapeOfRun[run.state])}>
            <Glyph name={shapeOfRun[run.state]} />
            {said}
          </GlyphText>
          <span className="faint nowrap">{formatMilliseconds(run.result.ms)} ms</span>
          {(run.state === 'running' || run.state === 'paused') && (
            <Meter value={run.result.steps.length} max={run.steps.length} label="Steps done" />
          )}
        </>
      ) : (
        <span className="faint">not run yet</span>
      )}
    </RunStatus>
  )
}

function Troubled({ name }: { name: string }) {
  const error = useRunner((state) => state.error)
  if (error?.name !== name) return null
  return (
    <Notice title={error.title} error={error.error}>
      <Button small onClick={() => useRunner.setState({ error: null })}>
        Close
      </Button>
    </Notice>
  )
}

/** In the present world: what it costs, and the way back. */
function MakesRoom({ chosen, run }: { chosen: Chosen; run: ScenarioRun | undefined }) {
  const { pending, undone } = useRunner()
  const began_at = run?.into === 'present' ? run.began_at : null
  const taken = began_at !== null && run?.state !== 'running'
  return (
    <NoticeLine className="row" waits>
      <span className="grow">
        {taken && undone === began_at ? (
          <>
            <b>Taken back.</b> The world is as it was before the scenario, at commit {formatCount(began_at)}.
          </>
        ) : taken ? (
          <>
            <b>The present world has made room.</b> Look around in it; Undo brings back what was there, as it was at
            commit {formatCount(began_at)}.
          </>
        ) : (
          <>
            <b>The present world makes room:</b> it begins again as the scenario says, and its faults are cleared. Undo
            brings it back afterwards.
          </>
        )}
      </span>
      <Button
        aria-disabled={!taken || undone === began_at || pending !== null}
        title={taken ? undefined : 'It has not run in this world yet.'}
        onClick={() => taken && undone !== began_at && pending === null && void undo(chosen, began_at)}
      >
        <Undo2 size={12} strokeWidth={1.6} aria-hidden="true" />
        Undo
      </Button>
    </NoticeLine>
  )
}
