import { GitFork } from 'lucide-react'
import { useId, useState } from 'react'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { WorldName } from '../../../api/contract/control/worlds.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { useQuery } from '../../data/use-query.ts'
import { shownWorld } from '../../data/world-address.ts'
import { currentOrigin, freshWorlds, openWorld, useWorlds, worldKinds, worldLabel } from '../../data/worlds.ts'
import { errorText } from '../../format/errors.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { CompareWorlds } from './CompareWorlds.tsx'
import { UNNAMED } from './Comparison.tsx'
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

interface CreateWorldProps {
  readonly names: readonly string[]
  readonly snapshots: readonly string[]
  readonly onCreated: (name: string) => void
}

/** Creates a world, or creates and opens it. The origins are those of `worlds.create`, without commits: the history at Snapshots has these. */
function CreateWorld({ names, snapshots, onCreated }: CreateWorldProps) {
  const [name, setName] = useState('')
  const [origin, setOrigin] = useState('current')
  const id = useId()
  const origins = listOrigins(names, snapshots)
  const { input } = origins.find(({ value }) => value === origin) ?? origins[0]
  const create = useAction(async (opens: boolean) => {
    const created = await sandbox['worlds.create']({ ...(name === '' ? {} : { name }), ...input })
    setName('')
    if (opens) await openWorld(created.name)
    else onCreated(created.name)
  })
  const error = nameError(name, names) ?? (create.error === undefined ? null : errorText(create.error))
  const submit = async (opens: boolean) => nameError(name, names) === null && create.run(opens)
  return (
    <Row
      as="form"
      wraps
      gap="4 8"
      pad="12 16"
      align="end"
      aria-label="Create a world"
      onSubmit={submitting(() => submit(false))}
    >
      <Stack gap={4} style={FIELD}>
        <label className="data soft" htmlFor={`${id}from`}>
          New world from
        </label>
        <Select
          id={`${id}from`}
          value={origin}
          onChange={(to) => {
            setOrigin(to)
            create.reset()
          }}
          options={origins.map(({ value, label }) => [value, label])}
        />
      </Stack>
      <Stack gap={4} style={FIELD}>
        <label className="data soft" htmlFor={`${id}name`}>
          Name
        </label>
        <TextInput
          id={`${id}name`}
          value={name}
          placeholder="world-1, world-2, …"
          invalid={error !== null}
          aria-describedby={`${id}note`}
          onChange={(event) => {
            setName(event.target.value)
            create.reset()
          }}
        />
      </Stack>
      <span className="row" data-tight>
        <Button icon={GitFork} type="submit" primary aria-disabled={create.isBusy || error !== null}>
          Create
        </Button>
        <Button aria-disabled={create.isBusy || error !== null} onClick={() => void submit(true)}>
          Create and open
        </Button>
      </span>
      <p
        id={`${id}note`}
        style={{ flex: '0 0 100%', minHeight: 16 }}
        className={`data wrap ${error === null ? 'faint' : 'bad'}`}
        role={error === null ? undefined : 'alert'}
      >
        {error ?? 'It is in memory and ends with the sandbox. Keep writes it into a data folder.'}
      </p>
    </Row>
  )
}

const FIELD = { flex: '0 1 260px' }

function nameError(name: string, taken: readonly string[]): string | null {
  if (name === '') return null
  if (taken.includes(name)) return `There is a world “${name}” already. Choose another name, or drop that world.`
  const issue = WorldName.safeParse(name).error?.issues[0]
  return issue ? `“${name}” cannot be a name: ${issue.message}.` : null
}

interface Origin {
  readonly value: string
  readonly label: string
  readonly input: Pick<MethodInput<'worlds.create'>, 'from'>
}

const listOrigins = (names: readonly string[], snapshots: readonly string[]): readonly [Origin, ...Origin[]] => [
  {
    value: 'current',
    label: `this world as it is now (${worldLabel(shownWorld())})`,
    input: { from: currentOrigin() },
  },
  ...worldKinds.map((from) => ({ value: from, label: freshWorlds[from], input: { from } })),
  ...snapshots.map((snapshot) => ({
    value: `snapshot ${snapshot}`,
    label: `snapshot ${snapshot}`,
    input: { from: { snapshot } },
  })),
  ...names
    .filter((name) => name !== shownWorld())
    .map((world) => ({ value: `world ${world}`, label: `${world} as it is now`, input: { from: { world } } })),
]
