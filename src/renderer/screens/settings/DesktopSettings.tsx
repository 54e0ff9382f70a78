import { useEffect, useId, useState } from 'react'
import type { DesktopMethodName, DesktopState } from '../../../api/contract/desktop.ts'
import { callDesktop } from '../../data/desktop.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { useUnsavedCount } from './changes.ts'
import styles from './DesktopSettings.module.css'
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
    setFailure(null)
    try {
      const message = await work()
      if (message !== undefined) setFailure({ part, message })
    } catch (error) {
      setFailure({ part, message: messageOf(error) })
    }
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

type Desktop = ReturnType<typeof useDesktop>

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface PartProps {
  readonly desktop: Desktop
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
        <p className={styles.unsaved} role="status">
          <Glyph name="decide" />
          <span>{whyNot} After a change of the port or the world this window reloads and loses unsaved changes.</span>
        </p>
      )}
      <PortRow {...parts} />
      <WorldRow {...parts} />
      <RecentWorldsRow {...parts} />
      <Row
        label="without a window"
        note={
          <>
            For a terminal or CI. Only one process can have a world open: close this app first, or name another folder
            with <span className="mono">--data</span>.
          </>
        }
      >
        <span className={`row ${styles.path}`}>
          <Text className="mono wrap">{`${state.command} serve`}</Text>
          <CopyButton text={`${state.command} serve`} what="command" small />
        </span>
      </Row>
    </>
  )
}

function PortRow({ desktop, state: { port, instead_of }, whyNot }: PartProps) {
  const { isBusy, run, failureOf } = desktop
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
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (canChange) void listen()
      }}
    >
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

function WorldRow({ desktop: { isBusy, run, open, failureOf }, state: { data }, whyNot }: PartProps) {
  const isOff = isBusy || whyNot !== undefined
  const showFolder = () =>
    void run('world', async () =>
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
        <span className={`row ${styles.path}`}>
          <Text className="mono wrap">{data}</Text>
          <CopyButton text={data} what="data folder" small />
        </span>
      )}
      <span className={`row ${styles.buttons}`}>
        <SmallButton name="Show the folder" isOff={isBusy || data === null} onClick={showFolder} />
        <SmallButton
          name="Open a world…"
          isOff={isOff}
          whyNot={whyNot}
          onClick={() => open('world', 'desk.open_world', {})}
        />
        <SmallButton
          name="New demo world…"
          isOff={isOff}
          whyNot={whyNot}
          onClick={() => open('world', 'desk.new_world', { world: 'demo' })}
        />
        <SmallButton
          name="New empty world…"
          isOff={isOff}
          whyNot={whyNot}
          onClick={() => open('world', 'desk.new_world', { world: 'empty' })}
        />
      </span>
      <Problem>{failureOf('world')}</Problem>
    </Row>
  )
}

function RecentWorldsRow({ desktop: { isBusy, open, failureOf }, state: { recent, data }, whyNot }: PartProps) {
  const folders = recent.filter((folder) => folder !== data)
  return (
    <Row label="recent worlds" note="Worlds that you opened before, latest first.">
      {folders.length === 0 && <p className="faint">none yet</p>}
      <ul className={styles.folders}>
        {folders.map((folder) => (
          <li key={folder} className="row">
            <Text className="mono wrap grow">{folder}</Text>
            <SmallButton
              name="Open"
              subject={folder}
              isOff={isBusy || whyNot !== undefined}
              whyNot={whyNot}
              onClick={() => open('recent', 'desk.open_world', { folder })}
            />
          </li>
        ))}
      </ul>
      <Problem>{failureOf('recent')}</Problem>
    </Row>
  )
}

interface SmallButtonProps {
  readonly name: string
  /** Tells buttons of the same name apart for screen readers. */
  readonly subject?: string
  readonly isOff: boolean
  readonly whyNot?: string | undefined
  readonly onClick: () => void
}

function SmallButton({ name, subject, isOff, whyNot, onClick }: SmallButtonProps) {
  return (
    <Button small aria-disabled={isOff} title={whyNot} onClick={() => !isOff && onClick()}>
      {name}
      {subject !== undefined && <span className="unseen"> {subject}</span>}
    </Button>
  )
}
