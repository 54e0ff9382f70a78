import { ChevronRight, FolderOpen, RotateCcw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { Undo } from '../../components/Undo.tsx'
import { focusScreen } from '../../data/focus.ts'
import { openBundle, runReplay, useReplay } from '../../data/replay.ts'
import {
  type ImportedFile,
  isBundle,
  keepsGaps,
  type ReplayOptions,
  type ReplaySelection,
  type ReplayTargetKind,
} from '../../data/replay-input.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, LabelledCheckbox, type Option, Select } from '../../ui/Field.tsx'
import { Columns, Pane, Row, RunStatus, ScreenBar, Stack } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { ImportSource, LogSummary, RecordingSummary } from './ImportSource.tsx'
import { ReplayResult } from './ReplayResult.tsx'

interface ReplayPageProps {
  readonly isImport: boolean
  readonly selected: Exchange | undefined
  readonly marked: ReadonlySet<string>
  readonly shown: readonly Exchange[]
}

/** The form of a replay or an import, and then the result. */
export function ReplayPage(props: ReplayPageProps) {
  const { params, go, record } = useRoute()
  const hasResult = useReplay((state) => state.done !== null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the result replaces the button that had the focus.
  useEffect(focusScreen, [hasResult])
  const { replay: _, ...others } = params
  const close = () => go({ screen: 'requests', record, params: others })
  return (
    <>
      <ScreenBar>
        <Button style={{ marginLeft: -9 }} bare onClick={close}>
          Requests
        </Button>
        <ChevronRight className="faint" size={14} aria-hidden="true" />
        <h1>{props.isImport ? 'Import' : 'Replay'}</h1>
        <Button icon={X} className="end" bare aria-label="Close" onClick={close} />
      </ScreenBar>
      {hasResult ? <Result /> : props.isImport ? <ImportForm /> : <LogForm {...props} />}
    </>
  )
}

const MAX_REQUESTS = 10_000

type LogView = Pick<ReplayPageProps, 'selected' | 'marked' | 'shown'>

/** Replays requests of the log. */
function LogForm(view: ReplayPageProps) {
  const [setup, setSetup] = useState<ReplayOptions>({ place: 'then', snapshot: '', gaps: null })
  const [choice, setChoice] = useState<LogSelection['value'] | null>(null)
  // The log may still be loading, so the default is recomputed until the user chooses.
  const chosen = choice ?? (view.marked.size > 0 ? 'marked' : view.selected ? 'this' : 'shown')
  const selections = listSelections(view)
  const { disabledReason, exchanges, what, title } = selections.find(({ value }) => value === chosen)!
  return (
    <Form
      left={
        <>
          <Choice legend="Requests" options={selections} value={chosen} onChange={setChoice} />
          <LogSummary exchanges={exchanges} />
        </>
      }
      right={<ReplaySetup setup={setup} onChange={setSetup} hasWorld />}
    >
      <RunButton why={disabledReason} run={() => void runReplay(what, setup, title)} />
    </Form>
  )
}

interface LogSelection extends Option<'this' | 'marked' | 'since' | 'shown'> {
  /** Those of which the window knows that they are replayed. */
  readonly exchanges: readonly Exchange[]
  readonly what: ReplaySelection
  readonly title: string
}

/** Which requests can be replayed. */
function listSelections({ selected, marked, shown }: LogView): LogSelection[] {
  const name = selected ? `${selected.method} ${selected.path}` : ''
  const noneOpen = selected ? undefined : 'No request is open. Open one in the list.'
  const since = selected?.seq_before ?? 0
  return [
    {
      value: 'this',
      label: selected ? (
        <>
          This request: <span className="mono">{name}</span>
        </>
      ) : (
        'The open request'
      ),
      disabledReason: noneOpen,
      exchanges: selected ? [selected] : [],
      what: { uids: selected ? [selected.uid] : [] },
      title: name,
    },
    {
      value: 'marked',
      label: marked.size > 0 ? `The ${plural(marked.size, 'request')} that you chose` : 'Chosen requests',
      disabledReason: marked.size > 0 ? undefined : 'Choose requests in the list: Ctrl+click, Shift+click or Space.',
      exchanges: shown.filter(({ uid }) => marked.has(uid)),
      what: { uids: [...marked] },
      title: plural(marked.size, 'request'),
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
      exchanges: shown,
      what: { uids: shown.map(({ uid }) => uid) },
      title: plural(shown.length, 'request'),
    },
    {
      value: 'since',
      label: selected ? 'Everything since this request' : 'Everything since the open request',
      hint: 'Requests and operator actions from there to now.',
      disabledReason: noneOpen,
      exchanges: selected ? shown.filter(({ seq_before }) => seq_before >= since) : shown,
      what: { since },
      title: `everything since ${name}`,
    },
  ]
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
          <Button icon={FolderOpen} whyNot={whyBusy(pending)} onClick={() => void openBundle(source.text)}>
            Open its world
          </Button>
          <span className="data soft">
            In a world of its own, with its requests and its history. This one does not change.
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

const PAD = { padding: '12px 16px 16px' }

function Form({ left, right, children }: FormProps) {
  const failure = useReplay((state) => state.failure)
  return (
    <Pane aria-label="Replay options" tabIndex={0}>
      <Columns>
        <Stack gap={12} style={PAD}>
          {left}
        </Stack>
        <Stack gap={12} style={PAD}>
          {right}
        </Stack>
      </Columns>
      <Row wraps gap={4} pad="10 16" line="bottom" style={{ flex: 'none' }}>
        {children}
      </Row>
      {failure && <Notice title={failure.title} error={failure.error} />}
    </Pane>
  )
}

const PENDING = { replay: 'Replaying', open: 'Opening' }

const BUSY = { replay: 'A replay is running.', open: 'A bundle is being opened.' }

const whyBusy = (pending: keyof typeof BUSY | null) => (pending === null ? undefined : BUSY[pending])

function RunButton({ why, run }: { why: string | undefined; run: () => void }) {
  const pending = useReplay((state) => state.pending)
  return (
    <>
      <Button icon={RotateCcw} primary whyNot={why ?? whyBusy(pending)} onClick={run}>
        Replay
      </Button>
      <RunStatus className="data" role="status">
        {pending !== null && (
          <>
            {PENDING[pending]} <Meter value={null} max={1} label={PENDING[pending]} />
          </>
        )}
      </RunStatus>
    </>
  )
}

function Result() {
  const { done, failure } = useReplay()
  const operation = done?.outcome.operation ?? null
  return (
    <>
      {failure && <Notice title={failure.title} error={failure.error} />}
      {operation !== null && (
        <NoticeLine className="row" is="warning">
          <b className="grow">Replayed in the current world.</b>
          <Undo operation={operation} what="the replay" />
        </NoticeLine>
      )}
      {done && <ReplayResult outcome={done.outcome} setup={done.setup} title={done.title} />}
    </>
  )
}

interface ReplaySetupProps {
  readonly setup: ReplayOptions
  readonly onChange: (setup: ReplayOptions) => void
  /** True if the recording comes with its world. */
  readonly hasWorld: boolean
}

/** The target of a replay, and whether simulated time passes between its requests. */
function ReplaySetup({ setup, onChange, hasWorld }: ReplaySetupProps) {
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots
  const names = snapshots?.filter(({ trouble }) => trouble === undefined).map(({ name }) => name) ?? []
  const targets: Option<ReplayTargetKind>[] = [
    {
      value: 'then',
      label: 'The world at that time',
      hint: 'In a new world. The current one does not change.',
      disabledReason: hasWorld ? undefined : 'Only a bundle contains its world.',
    },
    { value: 'copy', label: 'A copy of the current world', hint: 'In a new world, which stays until you drop it.' },
    { value: 'present', label: 'The current world', hint: 'Changes it. Undo rewinds it.' },
    {
      value: 'snapshot',
      label: 'A snapshot',
      hint: 'In a new world.',
      disabledReason: names.length > 0 ? undefined : 'There is no snapshot.',
    },
    { value: 'demo', label: 'A new demo world', hint: 'With the same seed and start time.' },
    { value: 'empty', label: 'A new empty world', hint: 'One Program, no Customers.' },
  ]
  return (
    <>
      <Choice
        legend="Target"
        options={targets}
        value={setup.place}
        onChange={(place) => onChange({ ...setup, place, snapshot: setup.snapshot || (names[0] ?? '') })}
      />
      {setup.place === 'snapshot' && (
        <Select
          aria-label="Snapshot"
          value={setup.snapshot}
          options={names}
          onChange={(snapshot) => onChange({ ...setup, snapshot })}
        />
      )}
      <LabelledCheckbox
        checked={keepsGaps(setup)}
        onChange={(event) => onChange({ ...setup, gaps: event.target.checked })}
      >
        Keep the time between requests
        <span className="hint">Simulated time advances as it did in the recording.</span>
      </LabelledCheckbox>
    </>
  )
}
