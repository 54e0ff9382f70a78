import { useEffect, useState } from 'react'
import type { DesktopState } from '../../../api/contract/desktop.ts'
import { callDesktop, isDesktop } from '../../data/desktop.ts'
import { useFeed } from '../../data/feed.ts'
import { useAction } from '../../data/sandbox.ts'
import { chooseTheme, useTheme } from '../../data/theme.ts'
import { formatCount, formatInstant, plural } from '../../format/text.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Choice, LabelledCheckbox } from '../../ui/Field.tsx'
import { Row as Line } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Glyph, Property, PropertyList, Text, Time } from '../../ui/Text.tsx'
import { useUnsavedCount } from './draft.ts'
import { InputRow, Problem, Remark, Row, Section } from './Row.tsx'

export function ThisWindow() {
  const theme = useTheme((state) => state.theme)
  return (
    <Section id="window" title="This window">
      <Row label="theme" note={isDesktop() ? 'Saved for this app.' : 'Saved in this browser only.'}>
        <Choice
          legend="Theme"
          inline
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: 'system', label: 'same as the system' },
            { value: 'light', label: 'light' },
            { value: 'dark', label: 'dark' },
          ]}
        />
      </Row>
    </Section>
  )
}

export function ThisSandbox() {
  const world = useFeed((feed) => feed.world)
  const seq = useFeed((feed) => feed.seq)
  if (!world) return null
  const { port } = new URL(world.api)
  return (
    <Section id="sandbox" title="This sandbox">
      {isDesktop() ? (
        <DesktopSettings />
      ) : (
        <Remark className="soft">Set at start-up. To change these, start another sandbox.</Remark>
      )}
      <PropertyList>
        <Property name="API">
          <span className="row">
            <span className="mono wrap">{world.api}</span>
            <CopyButton text={world.api} what="address of the API" small />
          </span>
        </Property>
        {!isDesktop() && (
          <>
            <Property name="port">
              {port}, set with <span className="mono">sandbank serve --port {port}</span>
            </Property>
            <Property name="data folder">
              {world.data === null ? (
                'none: started with --ephemeral, nothing is saved'
              ) : (
                <span className="row">
                  <Text className="mono wrap">{world.data}</Text>
                  <CopyButton text={world.data} what="data folder" small />
                </span>
              )}
            </Property>
          </>
        )}
        <Property name="seed">
          <Text className="mono wrap">{world.seed}</Text>
        </Property>
        <Property name="start">
          <Time at={world.start} format={formatInstant} />
        </Property>
        <Property name="commits">{formatCount(seq)}</Property>
        <Property name="--allow">
          {world.allow.length === 0 ? (
            'none: only callers on the allowlist of a Program are allowed'
          ) : (
            <Text className="mono wrap">{world.allow.join(', ')}</Text>
          )}
        </Property>
        <Property name="version">{world.version}</Property>
      </PropertyList>
    </Section>
  )
}

type Part = 'port' | 'world' | 'recent' | 'updates' | 'choices'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The state and the methods of the desktop. After a change of port or world the window reloads. */
function useDesktop() {
  const [state, setState] = useState<DesktopState | null>(null)
  const read = async () => setState(await callDesktop('desk.read', {}))
  const first = useAction(read)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read at first; later after each change.
  useEffect(() => void first.run(), [])
  /** `work` returns a message if it did not succeed. */
  const { run, isBusy, result } = useAction(async (part: Part, work: () => Promise<unknown>) => {
    const message = await work().catch(messageOf)
    await read().catch(() => {})
    return { part, message }
  })
  const failureOf = (part: Part) =>
    result?.part === part && typeof result.message === 'string' ? result.message : undefined
  return { state, failure: first.error, isBusy, run, failureOf }
}

interface PartProps {
  readonly desktop: ReturnType<typeof useDesktop>
  readonly state: DesktopState
  /** Why neither the port nor the world can be changed now. */
  readonly whyNot: string | undefined
}

function DesktopSettings() {
  const desktop = useDesktop()
  const unsaved = useUnsavedCount()
  const { state, failure } = desktop
  if (!state) return failure !== undefined && <Notice title="The desktop did not answer.">{messageOf(failure)}</Notice>
  const whyNot = unsaved === 0 ? undefined : `${plural(unsaved, 'change')} not saved: save or discard first.`
  const parts = { desktop, state, whyNot }
  return (
    <>
      {whyNot !== undefined && (
        <Line as="p" gap={8} pad="8 16" align="baseline" line="bottom" text="data" tone="wait" role="status">
          <Glyph name="decide" />
          <span>{whyNot} After a change of the port or the world this window reloads and loses unsaved changes.</span>
        </Line>
      )}
      <PortRow {...parts} />
      <WorldRow {...parts} />
      <RecentWorldsRow {...parts} />
      <UpdatesRow {...parts} />
      <ChoicesRow {...parts} />
      <Row
        label="without a window"
        note="For a terminal or CI. Only one process can have a world open: close this app first, or name another folder with `--data`."
      >
        <CopyLine text={`${state.command} serve`} what="command" />
      </Row>
    </>
  )
}

/** A path or a command to copy. */
const CopyLine = ({ text, what }: { text: string; what: string }) => (
  <Line as="span" gap={8} align="start" style={{ paddingTop: 4 }} least={24}>
    <Text className="mono wrap">{text}</Text>
    <CopyButton text={text} what={what} small />
  </Line>
)

