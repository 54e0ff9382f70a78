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
import styles from './DesktopSettings.module.css'
import { useUnsaved } from './draft.ts'
import { Problem, Row } from './Row.tsx'

/** What the desktop decides for its sandbox: where it listens, and which world is open. After a change the window begins anew. */

type Part = 'port' | 'world' | 'recent'
interface Told {
  readonly part: Part
  readonly says: string
}

/** What the desktop's own words are thrown as. */
const saysOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export function DesktopSettings() {
  const [desk, setDesk] = useState<DesktopState | null>(null)
  const [told, setTold] = useState<Told | null>(null)
  const [doing, setDoing] = useState<Part | null>(null)
  const unsaved = useUnsaved()
  useEffect(() => {
    callDesktop('desk.read', {}).then(setDesk, (error: unknown) => setTold({ part: 'world', says: saysOf(error) }))
  }, [])

  /** In place: what was refused, in the desktop's words. What was done shows by itself. */
  const attempt = async (part: Part, work: () => Promise<string | undefined>) => {
    if (doing !== null) return
    setDoing(part)
    setTold(null)
    try {
      const says = await work()
      if (says !== undefined) setTold({ part, says })
    } catch (error) {
      setTold({ part, says: saysOf(error) })
    }
    await callDesktop('desk.read', {}).then(setDesk, () => {})
    setDoing(null)
  }
  const saysAt = (part: Part) => (told?.part === part ? told.says : undefined)
  if (!desk) return told && <Notice title="The desktop did not answer.">{told.says}</Notice>

  const open = (part: Part, name: OpensWorld, input: object) =>
    void attempt(part, async () => {
      await callDesktop(name, input as never)
      return undefined
    })
  const recent = desk.recent.filter((folder) => folder !== desk.data)
  const barred = unsaved === 0 ? undefined : `${plural(unsaved, 'change')} not saved: save or discard first.`
  const off = doing !== null || barred !== undefined
  return (
    <>
      {barred !== undefined && (
        <p className={styles.unsaved} role="status">
          <Glyph name="decide" />
          <span>
            {barred} With another port or another world this window begins anew, and what is not saved is lost.
          </span>
        </p>
      )}
      <PortRow desk={desk} refusal={saysAt('port')} busy={doing !== null} barred={barred} attempt={attempt} />
      <Row
        label="data folder"
        note="The world that is open. Another one takes its place in this window and on this port; this one stays in its folder as it is."
      >
        {desk.data === null ? (
          <p>none: it was started with --ephemeral, and nothing is kept</p>
        ) : (
          <span className={`row ${styles.path}`}>
            <Text className="mono wrap">{desk.data}</Text>
            <CopyButton text={desk.data} what="data folder" small />
          </span>
        )}
        <span className={`row ${styles.buttons}`}>
          <Hand
            name="Show the folder"
            off={doing !== null || desk.data === null}
            act={() =>
              void attempt('world', async () =>
                (await callDesktop('desk.show_folder', {})).shown
                  ? undefined
                  : 'The system could not show this folder.',
              )
            }
          />
          <Hand name="Open a world…" off={off} whyNot={barred} act={() => open('world', 'desk.open_world', {})} />
          <Hand
            name="New demo world…"
            off={off}
            whyNot={barred}
            act={() => open('world', 'desk.new_world', { world: 'demo' })}
          />
          <Hand
            name="New empty world…"
            off={off}
            whyNot={barred}
            act={() => open('world', 'desk.new_world', { world: 'empty' })}
          />
        </span>
        <Problem>{saysAt('world')}</Problem>
      </Row>
      <Row label="recent worlds" note="Worlds that were open before, the latest first.">
        {recent.length === 0 && <p className="faint">no others yet</p>}
        <ul className={styles.folders}>
          {recent.map((folder) => (
            <li key={folder} className="row">
              <Text className="mono wrap grow">{folder}</Text>
              <Hand
                name="Open"
                of={folder}
                off={off}
                whyNot={barred}
                act={() => open('recent', 'desk.open_world', { folder })}
              />
            </li>
          ))}
        </ul>
        <Problem>{saysAt('recent')}</Problem>
      </Row>
      <Row
        label="without a window"
        note={
          <>
            In a terminal or in CI. One process has a world open at a time: close this app first, or say another folder
            with <span className="mono">--data</span>.
          </>
        }
      >
        <span className={`row ${styles.path}`}>
          <Text className="mono wrap">{`${desk.command} serve`}</Text>
          <CopyButton text={`${desk.command} serve`} what="command" small />
        </span>
      </Row>
    </>
  )
}

type OpensWorld = Extract<DesktopMethodName, 'desk.open_world' | 'desk.new_world'>

interface PortRowProps {
  readonly desk: DesktopState
  readonly refusal: string | undefined
  readonly busy: boolean
  /** Why it cannot be changed now. */
  readonly barred: string | undefined
  attempt(part: Part, work: () => Promise<string | undefined>): Promise<void>
}

function PortRow({ desk: { port, instead_of }, refusal, busy, barred, attempt }: PortRowProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? String(port)
  const isPort = /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535
  const wrong = isPort ? refusal : 'A number from 1 to 65535 is expected.'
  const same = Number(text) === port
  const listen = () =>
    attempt('port', async () => {
      const { port: now } = await callDesktop('desk.listen', { port: Number(text) })
      return now === Number(text) ? undefined : `It still listens at ${now}.`
    })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isPort && !same && !busy && barred === undefined) void listen()
      }}
    >
      <Row
        label="port"
        htmlFor={id}
        noteId={`${id}?`}
        note="Where the API listens on this machine, remembered for the next start. Whoever calls it needs the new address; the world stays as it is."
      >
        <span className="row">
          <TextInput
            id={id}
            numeric
            value={text}
            inputMode="numeric"
            invalid={wrong !== undefined}
            aria-describedby={`${id}?`}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button
            type="submit"
            aria-disabled={!isPort || same || busy || barred !== undefined}
            title={same ? 'It listens there.' : barred}
          >
            Listen there
          </Button>
        </span>
        <Problem>{wrong}</Problem>
        {instead_of && (
          <p className="meta">
            {instead_of.port} was asked for; {instead_of.why}.
          </p>
        )}
      </Row>
    </form>
  )
}

interface HandProps {
  readonly name: string
  /** What it acts on, where several have the same name. */
  readonly of?: string
  readonly off: boolean
  readonly whyNot?: string | undefined
  act(): void
}

function Hand({ name, of, off, whyNot, act }: HandProps) {
  return (
    <Button small aria-disabled={off} title={whyNot} onClick={() => !off && act()}>
      {name}
      {of !== undefined && <span className="unseen"> {of}</span>}
    </Button>
  )
}
