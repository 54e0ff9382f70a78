import { Square, X } from 'lucide-react'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { signalOfGlyph } from '../../components/Status.tsx'
import { useRoute } from '../../data/route.ts'
import { formatCount, formatMilliseconds, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { type GlyphName, GlyphText } from '../../ui/Glyph.tsx'
import { Actions, Pane, PaneIntro, RunStatus } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import { type ScenarioReport, stopAll, useRunAll } from './runner.ts'
import styles from './Scenarios.module.css'

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
export function RunReport({ close }: { close: () => void }) {
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
