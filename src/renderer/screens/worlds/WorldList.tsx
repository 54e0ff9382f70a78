import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { markChanged, useFeed } from '../../data/feed.ts'
import { newWindowLabel, openNewWindow } from '../../data/new-window.ts'
import { sandbox } from '../../data/sandbox.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { useQuery } from '../../data/use-query.ts'
import { shownWorld } from '../../data/world-address.ts'
import { originLabel, placeAddress, ROOT_WORLD, type WorldInfo } from '../../data/worlds.ts'
import { errorText } from '../../format/errors.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Row } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { OneField } from '../../ui/OneField.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'
import { Table } from '../../ui/Table.tsx'
import { Instant } from './Comparison.tsx'
import type { Attempt } from './TabbedScreen.tsx'

const PAGE = 100
const HEADERS = [
  { label: 'Name', width: '26%' },
  { label: 'From' },
  { label: 'Simulated time, ET' },
  { label: 'Commits', right: true },
  { label: 'Records', right: true },
  { label: 'Actions', unseen: true },
]

interface WorldListProps {
  readonly worlds: readonly WorldInfo[]
  readonly compare: (name: string) => void
  readonly attempt: Attempt
}

/** The root world, then the others, newest first. */
export function WorldList({ worlds, compare, attempt }: WorldListProps) {
  const [limit, setLimit] = useState(PAGE)
  const shown = shownWorld()
  const newest = worlds.toReversed()
  const drop = (name: string) =>
    attempt(`${name} was not dropped.`, async () => {
      await sandbox['worlds.drop']({ name })
      if (name === shown) location.assign(placeAddress(null, { screen: 'worlds' }))
      markChanged('worlds')
      return `Dropped ${name}.`
    })
  return (
    <>
      <Table headers={HEADERS} controls stacks>
        <RootWorld isShown={shown === null} />
        {newest.slice(0, limit).map((world) => (
          <WorldRow key={world.name} {...world} origin={originLabel(world.from)} isShown={world.name === shown}>
            <Button onClick={() => compare(world.name)}>
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
    <td>{at && <Instant at={at} />}</td>
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
          <a className="cut" title={label} href={placeAddress(name, { screen: 'connect' })}>
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
          onClick={() => openNewWindow(placeAddress(name, { screen: 'connect' }))}
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
