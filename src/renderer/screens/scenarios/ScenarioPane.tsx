import { ChevronDown, Pause, Play, StepForward } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ScenarioInfo, ScenarioInto, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { signalOfGlyph } from '../../components/Status.tsx'
import { StayingWorld } from '../../components/StayingWorld.tsx'
import { Undo } from '../../components/Undo.tsx'
import { useFeed } from '../../data/feed.ts'
import { formatCount, formatMilliseconds } from '../../format/text.ts'
import { Button, Chip, CopyButton } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Field.tsx'
import { Actions, Caption, Pane, PaneIntro, Row, RunStatus } from '../../ui/Layout.tsx'
import { RadioMenu } from '../../ui/Menu.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { GlyphText, Text } from '../../ui/Text.tsx'
import {
  canContinue,
  canReplaceRun,
  describeRun,
  glyphOfRun,
  loadSteps,
  pauseRun,
  type RunTarget,
  runScenario,
  useDrafts,
  useRunner,
} from './runner.ts'
import styles from './Scenarios.module.css'
import { Steps } from './Steps.tsx'
import { TextPane } from './TextPane.tsx'

/** The selected scenario: its description, its steps with their results, and its text. */
export function ScenarioPane({ info, names }: { info: ScenarioInfo; names: readonly string[] }) {
  const { name, trouble } = info
  const run = useFeed((feed) => feed.runs[name])
  const failure = useRunner((state) => state.error)
  const isChanged = useDrafts(({ texts }) => texts[name] !== undefined)
  const [example, setExample] = useState(run?.example ?? 0)
  const [into, setInto] = useState<ScenarioInto>(run?.into ?? 'scratch')
  const [part, setPart] = useState(trouble === null ? 'steps' : 'text')
  const [line, setLine] = useState<{ line: number; column: number } | null>(null)
  const target: RunTarget = { name, example, into }
  useLoadedSteps(info)
  // A run is of the last valid saved text: an edit hides its results.
  const shown = run && run.example === example && !isChanged && trouble === null ? run : undefined
  const openLine = (at: number) => {
    setPart('text')
    setLine({ line: at, column: 1 })
  }
  return (
    <Pane aria-label="Scenario">
      <Heading info={info} example={example} setExample={setExample} into={into} setInto={setInto} />
      <RunControls
        target={target}
        run={shown}
        isChanged={isChanged}
        whyNot={trouble === null || isChanged ? undefined : 'The file is invalid: see Text.'}
      />
      {failure?.name === name && (
        <Notice title={failure.title} error={failure.error}>
          <Button small onClick={() => useRunner.setState({ error: null })}>
            Close
          </Button>
        </Notice>
      )}
      {isChanged && (
        <NoticeLine role="status">
          <b>Unsaved changes.</b> Run and Step save them first. The steps are those of the saved text.
        </NoticeLine>
      )}
      {into === 'present' && <CurrentWorldNotice run={shown} />}
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
            <CopyButton text={`sandbank run ${name}`} what="command that runs this scenario" small />
          </span>
        </TabBar>
        <TabPanel value="steps" className={styles.panel}>
          {trouble === null ? (
            <Steps info={info} run={shown ?? run} isNew={shown === undefined} target={target} openLine={openLine} />
          ) : (
            <Caption as="p" className="data soft">
              The file is invalid: its errors are in Text.
            </Caption>
          )}
        </TabPanel>
        <TabPanel value="text" className={styles.panel}>
          <TextPane info={info} names={names} goTo={line} run={shown} />
        </TabPanel>
      </Tabs>
    </Pane>
  )
}

