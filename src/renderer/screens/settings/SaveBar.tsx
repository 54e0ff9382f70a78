import { useEffect } from 'react'
import type { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Footer } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { dropDraft, dropSaved, getDraft } from './draft.ts'
import styles from './Settings.module.css'
import { showProgram, Undoable, type useUndoableAction } from './undoable.tsx'

interface SaveBarProps {
  readonly program: Program
  readonly changes: ProgramChanges & { name?: string }
  /** What has changed. */
  readonly names: readonly string[]
  readonly invalidCount: number
  readonly saving: ReturnType<typeof useUndoableAction>
}

/** Below the settings: the unsaved changes, or what was saved last. */
export function SaveBar({ program, changes, names, invalidCount, saving }: SaveBarProps) {
  const isLive = useFeed((feed) => feed.connection === 'live')
  const { run, isBusy, done, error, reset } = saving
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
    const draft = getDraft(program.uid)
    const saved = await sandbox['programs.update']({ uid: program.uid, ...changes })
    showProgram(saved)
    dropSaved(program.uid, draft)
    return saved
  }
  if (!hasChanges && !done) return null
  return (
    <Footer wraps gap="4 12" pad="4 16" least={40} text="data" tone="ink" className={styles.bar}>
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
          <span className="cut soft" style={{ flex: '1 1 120px', minWidth: 0 }} title={names.join(', ')}>
            {names.join(', ')}
          </span>
          {error !== undefined && (
            <span className="bad wrap" style={{ flex: '1 1 100%', order: -1 }} role="alert">
              <Text>{errorText(error)}</Text>
            </span>
          )}
          <span className="end row">
            <Button
              onClick={() => {
                dropDraft(program.uid)
                reset()
              }}
            >
              Discard
            </Button>
            <Button
              primary
              aria-disabled={isBusy}
              whyNot={whyNot}
              onClick={() => void run(save, `Saved: ${plural(names.length, 'change')}.`)}
            >
              Save
            </Button>
          </span>
        </>
      ) : (
        done && <Undoable done={done} what="the saved changes" />
      )}
    </Footer>
  )
}
