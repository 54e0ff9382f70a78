import { ChevronRight, FolderOpen, RotateCcw, Undo2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { focusScreen } from '../../components/focus.ts'
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
import styles from './ReplayPage.module.css'
import { ReplayResult } from './ReplayResult.tsx'
import { ReplaySetup } from './ReplaySetup.tsx'

interface ReplayPageProps {
  readonly imports: boolean
  readonly selected: Exchange | undefined
  readonly marked: ReadonlySet<string>
  readonly shown: readonly Exchange[]
}

/** Requests of a record sent again: what, where to, and then what came of it. */
export function ReplayPage(props: ReplayPageProps) {
  const { params, go, record } = useRoute()
  const result = useReplay((state) => state.done !== null || state.opened !== null)
  // The button that was pressed made room for what came of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(focusScreen, [result])
  const { replay: _, ...others } = params
  const close = () => go({ screen: 'requests', record, params: others })
  return (
    <>
      <ScreenBar>
        <Button className={styles.back} bare onClick={close}>
          Requests
        </Button>
        <ChevronRight className="faint" size={14} aria-hidden="true" />
        <h1>{props.imports ? 'Import' : 'Replay'}</h1>
        <Button className="end" bare iconOnly aria-label="Close" onClick={close}>
          <X size={14} aria-hidden="true" />
        </Button>
      </ScreenBar>
      {result ? <Done /> : props.imports ? <Import /> : <Own {...props} />}
    </>
  )
}

const MOST = 10_000

function Own({ selected, marked, shown }: ReplayPageProps) {
  const [setup, setSetup] = useState<ReplayOptions>({ place: 'then', snapshot: '', gaps: null })
  const [picked, setChosen] = useState<'this' | 'marked' | 'since' | 'shown' | null>(null)
  // The log may still be read when this is drawn: what is likeliest follows it until somebody has picked.
  const chosen = picked ?? (marked.size > 0 ? 'marked' : selected ? 'this' : 'shown')
  const options: Option<typeof chosen>[] = [
    {
      value: 'this',
      label: selected ? (
        <>
          This request: <span className="mono">{`${selected.method} ${selected.path}`}</span>
        </>
      ) : (
        'The selected request'
      ),
      whyNot: selected ? undefined : 'None is selected in the list.',
    },
    {
      value: 'marked',
      label: marked.size > 0 ? `The ${plural(marked.size, 'request')} that you chose` : 'Those that you choose',
      whyNot: marked.size > 0 ? undefined : 'Choose some in the list: Ctrl or Shift and a click, or Space.',
    },
    {
      value: 'shown',
      label: `All that the list shows: ${formatCount(shown.length)}`,
      whyNot:
        shown.length === 0
          ? 'It shows none.'
          : shown.length > MOST
            ? `At most ${formatCount(MOST)} at once: filter the list.`
            : undefined,
    },
    {
      value: 'since',
      label: selected ? 'Everything since this one' : 'Everything since the selected one',
      hint: 'Requests and your own moves, from that commit to now.',
      whyNot: selected ? undefined : 'None is selected in the list.',
    },
  ]
  const whats: Readonly<Record<typeof chosen, () => { what: ReplaySelection; title: string }>> = {
    this: () => ({ what: { uids: [selected!.uid] }, title: `${selected!.method} ${selected!.path}` }),
    marked: () => ({ what: { uids: [...marked] }, title: plural(marked.size, 'request') }),
    shown: () => ({ what: { uids: shown.map(({ uid }) => uid) }, title: plural(shown.length, 'request') }),
    since: () => ({
      what: { since: selected!.seq_before },
      title: `everything since ${selected!.method} ${selected!.path}`,
    }),
  }
  const why = options.find(({ value }) => value === chosen)?.whyNot
  const run = () => {
    const { what, title } = whats[chosen]()
    void runReplay(what, setup, title)
  }
  return (
    <Form
      left={<Choice legend="What" options={options} value={chosen} onChange={setChosen} />}
      right={<ReplaySetup setup={setup} onChange={setSetup} hasWorld />}
    >
      <RunButton why={why} run={run} />
    </Form>
  )
}

function Import() {
  const [source, setSource] = useState<ImportedFile | null>(null)
  const [setup, setSetup] = useState<ReplayOptions>({ place: 'present', snapshot: '', gaps: null })
  const bundle = source !== null && isBundle(source.text)
  const pending = useReplay((state) => state.pending)
  const choose = (to: ImportedFile | null) => {
    setSource(to)
    // Where it goes by itself: into the world that it brings, or into this one.
    setSetup((was) => ({
      ...was,
      place: to && isBundle(to.text) ? 'then' : was.place === 'then' ? 'present' : was.place,
    }))
  }
  const handed = useReplay((state) => state.importedFile)
  const [taken, setTaken] = useState<ImportedFile | null>(null)
  if (handed !== taken) {
    setTaken(handed)
    if (handed) choose(handed)
  }
  const why = source === null ? 'Choose a file or paste something first.' : undefined
  return (
    <Form
      left={<ImportSource source={source} onChange={choose} />}
      right={<ReplaySetup setup={setup} onChange={setSetup} hasWorld={bundle} />}
    >
      <RunButton why={why} run={() => source && void runReplay({ text: source.text }, setup, source.name)} />
      {bundle && (
        <>
          <Button aria-disabled={pending !== null} onClick={() => pending === null && void importBundle(source.text)}>
            <FolderOpen size={12} strokeWidth={1.6} aria-hidden="true" />
            Open its world here
          </Button>
          <span className="data soft">Opening puts its world in the place of this one; Undo brings this one back.</span>
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
    <Pane aria-label="What to replay, and where" tabIndex={0}>
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
  const stuck = why ?? (pending === null ? undefined : 'It is under way.')
  return (
    <>
      <Button primary aria-disabled={stuck !== undefined} title={stuck} onClick={() => stuck === undefined && run()}>
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

function Done() {
  const { done, opened, before, undone, failure } = useReplay()
  return (
    <>
      {failure && <Notice title={failure.title} error={failure.error} />}
      {before !== null && (
        <NoticeLine className="row" waits>
          <span className="grow">
            {undone ? (
              <>
                <b>Taken back.</b> The world is as it was at commit {formatCount(before)}.
              </>
            ) : opened ? (
              <>
                <b>The world of the bundle is in place.</b> Undo brings back what was there, as it was at commit{' '}
                {formatCount(before)}.
              </>
            ) : (
              <>
                <b>It was done in the present world,</b> which goes on from there. Undo brings back commit{' '}
                {formatCount(before)}.
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
          <h2>The bundle is open</h2>
          {opened.note !== null && (
            <p className="soft">
              <Text>{opened.note}</Text>
            </p>
          )}
          <p className="data">
            Its record holds {plural(opened.exchanges, 'request')} and {plural(opened.acts, 'move')} of an operator;
            they stand in the list of requests now.
          </p>
          <span className="row">
            <Button
              primary
              onClick={() =>
                void runReplay(
                  { since: opened.since },
                  { place: 'then', snapshot: '', gaps: null },
                  'the record of the bundle',
                )
              }
            >
              <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
              Replay its record
            </Button>
            <Button onClick={resetReplay}>Import another</Button>
          </span>
        </PaneIntro>
      )}
    </>
  )
}