/** Loads the steps of the scenario, unless another run is in progress. */
function useLoadedSteps({ name, trouble }: ScenarioInfo) {
  const isLoaded = useFeed((feed) => feed.runs[name] !== undefined)
  const isFree = useFeed((feed) => feed.connection === 'live' && canReplaceRun(feed.run))
  const isPending = useRunner((state) => state.pending !== null)
  const isWanted = trouble === null && !isLoaded && isFree && !isPending
  useEffect(() => {
    if (!isWanted) return
    // A delay, because arrow keys can pass many scenarios quickly.
    const timer = setTimeout(() => void loadSteps(name), 120)
    return () => clearTimeout(timer)
  }, [isWanted, name])
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
      <Row wraps gap="8 24" style={{ '--chip-text': '320px' } as React.CSSProperties}>
        <Choice
          inline
          legend="Run in"
          value={into}
          onChange={setInto}
          options={[
            { value: 'scratch', label: 'a world of its own' },
            { value: 'present', label: 'the current world' },
          ]}
        />
        {examples.length > 0 && (
          <RadioMenu
            trigger={
              <Chip title={examples[example]}>
                example {example + 1} of {formatCount(examples.length)}:{' '}
                <Text className="mono cut">{examples[example] ?? examples[0] ?? ''}</Text>
                <ChevronDown size={12} aria-hidden="true" />
              </Chip>
            }
            value={example}
            onChange={setExample}
            options={examples.map((row, at) => ({ value: at, label: <Text className="mono">{row}</Text> }))}
          />
        )}
      </Row>
    </PaneIntro>
  )
}

const ICON = { size: 12, strokeWidth: 1.5, 'aria-hidden': true } as const

interface RunControlsProps {
  readonly target: RunTarget
  readonly run: ScenarioRun | undefined
  /** The text has unsaved changes, which are saved before it runs. */
  readonly isChanged: boolean
  readonly whyNot: string | undefined
}

function RunControls({ target, run, isChanged, whyNot }: RunControlsProps) {
  const current = useFeed((feed) => feed.run)
  const isLive = useFeed((feed) => feed.connection === 'live')
  const pending = useRunner((state) => state.pending)
  const isRunning = current?.state === 'running'
  const isPaused = !isChanged && canContinue(current, target) && current!.at > 0
  const why = whyNot ?? (!isLive ? 'No connection.' : pending || isRunning ? 'A scenario is running.' : undefined)
  return (
    <Actions className={styles.actions}>
      {(['run', 'step'] as const).map((how) => (
        <Button key={how} primary={how === 'run'} whyNot={why} onClick={() => void runScenario(how, target)}>
          {how === 'run' ? <Play {...ICON} fill="currentColor" /> : <StepForward {...ICON} />}
          {isChanged ? `Save and ${how}` : how === 'step' ? 'Step' : isPaused ? 'Continue' : 'Run'}
        </Button>
      ))}
      <Button
        whyNot={isRunning ? undefined : 'No scenario is running.'}
        title="Pauses after the current step"
        onClick={() => void pauseRun(target)}
      >
        <Pause {...ICON} fill="currentColor" />
        Pause
      </Button>
      <RunState run={run} />
    </Actions>
  )
}

function RunState({ run }: { run: ScenarioRun | undefined }) {
  const text = run && describeRun(run)
  return (
    <RunStatus className="data" role="status">
      {run && text ? (
        <>
          <GlyphText glyph={glyphOfRun[run.state]} signal={signalOfGlyph(glyphOfRun[run.state])}>
            {text}
          </GlyphText>
          <span className="faint nowrap">{formatMilliseconds(run.result.ms)} ms</span>
          {(run.state === 'running' || run.state === 'paused') && (
            <Meter value={run.result.steps.length} max={run.steps.length} label="Steps done" />
          )}
          {run.world !== null && run.state !== 'running' && <StayingWorld world={run.world} />}
        </>
      ) : (
        <span className="faint">not run yet</span>
      )}
    </RunStatus>
  )
}

/** For a run in the current world: warns that it replaces the world, and offers Undo afterwards. */
function CurrentWorldNotice({ run }: { run: ScenarioRun | undefined }) {
  const { operation = null, state } = run?.into === 'present' ? run : {}
  const isReplaced = operation !== null && state !== 'running'
  return (
    <NoticeLine className="row" is="warning">
      <span className="grow">
        {isReplaced ? (
          <>
            <b>The scenario replaced the current world.</b> You can inspect the result. Undo restores the world from
            before.
          </>
        ) : (
          <>
            <b>A run replaces the current world</b> with the one that the scenario describes, and clears its faults.
            Undo restores it afterwards.
          </>
        )}
      </span>
      {isReplaced && <Undo key={operation} operation={operation} what="the run" />}
    </NoticeLine>
  )
}
