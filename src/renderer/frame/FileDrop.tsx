import { Button } from '../ui/Button.tsx'
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
        <Banner
          title="File not opened."
          buttons={
            <Button small onClick={dismissDrop}>
              Close
            </Button>
          }
        >
          <Text>{error}</Text>
        </Banner>
      )}
      {conflict && (
        <Banner
          isQuestion
          title="Replace the scenario?"
          buttons={
            <>
              <Button small onClick={() => void replaceScenario()}>
                Replace
              </Button>
              <Button small onClick={dismissDrop}>
                Cancel
              </Button>
            </>
          }
        >
          {conflict.own ? 'You already have' : 'The library has'} a scenario named{' '}
          <b className="mono">{conflict.name}</b> with other content.{' '}
          {conflict.own ? 'Replacing it cannot be undone.' : 'Yours is used instead until you delete it.'}
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
