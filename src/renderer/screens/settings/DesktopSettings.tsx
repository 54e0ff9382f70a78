import { useEffect, useId, useState } from 'react'
import type { DesktopMethodName, DesktopState } from '../../../api/contract/desktop.ts'
import { callDesktop } from '../../data/desktop.ts'
import { submitting } from '../../data/use-action.ts'
import { plural } from '../../format/numbers.ts'
import { Row as Line } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { useUnsavedCount } from './changes.ts'
import { Problem, Row } from './Row.tsx'

type Part = 'port' | 'world' | 'recent'
type OpenMethod = Extract<DesktopMethodName, 'desk.open_world' | 'desk.new_world'>

/** The state and the methods of the desktop. After a change of port or world the window reloads. */
function useDesktop() {
  const [state, setState] = useState<DesktopState | null>(null)
  const [failure, setFailure] = useState<{ readonly part: Part; readonly message: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    callDesktop('desk.read', {}).then(setState, (error: unknown) =>
      setFailure({ part: 'world', message: messageOf(error) }),
    )
  }, [])

  /** `work` returns a message if it did not succeed. */
  const run = async (part: Part, work: () => Promise<string | undefined>) => {
    if (isBusy) return
    setBusy(true)
    const message = await work().catch(messageOf)
    setFailure(message === undefined ? null : { part, message })
    await callDesktop('desk.read', {}).then(setState, () => {})
    setBusy(false)
  }
  const open = (part: Part, name: OpenMethod, input: object) =>
    void run(part, async () => {
      await callDesktop(name, input as never)
      return undefined
    })
  const failureOf = (part: Part) => (failure?.part === part ? failure.message : undefined)
  return { state, failure, isBusy, run, open, failureOf }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface PartProps {
  readonly desktop: ReturnType<typeof useDesktop>
  readonly state: DesktopState
  /** Why neither the port nor the world can be changed now. */
  readonly whyNot: string | undefined
}

export function DesktopSettings() {
  const desktop = useDesktop()
  const unsaved = useUnsavedCount()
  const { state, failure } = desktop
  if (!state) return failure && <Notice title="The desktop did not answer.">{failure.message}</Notice>
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
  const id = useId()
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
    <form noValidate onSubmit={submitting(() => canChange && listen())}>
      <Row
        label="port"
        htmlFor={id}
        noteId={`${id}?`}
        note="The port of the API on this machine, also after a restart. Your app needs the new address. The world does not change."
      >
        <span className="row">
          <TextInput
            id={id}
            numeric
            value={text}
            inputMode="numeric"
            invalid={error !== undefined}
            aria-describedby={`${id}?`}
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" aria-disabled={!canChange} title={isSame ? 'The API already uses this port.' : whyNot}>
            Change port
          </Button>
        </span>
        <Problem>{error}</Problem>
        {instead_of && (
          <p className="meta">
            Requested: port {instead_of.port}; {instead_of.why}.
          </p>
        )}
      </Row>
    </form>
  )
}

const newWorlds = [
  ['Open a world…', 'desk.open_world', {}],
  ['New demo world…', 'desk.new_world', { world: 'demo' }],
  ['New empty world…', 'desk.new_world', { world: 'empty' }],
] as const

function WorldRow({ desktop: { isBusy, run, open, failureOf }, state: { data }, whyNot }: PartProps) {
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
          <OpenButton key={name} isBusy={isBusy} whyNot={whyNot} onClick={() => open('world', method, input)}>
            {name}
          </OpenButton>
        ))}
      </Line>
      <Problem>{failureOf('world')}</Problem>
    </Row>
  )
}

function RecentWorldsRow({ desktop: { isBusy, open, failureOf }, state: { recent, data }, whyNot }: PartProps) {
  const folders = recent.filter((folder) => folder !== data)
  return (
    <Row label="recent worlds" note="Worlds that you opened before, latest first.">
      {folders.length === 0 && <p className="faint">none yet</p>}
      <ul>
        {folders.map((folder) => (
          <Line as="li" key={folder} gap={8} pad="4 0" align="start">
            <Text className="mono wrap grow">{folder}</Text>
            <OpenButton isBusy={isBusy} whyNot={whyNot} onClick={() => open('recent', 'desk.open_world', { folder })}>
              Open<span className="unseen"> {folder}</span>
            </OpenButton>
          </Line>
        ))}
      </ul>
      <Problem>{failureOf('recent')}</Problem>
    </Row>
  )
}

interface OpenButtonProps {
  readonly isBusy: boolean
  readonly whyNot: string | undefined
  readonly onClick: () => void
  readonly children: React.ReactNode
}

/** Opens another world, unless there are unsaved changes. */
function OpenButton({ isBusy, whyNot, onClick, children }: OpenButtonProps) {
  const isOff = isBusy || whyNot !== undefined
  return (
    <Button small style={{ flex: 'none' }} aria-disabled={isOff} title={whyNot} onClick={() => !isOff && onClick()}>
      {children}
    </Button>
  )
}
