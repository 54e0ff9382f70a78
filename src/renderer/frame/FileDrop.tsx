import { Button } from '../ui/Button.tsx'
import { Glyph } from '../ui/Glyph.tsx'
import { Text } from '../ui/Text.tsx'
import { Banner } from './Banner.tsx'
import styles from './FileDrop.module.css'
import { dismissDrop, replaceScenario, useFileDrop } from './file-drop.ts'

/** While a file is dragged over the window: what a drop will do. After the drop: why it failed, or a question. */
export function FileDrop() {
  const { isOver, error, conflict } = useFileDrop()
  return (
    <>
      {isOver && <DropHint />}
      {error !== null && (
        <Banner>
          <span className="bad row">
            <Glyph name="broken" /> File not opened.
          </span>
          <span className="grow wrap">
            <Text>{error}</Text>
          </span>
          <Button small onClick={dismissDrop}>
            Close
          </Button>
        </Banner>
      )}
      {conflict && (
        <Banner isQuestion>
          <span className="wait row">
            <Glyph name="decide" /> Replace the scenario?
          </span>
          <span className="grow wrap">
            {conflict.own ? 'You already have' : 'The library has'} a scenario named{' '}
            <b className="mono">{conflict.name}</b> with other content.{' '}
            {conflict.own ? 'Replacing it cannot be undone.' : 'Yours is used instead until you delete it.'}
          </span>
          <Button small onClick={() => void replaceScenario()}>
            Replace
          </Button>
          <Button small onClick={dismissDrop}>
            Cancel
          </Button>
        </Banner>
      )}
    </>
  )
}

function DropHint() {
  return (
    <div className={styles.frame}>
      <div className={styles.words} role="status">
        <h2>Drop the file to open it</h2>
        <dl>
          <dt className="mono">.sandbank</dt>
          <dd>a bundle: its world replaces the current one; Undo restores the current one</dd>
          <dt className="mono">.yaml .yml</dt>
          <dd>a scenario: saved with your own and opened</dd>
          <dt className="mono">.har</dt>
          <dd>a recording: opened in Import, ready to be replayed</dd>
        </dl>
        <p className="soft">One file at a time. Other file types are not opened.</p>
      </div>
    </div>
  )
}
