import { ChevronRight, FolderOpen, RotateCcw, Undo2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { focusScreen } from '../../data/focus.ts'
import { importBundle, resetReplay, runReplay, undoReplay, useReplay } from '../../data/replay.ts'
import { type ImportedFile, isBundle, type ReplayOptions, type ReplaySelection } from '../../data/replay-input.ts'
import { useRoute } from '../../data/route.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, type Option } from '../../ui/Choice.tsx'
import { Actions, Columns, Pane, PaneIntro, RunStatus, ScreenBar } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { ImportSource } from './ImportSource.tsx'
import { LogSummary, RecordingSummary } from './RecordingSummary.tsx'
import styles from './ReplayPage.module.css'
import { ReplayResult } from './ReplayResult.tsx'
import { ReplaySetup } from './ReplaySetup.tsx'

interface ReplayPageProps {
  readonly isImport: boolean
  readonly selected: Exchange | undefined
  readonly marked: ReadonlySet<string>
  readonly shown: readonly Exchange[]
}

/** The form of a replay or an import, and then the result. */
export function ReplayPage(props: ReplayPageProps) {
  const { params, go, record } = useRoute()
  const hasResult = useReplay((state) => state.done !== null || state.opened !== null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the result replaces the button that had the focus.
  useEffect(focusScreen, [hasResult])
  const { replay: _, ...others } = params
  const close = () => go({ screen: 'requests', record, params: others })
  return (
    <>
      <ScreenBar>
        <Button className={styles.back} bare onClick={close}>
          Requests
        </Button>
        <ChevronRight className="faint" size={14} aria-hidden="true" />
        <h1>{props.isImport ? 'Import' : 'Replay'}</h1>
        <Button className="end" bare iconOnly aria-label="Close" onClick={close}>
          <X size={14} aria-hidden="true" />
        </Button>
      </ScreenBar>
      {hasResult ? <Result /> : props.isImport ? <ImportForm /> : <LogForm {...props} />}
    </>
  )
}

const MAX_REQUESTS = 10_000

type LogSelection = 'this' | 'marked' | 'since' | 'shown'

/** Replays requests of the log. */
function LogForm({ selected, marked, shown }: ReplayPageProps) {
  const [setup, setSetup] = useState<ReplayOptions>({ place: 'then', snapshot: '', gaps: null })
  const [choice, setChoice] = useState<LogSelection | null>(null)
  // The log may still be loading, so the default is recomputed until the user chooses.
  const chosen = choice ?? (marked.size > 0 ? 'marked' : selected ? 'this' : 'shown')
  const options = listOptions({ selected, marked, shown })
  const why = options.find(({ value }) => value === chosen)?.disabledReason
  const run = () => {
    const { what, title } = resolveSelection(chosen, { selected, marked, shown })
    void runReplay(what, setup, title)
  }
  return (
    <Form
      left={
        <>
          <Choice legend="Requests" options={options} value={chosen} onChange={setChoice} />
          <LogSummary exchanges={exchangesOf(chosen, { selected, marked, shown })} />
        </>
      }
      right={<ReplaySetup setup={setup} onChange={setSetup} hasWorld />}
    >
      <RunButton why={why} run={run} />
    </Form>
  )
}

type LogView = Pick<ReplayPageProps, 'selected' | 'marked' | 'shown'>

function listOptions({ selected, marked, shown }: LogView): Option<LogSelection>[] {
  return [
    {
      value: 'this',
      label: selected ? (
        <>
          This request: <span className="mono">{`${selected.method} ${selected.path}`}</span>
        </>
      ) : (
        'The open request'
      ),
      disabledReason: selected ? undefined : 'No request is open. Open one in the list.',
    },
    {
      value: 'marked',
      label: marked.size > 0 ? `The ${plural(marked.size, 'request')} that you chose` : 'Chosen requests',
      disabledReason: marked.size > 0 ? undefined : 'Choose requests in the list: Ctrl+click, Shift+click or Space.',
    },
    {
      value: 'shown',
      label: `All requests in the list: ${formatCount(shown.length)}`,
      disabledReason:
        shown.length === 0
          ? 'The list is empty.'
          : shown.length > MAX_REQUESTS
            ? `At most ${formatCount(MAX_REQUESTS)} at once: filter the list.`
            : undefined,
    },
    {
      value: 'since',
      label: selected ? 'Everything since this request' : 'Everything since the open request',
      hint: 'Requests and operator actions from there to now.',
      disabledReason: selected ? undefined : 'No request is open. Open one in the list.',
    },
  ]
}

/** Those of which the window knows that they are replayed. */
function exchangesOf(chosen: LogSelection, { selected, marked, shown }: LogView): readonly Exchange[] {
  if (chosen === 'this') return selected ? [selected] : []
  if (chosen === 'marked') return shown.filter(({ uid }) => marked.has(uid))
  return chosen === 'since' && selected ? shown.filter(({ seq_before }) => seq_before >= selected.seq_before) : shown
}

function resolveSelection(
  chosen: LogSelection,
  { selected, marked, shown }: LogView,
): { what: ReplaySelection; title: string } {
  switch (chosen) {
    case 'this':
      return { what: { uids: [selected!.uid] }, title: `${selected!.method} ${selected!.path}` }
    case 'marked':
      return { what: { uids: [...marked] }, title: plural(marked.size, 'request') }
    case 'shown':
      return { what: { uids: shown.map(({ uid }) => uid) }, title: plural(shown.length, 'request') }
    case 'since':
      return {
        what: { since: selected!.seq_before },
        title: `everything since ${selected!.method} ${selected!.path}`,
      }
  }
}

/** Replays or opens a file. */
function ImportForm() {
  const [source, setSource] = useState<ImportedFile | null>(null)
  const [setup, setSetup] = useState<ReplayOptions>({ place: 'copy', snapshot: '', gaps: null })
  const hasBundle = source !== null && isBundle(source.text)
  const pending = useReplay((state) => state.pending)
  const choose = (to: ImportedFile | null) => {
    setSource(to)
    // The default is a copy: of the world of the bundle, or of the current one.
    setSetup((was) => ({
      ...was,
      place: to && isBundle(to.text) ? 'then' : was.place === 'then' ? 'copy' : was.place,
    }))
  }
  const droppedFile = useReplay((state) => state.importedFile)
  const [adoptedFile, setAdoptedFile] = useState<ImportedFile | null>(null)
  if (droppedFile !== adoptedFile) {
    setAdoptedFile(droppedFile)
    if (droppedFile) choose(droppedFile)
  }
  const why = source === null ? 'Choose a file or paste curl commands first.' : undefined
  return (
    <Form
      left={
        <>
          <ImportSource source={source} onChange={choose} />
          {source && <RecordingSummary text={source.text} />}
        </>
      }
      right={<ReplaySetup setup={setup} onChange={setSetup} hasWorld={hasBundle} />}
    >
      <RunButton why={why} run={() => source && void runReplay({ text: source.text }, setup, source.name)} />
      {hasBundle && (
        <>
          <Button aria-disabled={pending !== null} onClick={() => pending === null && void importBundle(source.text)}>
            <FolderOpen size={12} strokeWidth={1.6} aria-hidden="true" />
            Open its world
          </Button>
          <span className="data soft">
            Opening replaces the current world with that of the bundle. Undo restores the current one.
          </span>
        </>
      )}
    </Form>
  )
}

interface FormProps {
  readonly left: React.ReactNode
  readonly right: React.ReactNode
  readonly children: React.ReactNode
}

function Form({ left, right, children }: FormProps) {
  const failure = useReplay((state) => state.failure)
  return (
    <Pane aria-label="Replay options" tabIndex={0}>
      <Columns className={styles.setup}>
        <div>{left}</div>
        <div>{right}</div>
      </Columns>
      <Actions className={styles.actions}>{children}</Actions>
      {failure && <Notice title={failure.title} error={failure.error} />}
    </Pane>
  )
}

function RunButton({ why, run }: { why: string | undefined; run: () => void }) {
  const pending = useReplay((state) => state.pending)
  const disabledReason = why ?? (pending === null ? undefined : 'A replay is running.')
  return (
    <>
      <Button
        primary
        aria-disabled={disabledReason !== undefined}
        title={disabledReason}
        onClick={() => disabledReason === undefined && run()}
      >
        <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
        Replay
      </Button>
      <RunStatus className="data" role="status">
        {pending === 'replay' && (
          <>
            Replaying <Meter value={null} max={1} label="Replaying" />
          </>
        )}
        {pending === 'open' && (
          <>
            Opening <Meter value={null} max={1} label="Opening" />
          </>
        )}
      </RunStatus>
    </>
  )
}

function Result() {
  const { done, opened, before, undone, failure } = useReplay()
  return (
    <>
      {failure && <Notice title={failure.title} error={failure.error} />}
      {before !== null && (
        <NoticeLine className="row" isWarning>
          <span className="grow">
            {undone ? (
              <>
                <b>Undone.</b> The world is back at commit {formatCount(before)}.
              </>
            ) : opened ? (
              <>
                <b>The world of the bundle is open.</b> Undo restores the previous world at commit {formatCount(before)}
                .
              </>
            ) : (
              <>
                <b>Replayed in the current world.</b> Undo rewinds it to commit {formatCount(before)}.
              </>
            )}
          </span>
          <Button aria-disabled={undone} onClick={() => !undone && void undoReplay()}>
            <Undo2 size={12} strokeWidth={1.6} aria-hidden="true" />
            Undo
          </Button>
        </NoticeLine>
      )}
      {done && <ReplayResult outcome={done.outcome} setup={done.setup} title={done.title} />}
      {opened && (
        <PaneIntro>
          <h2>Bundle opened</h2>
          {opened.note !== null && (
            <p className="soft">
              <Text>{opened.note}</Text>
            </p>
          )}
          <p className="data">
            It contains {plural(opened.exchanges, 'request')} and {plural(opened.acts, 'operator action')}. The requests
            are now in the list of requests.
          </p>
          <span className="row">
            <Button
              primary
              onClick={() =>
                void runReplay(
                  { since: opened.since },
                  { place: 'then', snapshot: '', gaps: null },
                  'the requests of the bundle',
                )
              }
            >
              <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
              Replay its requests
            </Button>
            <Button onClick={resetReplay}>Import another</Button>
          </span>
        </PaneIntro>
      )}
    </>
  )
}
