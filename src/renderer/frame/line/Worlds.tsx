import { ExternalLink, GitFork, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { WorldName } from '../../../api/contract/control/worlds.ts'
import { perform } from '../../actions/action.ts'
import { markChanged, useFeed } from '../../data/feed.ts'
import { announce } from '../../data/messages.ts'
import { newWindowLabel, openNewWindow } from '../../data/new-window.ts'
import { sandbox, submitting, useAction, useQuery } from '../../data/sandbox.ts'
import { shownWorld } from '../../data/world-address.ts'
import {
  compareWorlds,
  currentOrigin,
  freshWorlds,
  openWorld,
  originLabel,
  placeAddress,
  ROOT_WORLD,
  useWorlds,
  type WorldInfo,
  worldKinds,
  worldLabel,
} from '../../data/worlds.ts'
import { errorText, formatCount, formatLongDay, formatTimeOfDay, plural } from '../../format/text.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { OneField, Select, TextInput } from '../../ui/Field.tsx'
import { Caption, Pane, Row, Stack } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Confirm, Popover, PopoverForm } from '../../ui/Popover.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Text.tsx'
import { StartOver } from './StartOver.tsx'

const PAGE = 100
const HEADERS = [
  { label: 'Name', width: '26%' },
  { label: 'From' },
  { label: 'Simulated time, ET' },
  { label: 'Commits', right: true },
  { label: 'Records', right: true },
  { label: 'Actions', unseen: true },
]

const WORLDS = { screen: 'now', params: { line: ['worlds'] } } as const

/** The root world, then the others, newest first. */
function WorldList({ worlds }: { worlds: readonly WorldInfo[] }) {
  const [limit, setLimit] = useState(PAGE)
  const shown = shownWorld()
  const newest = worlds.toReversed()
  const drop = (name: string) =>
    perform({
      id: 'drop',
      icon: Trash2,
      title: 'Drop',
      failed: `${name} was not dropped.`,
      run: async () => {
        await sandbox['worlds.drop']({ name })
        if (name === shown) location.assign(placeAddress(null, WORLDS))
        markChanged('worlds')
        return { message: `Dropped ${name}.` }
      },
    })
  return (
    <>
      <Table headers={HEADERS} controls stacks>
        <RootWorld isShown={shown === null} />
        {newest.slice(0, limit).map((world) => (
          <WorldRow key={world.name} {...world} origin={originLabel(world.from)} isShown={world.name === shown}>
            <Button onClick={() => compareWorlds(world.name === shown ? null : shown, world.name)}>
              Compare <span className="unseen">{world.name}</span>
            </Button>
            <KeepWorld name={world.name} />
            <Confirm
              label="Drop…"
              title={`Drop “${world.name}”?`}
              action="Drop"
              onConfirm={() => void drop(world.name)}
            >
              {plural(world.records, 'record')}, {plural(world.seq, 'commit')}, its clock, request log, faults and
              snapshots are lost. Its API then answers 404. This cannot be undone; Keep writes it into a folder first.
              Other worlds do not change.
            </Confirm>
          </WorldRow>
        ))}
      </Table>
      {worlds.length === 0 ? (
        <EmptyText>
          There is only the root world. Create another to try something without changing this one, or to give each test
          a world of its own.
        </EmptyText>
      ) : (
        <Caption as="p" className="data">
          <Button small onClick={() => markChanged('worlds')}>
            Refresh
          </Button>
          {worlds.length > limit && (
            <Button small onClick={() => setLimit(limit + PAGE)}>
              Show {formatCount(Math.min(PAGE, worlds.length - limit))} more
            </Button>
          )}
        </Caption>
      )}
    </>
  )
}

function RootWorld({ isShown }: { isShown: boolean }) {
  // The commits of the shown world arrive as notices.
  useFeed((feed) => feed.seq)
  const world = useQuery('world.describe', {}, ['worlds'], { world: null }).data
  const clock = useQuery('clock.read', {}, ['worlds'], { world: null }).data
  return (
    <WorldRow
      name={null}
      isShown={isShown}
      api={world?.api}
      origin={world?.data == null ? 'in memory' : 'saved in the data folder'}
      at={clock?.now}
      seq={world?.seq}
    />
  )
}

interface WorldRowProps extends WorldTitleProps {
  readonly origin: string
  readonly at: string | undefined
  readonly seq: number | undefined
  readonly records?: number
  /** Its buttons. */
  readonly children?: React.ReactNode
}

