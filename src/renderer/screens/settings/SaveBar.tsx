import { useEffect, useState } from 'react'
import type { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { Undo } from '../../components/Undo.tsx'
import { markChanged, type Program, useFeed } from '../../data/feed.ts'
import { useKeptChange } from '../../data/kept-changes.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Footer } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { dropDraft, dropSaved, getDraft } from './draft.ts'
import styles from './SaveBar.module.css'

interface SaveBarProps {
  readonly program: Program
  readonly changes: ProgramChanges & { name?: string }
  /** What has changed. */
  readonly names: readonly string[]
  readonly invalidCount: number
  readonly refusal: string | null
  readonly setRefusal: (refusal: string | null) => void
}

/** Below the settings: the unsaved changes, or what was saved last. */
export function SaveBar({ program, changes, names, invalidCount, refusal, setRefusal }: SaveBarProps) {
  const isLive = useFeed((feed) => feed.connection === 'live')
  const [isBusy, setBusy] = useState(false)
  const [saved, setSaved] = useKeptChange<Saved>(`settings ${program.uid}`)
  const whyNot = !isLive
    ? 'No connection.'
    : invalidCount > 0
      ? `Fix ${plural(invalidCount, 'field')} first.`
      : undefined
  const hasChanges = names.length > 0
  // The bar and error texts take space: keep the row in view that the user types in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new error makes its row higher.
  useEffect(() => {
    if (hasChanges) document.activeElement?.closest('[data-setting], tr')?.scrollIntoView?.({ block: 'nearest' })
  }, [hasChanges, invalidCount])
  const save = async () => {
    if (whyNot !== undefined || isBusy) return
    setBusy(true)
    const draft = getDraft(program.uid)
    try {
      const before = await readSeq()
      const after = await sandbox['programs.update']({ uid: program.uid, ...changes })
      showProgram(after)
      dropSaved(program.uid, draft)
      setRefusal(null)
      setSaved({ before, seq: await readSeq(), count: names.length })
    } catch (error) {
      setRefusal(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  if (!hasChanges && !saved) return null
  return (
    <Footer className={styles.bar}>
      {hasChanges ? (
        <>
          <span className="wait row">
            <Glyph name="decide" />
            {plural(names.length, 'change')} not saved
          </span>
          {invalidCount > 0 && (
            <span className="bad row">
              <Glyph name="broken" />
              {whyNot}
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
            <Button primary aria-disabled={whyNot !== undefined || isBusy} title={whyNot} onClick={() => void save()}>
              Save
            </Button>
          </span>
        </>
      ) : (
        saved && (
          <>
            <span role="status">Saved: {plural(saved.count, 'change')}.</span>
            <Undo key={saved.seq} before={saved.before} seq={saved.seq} what="the saved changes" />
          </>
        )
      )}
    </Footer>
  )
}

interface Saved {
  readonly before: number
  readonly seq: number
  readonly count: number
}

export const readSeq = async () => (await sandbox['world.describe']({})).seq

/** Shows a changed Program at once, without waiting for the notice of the change. */
export function showProgram(program: Program) {
  useFeed.setState(({ programs }) => ({
    programs: programs.some(({ uid }) => uid === program.uid)
      ? programs.map((one) => (one.uid === program.uid ? program : one))
      : [...programs, program],
  }))
  markChanged('programs')
}