function PortRow({ desktop: { isBusy, run, failureOf }, state: { port, instead_of }, whyNot }: PartProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? String(port)
  const isPort = /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535
  const error = isPort ? failureOf('port') : 'A number from 1 to 65535 is expected.'
  const isSame = Number(text) === port
  const canChange = isPort && !isSame && !isBusy && whyNot === undefined
  const listen = () =>
    run('port', async () => {
      const { port: current } = await callDesktop('desk.listen', { port: Number(text) })
      return current === Number(text) ? undefined : `The API still listens on port ${current}.`
    })
  return (
    <InputRow
      label="port"
      note="The port of the API on this machine, also after a restart. Your app needs the new address. The world does not change."
      onSubmit={() => canChange && listen()}
      input={{ numeric: true, value: text, inputMode: 'numeric', invalid: error !== undefined }}
      onType={setDraft}
      below={
        <>
          <Problem>{error}</Problem>
          {instead_of && (
            <p className="meta">
              Requested: port {instead_of.port}; {instead_of.why}.
            </p>
          )}
        </>
      }
    >
      <Button type="submit" aria-disabled={!canChange} title={isSame ? 'The API already uses this port.' : whyNot}>
        Change port
      </Button>
    </InputRow>
  )
}

export function UpdatesRow({ desktop: { isBusy, run, failureOf }, state }: PartProps) {
  const { look_for_updates, newest_version, releases } = state
  if (releases === null)
    return (
      <Row label="updates" note="This build has no address at which a newer version could be found.">
        It looks for no updates.
      </Row>
    )
  const choose = (on: boolean) =>
    run('updates', async () => void (await callDesktop('desk.choose', { look_for_updates: on })))
  return (
    <Row
      label="updates"
      note="Off by default. Once a day the app reads the number of the newest version from the page of releases; it sends its own version only, and downloads nothing."
    >
      <LabelledCheckbox
        checked={look_for_updates}
        disabled={isBusy}
        onChange={(event) => void choose(event.target.checked)}
      >
        Look for updates
      </LabelledCheckbox>
      {newest_version !== null && (
        <Line gap={8} role="status">
          <span>Version {newest_version} can be had.</span>
          <Button
            small
            onClick={() => void run('updates', async () => void (await callDesktop('desk.open_releases', {})))}
          >
            Open the page of releases
          </Button>
        </Line>
      )}
      <Problem>{failureOf('updates')}</Problem>
    </Row>
  )
}

function ChoicesRow({ desktop: { isBusy, run, failureOf }, state: { keep_serving, notify } }: PartProps) {
  const choose = (choices: Partial<Pick<DesktopState, 'keep_serving' | 'notify'>>) =>
    void run('choices', async () => void (await callDesktop('desk.choose', choices)))
  return (
    <Row
      label="in the background"
      note="Without a window the API goes on, and its address is in the tray or the menu bar. On a system without a tray start the app again: it opens a window. Notifications come while no window of Sandbank has the focus."
    >
      <LabelledCheckbox
        checked={keep_serving}
        disabled={isBusy}
        onChange={(event) => choose({ keep_serving: event.target.checked })}
      >
        Keep serving when the last window closes
      </LabelledCheckbox>
      <LabelledCheckbox
        checked={notify}
        disabled={isBusy}
        onChange={(event) => choose({ notify: event.target.checked })}
      >
        Notify of failed tasks, failing webhooks and windows to authorize that close
      </LabelledCheckbox>
      <Problem>{failureOf('choices')}</Problem>
    </Row>
  )
}

/** Answers nothing of interest: the window reloads. */
const open = async (method: 'desk.open_world' | 'desk.new_world', input: object) => {
  await callDesktop(method, input as never)
}

const newWorlds = [
  ['Open a world…', 'desk.open_world', {}],
  ['New demo world…', 'desk.new_world', { world: 'demo' }],
  ['New empty world…', 'desk.new_world', { world: 'empty' }],
] as const

function WorldRow({ desktop: { isBusy, run, failureOf }, state: { data }, whyNot }: PartProps) {
  const canShow = !isBusy && data !== null
  const showFolder = () =>
    run('world', async () =>
      (await callDesktop('desk.show_folder', {})).shown ? undefined : 'The system could not show this folder.',
    )
  return (
    <Row
      label="data folder"
      note="The world that is open. If you open another one, it replaces this one in this window and on this port; this one stays unchanged in its folder."
    >
      {data === null ? (
        <p>none: started with --ephemeral, nothing is saved</p>
      ) : (
        <CopyLine text={data} what="data folder" />
      )}
      <Line as="span" wraps gap="4 8" style={{ paddingTop: 4 }}>
        <Button small aria-disabled={!canShow} onClick={() => canShow && void showFolder()}>
          Show the folder
        </Button>
        {newWorlds.map(([name, method, input]) => (
          <Button
            key={name}
            small
            aria-disabled={isBusy}
            whyNot={whyNot}
            onClick={() => void run('world', () => open(method, input))}
          >
            {name}
          </Button>
        ))}
      </Line>
      <Problem>{failureOf('world')}</Problem>
    </Row>
  )
}

function RecentWorldsRow({ desktop: { isBusy, run, failureOf }, state: { recent, data }, whyNot }: PartProps) {
  const folders = recent.filter((folder) => folder !== data)
  return (
    <Row label="recent worlds" note="Worlds that you opened before, latest first.">
      {folders.length === 0 && <p className="faint">none yet</p>}
      <ul>
        {folders.map((folder) => (
          <Line as="li" key={folder} gap={8} pad="4 0" align="start">
            <Text className="mono wrap grow">{folder}</Text>
            <Button
              small
              style={{ flex: 'none' }}
              aria-disabled={isBusy}
              whyNot={whyNot}
              onClick={() => void run('recent', () => open('desk.open_world', { folder }))}
            >
              Open<span className="unseen"> {folder}</span>
            </Button>
          </Line>
        ))}
      </ul>
      <Problem>{failureOf('recent')}</Problem>
    </Row>
  )
}
