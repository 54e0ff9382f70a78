import { X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { markChanged, useFeed } from '../../data/feed.ts'
import { endRecording, useRecording } from '../../data/recording.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, plural } from '../../format/text.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { CodeEditor } from '../../ui/CodeEditor.tsx'
import { Choice, TextInput } from '../../ui/Field.tsx'
import { Actions, FormGrid, Pane, PaneIntro, Row, RunStatus } from '../../ui/Layout.tsx'
import { IssueList, LeftOut, Notice, Skeleton } from '../../ui/Notice.tsx'
import { GlyphText } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { suggestFileName } from './runner.ts'
import styles from './Scenarios.module.css'
import { SaveAs } from './TextPane.tsx'

/** Writes the requests and operator actions of this world as a scenario. */
export function Recorder({ taken }: { taken: readonly string[] }) {
  const { params, adjust, go } = useRoute()
  const { record, ...others } = params
  const since = Number(record?.[0]) || 0
  const { title, description } = useRecording()
  const name = useDebounced(title.trim())
  const teaches = useDebounced(description.trim())
  const { data, error, slow } = useQuery(
    'scenarios.record',
    { ...(since > 0 ? { since } : {}), ...(name === '' ? {} : { name }), ...(teaches === '' ? {} : { teaches }) },
    ['recording'],
    { keeps: true },
  )
  // The commit may come from the address instead of this screen.
  useEffect(() => {
    if (since > 0) useRecording.setState({ mark: since })
  }, [since])
  return (
    <Pane aria-label="Record">
      <RecordingOptions
        since={since}
        setSince={(seq) => adjust({ params: { ...others, record: [String(seq)] } })}
        close={() => adjust({ params: others })}
      />
      {error !== undefined && (
        <Notice title="The scenario could not be recorded." error={error}>
          <Button small onClick={() => markChanged('recording')}>
            Retry
          </Button>
        </Notice>
      )}
      {data ? (
        <RecordingText
          data={data}
          save={
            <SaveAs
              label="Save scenario…"
              primary
              whyNot={error === undefined ? undefined : 'The text is from before the error.'}
              suggested={suggestFileName(name) || 'recorded'}
              taken={taken}
              text={data.text}
              onSaved={(file) => {
                endRecording()
                go({ screen: 'scenarios', record: file })
              }}
            />
          }
        />
      ) : (
        error === undefined && slow && <Skeleton rows={12} />
      )}
    </Pane>
  )
}

const TEXTS = [
  ['title', 'Name', 'e.g. A transfer is returned'],
  ['description', 'Description', 'one sentence'],
] as const

interface RecordingOptionsProps {
  /** Responses after this commit become expectations; 0: all. */
  readonly since: number
  readonly setSince: (seq: number) => void
  readonly close: () => void
}

function RecordingOptions({ since, setSince, close }: RecordingOptionsProps) {
  const texts = useRecording()
  const { mark } = texts
  const id = useId()
  const startNow = () => {
    const seq = Math.max(1, useFeed.getState().seq)
    useRecording.setState({ mark: seq })
    setSince(seq)
  }
  return (
    <PaneIntro>
      <div className="row">
        <h2>Record a scenario</h2>
        <Button icon={X} className="end" bare aria-label="Close the recorder" onClick={close} />
      </div>
      <p className="soft">
        The requests, decisions and clock advances of this world become steps, uids become variables, and responses
        become expectations.
      </p>
      <FormGrid>
        {TEXTS.map(([name, label, placeholder]) => [
          <label key={`${name} label`} htmlFor={id + name}>
            {label}
          </label>,
          <TextInput
            key={name}
            id={id + name}
            value={texts[name]}
            placeholder={placeholder}
            onChange={(event) => useRecording.setState({ [name]: event.target.value })}
          />,
        ])}
      </FormGrid>
      <Row wraps gap="8 24">
        <Choice
          legend="Check results from"
          value={since === 0 ? 'start' : 'mark'}
          onChange={(to) => (to === 'start' ? setSince(0) : mark === null ? startNow() : setSince(mark))}
          options={[
            {
              value: 'start',
              label: 'the start of this world',
              hint: 'Every response so far becomes an expectation.',
            },
            {
              value: 'mark',
              label: mark === null ? 'now' : `commit ${formatCount(mark)}`,
              hint:
                mark === null
                  ? 'Starts here. Use your app, then come back to this screen.'
                  : 'Earlier requests become steps without expectations.',
            },
          ]}
        />
        {since > 0 && (
          <Button small style={{ alignSelf: 'end' }} onClick={startNow}>
            Restart recording here
          </Button>
        )}
      </Row>
    </PaneIntro>
  )
}

interface RecordingTextProps {
  readonly data: { text: string; steps: number; left_out: readonly { at: string; why: string }[] }
  readonly save: React.ReactNode
}

function RecordingText({ data, save }: RecordingTextProps) {
  const { text, steps, left_out } = data
  return (
    <>
      <Actions className={styles.actions}>
        {save}
        <CopyButton text={text} what="scenario" label="Copy" />
        <RunStatus className="data">
          <span>{plural(steps, 'step')}</span>
          {left_out.length > 0 && (
            <GlyphText glyph="decide" signal="wait">
              {formatCount(left_out.length)} not recorded
            </GlyphText>
          )}
          <Outdated data={data} />
        </RunStatus>
      </Actions>
      {left_out.length > 0 && (
        <IssueList aria-label="Not recorded">
          <h3>Not recorded</h3>
          <LeftOut entries={left_out} />
        </IssueList>
      )}
      <CodeEditor label="Text of the recording" value={text} />
    </>
  )
}

/** Offers to update the recording. It is not updated automatically, because a long one takes time. */
function Outdated({ data }: { data: RecordingTextProps['data'] }) {
  const latest = useFeed(({ seq, exchanges }) => `${seq} ${exchanges[0]?.uid ?? ''}`)
  const [read, setRead] = useState({ data, latest })
  if (read.data !== data) setRead({ data, latest })
  if (read.data !== data || read.latest === latest) return null
  return (
    <>
      <span>There are newer requests or actions.</span>
      <Button small onClick={() => markChanged('recording')}>
        Update
      </Button>
    </>
  )
}
