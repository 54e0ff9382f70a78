import { Menu } from '@base-ui/react/menu'
import { Tabs } from '@base-ui/react/tabs'
import { Check, ChevronDown, Pause, Play, StepForward, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ScenarioInfo, ScenarioInto, ScenarioRun } from '../../../api/contract/control.ts'
import { signalOf } from '../../components/Status.tsx'
import { useFeed } from '../../data/feed.ts'
import { formatCount, formatMilliseconds } from '../../format/numbers.ts'
import { Choice } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { type Chosen, go, lookAt, mayMakeRoom, pause, undo, useRunner } from './runner.ts'
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
    <section className="pane" aria-label="Scenario">
      <Heading info={info} example={example} setExample={setExample} into={into} setInto={setInto} />
      <Hands chosen={chosen} run={shown} whyNot={trouble === null ? undefined : 'Its text is in trouble: see there.'} />
      <Troubled name={name} />
      {into === 'present' && <MakesRoom chosen={chosen} run={shown} />}
      <Tabs.Root value={part} onValueChange={setPart} className="parts">
        <div className="tabs">
          <Tabs.List aria-label="Parts of the scenario">
            <Tabs.Tab value="steps">Steps {trouble === null && formatCount(info.steps)}</Tabs.Tab>
            <Tabs.Tab value="text">Text</Tabs.Tab>
          </Tabs.List>
          <span className="end row meta">
            <span className="mono cut">{name}</span>
            <CopyButton text={`sandbank run ${name}`} what="command that runs it" small />
          </span>
        </div>
        <Tabs.Panel value="steps" className="panel">
          {trouble === null ? (
            <Steps info={info} run={shown ?? run} fresh={shown === undefined} chosen={chosen} openLine={openLine} />
          ) : (
            <p className="cap data soft">Its steps cannot be read: the text says why.</p>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="text" className="panel">
          <TextPane info={info} names={names} goTo={line} />
        </Tabs.Panel>
      </Tabs.Root>
    </section>
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
    <div className="about">
      <h2>
        <Text>{title}</Text>
      </h2>
      {teaches !== null && (
        <p className="soft">
          <Text>{teaches}</Text>
        </p>
      )}
      <div className="ways">
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
    </div>
  )
}

function Examples({ rows, chosen, choose }: { rows: readonly string[]; chosen: number; choose: (at: number) => void }) {
  return (
    <Menu.Root>
      <Menu.Trigger className="chip" title={rows[chosen]}>
        row {chosen + 1} of {formatCount(rows.length)}:{' '}
        <Text className="mono cut">{rows[chosen] ?? rows[0] ?? ''}</Text>
        <ChevronDown size={12} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="over" sideOffset={4} align="start">
          <Menu.Popup className="raised menu">
            <Menu.RadioGroup value={chosen} onValueChange={choose}>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its number.
                <Menu.RadioItem key={at} value={at} className="item" closeOnClick>
                  <span className="mark">
                    <Menu.RadioItemIndicator>
                      <Check size={13} aria-hidden="true" />
                    </Menu.RadioItemIndicator>
                  </span>
                  <Text className="mono">{row}</Text>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
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
  const why = whyNot ?? (!live ? 'There is no connection.' : pending || runs ? 'A scenario is running.' : undefined)
  return (
    <div className="acts hands">
      <button
        type="button"
        className="btn"
        data-likeliest
        aria-disabled={why !== undefined}
        title={why}
        onClick={() => why === undefined && void go('run', chosen)}
      >
        <Play size={12} fill="currentColor" strokeWidth={1.5} aria-hidden="true" />
        {mine ? 'Go on' : 'Run'}
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={why !== undefined}
        title={why}
        onClick={() => why === undefined && void go('step', chosen)}
      >
        <StepForward size={12} strokeWidth={1.6} aria-hidden="true" />
        Step
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={!runs}
        title={runs ? 'When its step is done' : 'Nothing is running.'}
        onClick={() => runs && void pause(chosen)}
      >
        <Pause size={12} fill="currentColor" strokeWidth={1.5} aria-hidden="true" />
        Pause
      </button>
      <Standing run={run} />
    </div>
  )
}

function Standing({ run }: { run: ScenarioRun | undefined }) {
  const said = run && sayRun(run)
  return (
    <span className="standing data" role="status">
      {run && said ? (
        <>
          <span className="st" data-signal={signalOf(shapeOfRun[run.state])}>
            <Glyph name={shapeOfRun[run.state]} />
            {said}
          </span>
          <span className="faint nowrap">{formatMilliseconds(run.result.ms)} ms</span>
          {(run.state === 'running' || run.state === 'paused') && (
            <Meter value={run.result.steps.length} max={run.steps.length} label="Steps done" />
          )}
        </>
      ) : (
        <span className="faint">not run yet</span>
      )}
    </span>
  )
}

function Troubled({ name }: { name: string }) {
  const error = useRunner((state) => state.error)
  if (error?.name !== name) return null
  return (
    <Notice title={error.title} error={error.error}>
      <button type="button" className="btn" data-small onClick={() => useRunner.setState({ error: null })}>
        Close
      </button>
    </Notice>
  )
}

/** In the present world: what it costs, and the way back. */
function MakesRoom({ chosen, run }: { chosen: Chosen; run: ScenarioRun | undefined }) {
  const { pending, undone } = useRunner()
  const began_at = run?.into === 'present' ? run.began_at : null
  const taken = began_at !== null && run?.state !== 'running'
  return (
    <div className="notice row" data-signal="wait">
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
      <button
        type="button"
        className="btn"
        aria-disabled={!taken || undone === began_at || pending !== null}
        title={taken ? undefined : 'It has not run in this world yet.'}
        onClick={() => taken && undone !== began_at && pending === null && void undo(chosen, began_at)}
      >
        <Undo2 size={12} strokeWidth={1.6} aria-hidden="true" />
        Undo
      </button>
    </div>
  )
}