const WorldRow = ({ origin, at, seq, records, children, ...title }: WorldRowProps) => (
  <tr data-here={title.isShown ? '' : undefined}>
    <WorldTitle {...title} />
    <td>{origin}</td>
    <td>{at && <Time at={at} format={(ms) => `${formatLongDay(ms)} ${formatTimeOfDay(ms)}`} />}</td>
    <td data-right="" data-label="commit" className="mono">
      {seq !== undefined && formatCount(seq)}
    </td>
    <td data-right="" data-label="records">
      {records === undefined ? '–' : formatCount(records)}
    </td>
    <td>
      <Row wraps gap={4}>
        {children}
      </Row>
    </td>
  </tr>
)

interface WorldTitleProps {
  readonly name: string | null
  readonly isShown: boolean
  readonly api: string | undefined
}

function WorldTitle({ name, isShown, api }: WorldTitleProps) {
  const label = name ?? ROOT_WORLD
  return (
    <th scope="row">
      <span className="row" data-tight>
        {isShown ? (
          <span className="cut" title={label}>
            {label}
          </span>
        ) : (
          <a className="cut" title={label} href={placeAddress(name, { screen: 'now' })}>
            {label}
          </a>
        )}
        {isShown && <span className="meta nowrap">shown here</span>}
        <Button
          icon={ExternalLink}
          bare
          small
          aria-label={newWindowLabel(label)}
          title={newWindowLabel()}
          onClick={() => openNewWindow(placeAddress(name, { screen: 'now' }))}
        />
        {api !== undefined && <CopyButton text={api} what={`API address of ${label}`} small />}
      </span>
    </th>
  )
}

/** Writes a world into a data folder. */
function KeepWorld({ name }: { name: string }) {
  const [folder, setFolder] = useState('')
  const keep = useAction(() => sandbox['worlds.keep']({ name, folder: folder.trim() }))
  const { isBusy, result: kept } = keep
  const command = kept && `sandbank serve --data ${quote(kept.folder)}`
  return (
    <Popover
      trigger={
        <Button>
          Keep… <span className="unseen">{name}</span>
        </Button>
      }
      title={`Keep “${name}” in a folder`}
      align="end"
      onOpenChange={(open) => open && keep.reset()}
    >
      <PopoverForm onSubmit={submitting(() => folder.trim() !== '' && keep.run())}>
        <OneField
          label="The full path of a new or empty folder on the machine of the sandbox"
          mono
          value={folder}
          error={keep.error === undefined ? null : errorText(keep.error)}
          onChange={(to) => {
            setFolder(to)
            keep.reset()
          }}
          note={
            kept &&
            command && (
              <>
                <p>Wrote {plural(kept.records, 'record')}. The world goes on in memory. To open the folder:</p>
                <p className="row">
                  <code className="wrap">{command}</code>
                  <CopyButton text={command} what="command" small />
                </p>
              </>
            )
          }
        >
          <Button type="submit" primary aria-disabled={isBusy || folder.trim() === ''}>
            {isBusy ? 'Writing…' : 'Keep'}
          </Button>
        </OneField>
      </PopoverForm>
    </Popover>
  )
}

const quote = (path: string) => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`)

/** The root world and the named ones: creates, opens, compares, keeps and drops them; starts the shown one over. */
export function Worlds() {
  const { data, error, slow } = useWorlds()
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots ?? []
  const worlds = data?.worlds ?? []
  return (
    <Pane aria-label="Worlds of this sandbox">
      <CreateWorld
        names={worlds.map(({ name }) => name)}
        snapshots={snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)}
      />
      {error !== undefined && <Notice title="The worlds could not be listed." error={error} />}
      {data ? <WorldList worlds={worlds} /> : slow && <Skeleton />}
    </Pane>
  )
}

interface CreateWorldProps {
  readonly names: readonly string[]
  readonly snapshots: readonly string[]
}

/** Creates a world, or creates and opens it. The origins are those of `worlds.create`, without commits: the line and its operations have these. */
function CreateWorld({ names, snapshots }: CreateWorldProps) {
  const [name, setName] = useState('')
  const [origin, setOrigin] = useState('current')
  const id = useId()
  const origins = listOrigins(names, snapshots)
  const { input } = origins.find(({ value }) => value === origin) ?? origins[0]
  const create = useAction(async (opens: boolean) => {
    const created = await sandbox['worlds.create']({ ...(name === '' ? {} : { name }), ...input })
    setName('')
    if (opens) await openWorld(created.name)
    else announce(`Created ${created.name}.`)
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
        <StartOver />
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
