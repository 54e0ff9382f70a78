import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { useWorlds } from '../../data/worlds.ts'
import { Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { CompareWorlds } from './CompareWorlds.tsx'
import { UNNAMED } from './Comparison.tsx'
import { CreateWorld } from './CreateWorld.tsx'
import { TabbedScreen, useOutcome } from './TabbedScreen.tsx'
import { WorldList } from './WorldList.tsx'

/** The root world and the named ones: creates, opens, compares, keeps and drops them. */
export function Worlds() {
  const { params, adjust } = useRoute()
  const { data, error, slow } = useWorlds()
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots ?? []
  const { outcome, report, attempt } = useOutcome()
  const worlds = data?.worlds ?? []
  const names = worlds.map(({ name }) => name)
  const [a = UNNAMED, b = names.at(-1) ?? UNNAMED] = [params.a?.[0], params.b?.[0]]
  const compare = (left: string, right: string) => {
    const about = params.about ? { about: params.about } : {}
    adjust({ params: { ...about, pane: ['compare'], a: [left], b: [right] } })
  }
  const list = (
    <Pane aria-label="Worlds of this sandbox">
      <CreateWorld
        names={names}
        snapshots={snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)}
        onCreated={(name) => report(`Created ${name}.`)}
      />
      {error !== undefined && <Notice title="The worlds could not be listed." error={error} />}
      {data ? (
        <WorldList worlds={worlds} compare={(name) => compare(UNNAMED, name)} attempt={attempt} />
      ) : (
        slow && <Skeleton />
      )}
    </Pane>
  )
  const comparison = (
    <CompareWorlds names={names} a={a} b={b} about={params.about?.[0]} onSelect={compare} attempt={attempt} />
  )
  return (
    <TabbedScreen
      title="Worlds"
      about="Isolated worlds, each with its own records, clock, keys and address"
      outcome={outcome}
      panes={[
        { value: 'list', label: names.length > 0 ? `Worlds ${names.length + 1}` : 'Worlds', content: list },
        { value: 'compare', label: 'Compare', content: comparison },
      ]}
    />
  )
}
