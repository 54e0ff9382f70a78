import { X } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { markChanged, useFeed } from '../../data/feed.ts'
import { endRecording, useRecording } from '../../data/recording.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { CodeEditor } from '../../ui/CodeEditor.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { IssueList } from '../../ui/IssueList.tsx'
import { Actions, FormGrid, Pane, PaneIntro, RunStatus } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { fileNameOf } from './errors.ts'
import { SaveAs } from './SaveAs.tsx'
import styles from './Scenarios.module.css'

/** What was done in this world by hand, as a scenario. */
export function Recorder({ taken }: { taken: readonly string[] }) {
  const { params, adjust, go } = useRoute()
  const since = Number(params.record?.[0]) || 0
  const { title, description, mark } = useRecording()
  const asked = useDebounced(title.trim())
  const why = useDebounced(description.trim())
  const { data, error, slow } = useQuery(
    'scenarios.record',
    {
      ...(since > 0 ? { since } : {}),
      ...(asked === '' ? {} : { name: asked }),
      ...(why === '' ? {} : { teaches: why }),
    },
    ['recording'],
  )
  // What was written stays until it is written anew.
  const [written, setWritten] = useState(data)
  if (data !== undefined && data !== written) setWritten(data)
  const shown = data ?? (error === undefined ? written : undefined)
  const { record: _, ...others } = params
  const close = () => adjust({ params: others })
  const from = (seq: number) => adjust({ params: { ...others, record: [String(seq)] } })
  const markNow = () => {
    const now = Math.max(1, useFeed.getState().seq)
    useRecording.setState({ mark: now })
    from(now)
  }
  // An address, or a request, may have named the commit.
  useEffect(() => {
    if (since > 0) useRecording.setState({ mark: since })
  }, [since])
  return (
    <Pane aria-label="Record">
      <PaneIntro>
        <div className="row">
          <h2>Record what was done here</h2>
          <Button className="end" bare iconOnly aria-label="Close the recorder" onClick={close}>
            <X size={14} aria-hidden="true" />
          </Button>
        </div>
        <p className="soft">
          Requests, moves and jumps of the clock become steps, uids become names, and what was answered is expected
          again.
        </p>
        <FormGrid>
          <TextField
            label="Name"
            value={title}
            placeholder="Recorded session"
            onChange={(to) => useRecording.setState({ title: to })}
          />
          <TextField
            label="Teaches"
            value={description}
            placeholder="in a sentence, for whoever reads it later"
            onChange={(to) => useRecording.setState({ description: to })}
          />
        </FormGrid>
        <div className={styles.options}>
          <Choice
            legend="Judged from"
            value={since === 0 ? 'beginning' : 'mark'}
            onChange={(to) => (to === 'beginning' ? from(0) : mark === null ? markNow() : from(mark))}
            options={[
              {
                value: 'beginning',
                label: 'the beginning of this world',
                hint: 'Every answer so far is expected again.',
              },
              {
                value: 'mark',
                label: mark === null ? 'now on' : `commit ${formatCount(mark)} on`,
                hint:
                  mark === null
                    ? 'Keeps this moment. Use your app, then come back here.'
                    : 'What came before it is done again, and not judged.',
              },
            ]}
          />
          {since > 0 && (
            <Button small onClick={markNow}>
              Move the mark to now
            </Button>
          )}
        </div>
      </PaneIntro>
      {shown ? (
        <Written
          data={shown}
          save={
            <SaveAs
              label="Save as your own…"
              primary
              suggested={fileNameOf(asked) || 'recorded'}
              taken={taken}
              text={shown.text}
              onSaved={(name) => {
                endRecording()
                go({ screen: 'scenarios', record: name })
              }}
            />
          }
        />
      ) : error === undefined ? (
        slow && <Skeleton rows={12} />
      ) : (
        <Notice title="It cannot be recorded yet." error={error}>
          <Button small onClick={() => markChanged('recording')}>
            Look again
          </Button>
        </Notice>
      )}
    </Pane>
  )
}

interface WrittenProps {
  readonly data: { text: string; steps: number; left_out: readonly { at: string; why: string }[] }
  readonly save: React.ReactNode
}

function Written({ data, save }: WrittenProps) {
  const { text, steps, left_out } = data
  return (
    <>
      <Actions className={styles.actions}>
        {save}
        <CopyButton text={text} what="scenario" label="Copy" />
        <RunStatus className="data">
          <span>{plural(steps, 'step')}</span>
          {left_out.length > 0 && (
            <GlyphText signal="wait">
              <Glyph name="decide" />
              {formatCount(left_out.length)} left out
            </GlyphText>
          )}
          <Stale data={data} />
        </RunStatus>
      </Actions>
      {left_out.length > 0 && (
        <IssueList aria-label="What was left out">
          <h3>Left out</h3>
          <ul>
            {left_out.map(({ at, why }) => (
              <li key={`${at} ${why}`}>
                <Text className="mono">{at}</Text> <Text>{why}</Text>
              </li>
            ))}
          </ul>
        </IssueList>
      )}
      <CodeEditor label="Text of the recording" value={text} />
    </>
  )
}

/** Writing a long recording is work: it is done again when somebody asks. */
function Stale({ data }: { data: WrittenProps['data'] }) {
  const latest = useFeed(({ seq, exchanges }) => `${seq} ${exchanges[0]?.uid ?? ''}`)
  const [of, setOf] = useState({ data, latest })
  if (of.data !== data) setOf({ data, latest })
  if (of.data !== data || of.latest === latest) return null
  return (
    <>
      <span>More was done since.</span>
      <Button small onClick={() => markChanged('recording')}>
        Write it anew
      </Button>
    </>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onChange: (value: string) => void
}

function TextField({ label, value, placeholder, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <TextInput id={id} value={value} placeholder={placeholder} onChange={(event) => onChange(event.target.value)} />
    </>
  )
}
