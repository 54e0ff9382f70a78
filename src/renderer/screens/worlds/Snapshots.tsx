import { Undo } from '../../components/Undo.tsx'
import { markChanged } from '../../data/feed.ts'
import { useKeptChange } from '../../data/kept-changes.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatShortInstant } from '../../format/time.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { CompareSnapshots } from './CompareSnapshots.tsx'
import { History } from './History.tsx'
import { ResetWorld } from './ResetWorld.tsx'
import { SaveSnapshot } from './SaveSnapshot.tsx'
import { SnapshotList } from './SnapshotList.tsx'
import { TabbedScreen, useOutcome } from './TabbedScreen.tsx'

/** A restore, rewind or reset that just happened, so that it can be undone. */
interface WorldChange {
  readonly before: number
  /** Its commit. */
  readonly seq: number
  readonly text: string
  /** What the Undo button undoes, e.g. "the restore". */
  readonly name: string
}

/** Saves, compares and restores whole worlds, rewinds to a commit, and starts over with a fresh world. */
export function Snapshots() {
  const { params, adjust } = useRoute()
  const { data, error, slow } = useQuery('snapshots.list', {}, ['snapshots'])
  const [change, setChange] = useKeptChange<WorldChange>('world')
  const { outcome, report, fail, clear } = useOutcome()
  const snapshots = data?.snapshots ?? []
  const names = snapshots.map(({ name }) => name)
  const run = async (work: Promise<{ seq: number; now: string; changed: number }>, title: string, name: string) => {
    clear()
    try {
      const { seq, now, changed } = await work
      const time = formatShortInstant(Date.parse(now))
      const text = `${title}. The clock is at ${time}, ${plural(changed, 'record')} changed.`
      setChange({ before: seq - 1, seq, text, name })
    } catch (thrown) {
      setChange(null)
      fail('The world was not changed.', thrown)
    }
  }
  const [a = names[0] ?? '', b = ''] = [params.a?.[0], params.b?.[0]]
  const compare = (left: string, right: string) =>
    adjust({ params: { ...params, pane: ['compare'], a: [left], b: [right] } })
  const list = (
    <Pane aria-label="Saved snapshots">
      <SaveSnapshot
        taken={names}
        onSaved={(name) => {
          setChange(null)
          report(`Saved snapshot ${name}.`)
          markChanged('snapshots')
        }}
      />
      {error !== undefined && <Notice title="The snapshots could not be listed." error={error} />}
      {!data ? (
        slow && <Skeleton />
      ) : snapshots.length === 0 ? (
        <EmptyText>
          No snapshots yet. Save one before a test: you can restore it as often as you like, and compare it with the
          world after the test.
        </EmptyText>
      ) : (
        <SnapshotList
          snapshots={snapshots}
          restore={(name) => run(sandbox['snapshots.restore']({ name }), `Restored ${name}`, 'the restore')}
          compare={(name) => {
            compare(name, '')
            // The focused button disappears with the list, so move the focus to the comparison.
            requestAnimationFrame(() => document.querySelector<HTMLElement>('main select')?.focus())
          }}
          onError={fail}
        />
      )}
    </Pane>
  )
  const readable = snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)
  return (
    <TabbedScreen
      title="Snapshots"
      about="Save, compare, restore and rewind whole worlds"
      outcome={outcome}
      done={
        change ? (
          <>
            <Text className="data wrap">{change.text}</Text>
            <Undo key={change.seq} before={change.before} seq={change.seq} what={change.name} />
          </>
        ) : (
          outcome.text && <Text className="data wrap">{outcome.text}</Text>
        )
      }
      panes={[
        { value: 'list', label: names.length > 0 ? `Snapshots ${names.length}` : 'Snapshots', content: list },
        {
          value: 'compare',
          label: 'Compare',
          content: <CompareSnapshots names={readable} a={a} b={b} onSelect={compare} />,
        },
        {
          value: 'history',
          label: 'History',
          content: (
            <History
              rewind={(seq) =>
                run(sandbox['world.rewind']({ seq }), `Rewound to commit ${formatCount(seq)}`, 'the rewind')
              }
            />
          ),
        },
        {
          value: 'reset',
          label: 'Start over',
          content: (
            <ResetWorld
              reset={(input) =>
                run(sandbox['world.reset'](input), `Started over with a fresh ${input.world} world`, 'the reset')
              }
            />
          ),
        },
      ]}
    />
  )
}
