import { useEffect, useState } from 'react'
import type { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { Undo } from '../../components/Undo.tsx'
import { markChanged, type Program, useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Footer } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { draftOf, dropDraft, dropSaved } from './draft.ts'
import styles from './SaveBar.module.css'

interface SaveBarProps {
  readonly program: Program
  readonly changes: ProgramChanges & { name?: string }
  /** Of what was changed. */
  readonly names: readonly string[]
  readonly wrong: number
  readonly refusal: string | null
  readonly setRefusal: (refusal: string | null) => void
}

/** At the foot of the settings: what is changed and not saved, and what was saved last. */
export function SaveBar({ program, changes, names, wrong, refusal, setRefusal }: SaveBarProps) {
  const live = useFeed((feed) => feed.connection === 'live')
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState<Saved | null>(null)
  const why = !live
    ? 'There is no connection.'
    : wrong > 0
      ? `${plural(wrong, 'field')} must be put right first.`
      : undefined
  const shown = names.length > 0
  // It takes its room from the rows above: what is being typed stays in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that says what is wrong has grown.
  useEffect(() => {
    if (shown) document.activeElement?.closest('[data-setting], tr')?.scrollIntoView?.({ block: 'nearest' })
  }, [shown, wrong])
  const save = async () => {
    if (why !== undefined || busy) return
    setBusy(true)
    const draft = draftOf(program.uid)
    try {
      const before = await commitNow()
      const after = await sandbox['programs.update']({ uid: program.uid, ...changes })
      showProgram(after)
      dropSaved(program.uid, draft)
      setRefusal(null)
      setSaved({ before, did: await commitNow(), says: plural(names.length, 'change') })
    } catch (error) {
      setRefusal(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  if (!shown && !saved) return null
  return (
    <Footer className={styles.bar}>
      {shown ? (
        <>
          <span className="wait row">
            <Glyph name="decide" />
            {plural(names.length, 'change')} not saved
          </span>
          {wrong > 0 && (
            <span className="bad row">
              <Glyph name="broken" />
              {why}
            </span>
          )}
          <span className={`cut soft ${styles.names}`} title={names.join(', ')}>
            {names.join(', ')}
          </span>
          {refusal !== null && (
            <span className={`bad wrap ${styles.refusal}`} role="alert">
              <Text>{refusal}</Text>
            </span>
          )}
          <span className="end row">
            <Button
              onClick={() => {
                dropDraft(program.uid)
                setRefusal(null)
              }}
            >
              Discard
            </Button>
            <Button primary aria-disabled={why !== undefined || busy} title={why} onClick={() => void save()}>
              Save
            </Button>
          </span>
        </>
      ) : (
        saved && (
          <>
            <span role="status">Saved: {saved.says}.</span>
            <Undo key={saved.did} before={saved.before} did={saved.did} what="the saving" />
          </>
        )
      )}
    </Footer>
  )
}

interface Saved {
  readonly before: number
  readonly did: number
  readonly says: string
}

export const commitNow = async () => (await sandbox['world.describe']({})).seq

/** The answer is here before the notice of it. */
export function showProgram(program: Program) {
  useFeed.setState(({ programs }) => ({
    programs: programs.some(({ uid }) => uid === program.uid)
      ? programs.map((one) => (one.uid === program.uid ? program : one))
      : [...programs, program],
  }))
  markChanged('programs')
}
