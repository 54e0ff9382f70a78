import { Button } from '../ui/Button.tsx'
import { Glyph } from '../ui/Glyph.tsx'
import { Text } from '../ui/Text.tsx'
import { Banner } from './Banner.tsx'
import styles from './FileDrop.module.css'
import { dismissDrop, replaceScenario, useFileDrop } from './file-drop.ts'

/** While a file is held over the window: what will happen. Afterwards, under the clock: what did not, and why. */
export function FileDrop() {
  const { over, refusal, question } = useFileDrop()
  return (
    <>
      {over && <DropHint />}
      {refusal !== null && (
        <Banner>
          <span className="bad row">
            <Glyph name="broken" /> Refused.
          </span>
          <span className="grow wrap">
            <Text>{refusal}</Text>
          </span>
          <Button small onClick={dismissDrop}>
            Close
          </Button>
        </Banner>
      )}
      {question && (
        <Banner isQuestion>
          <span className="wait row">
            <Glyph name="decide" /> Not opened yet.
          </span>
          <span className="grow wrap">
            There is {question.own ? 'a scenario of yours' : 'a scenario of the library'} named{' '}
            <b className="mono">{question.name}</b>, which is another one.{' '}
            {question.own ? 'Replacing it cannot be undone.' : 'Yours would stand in its place until you delete it.'}
          </span>
          <Button small onClick={() => void replaceScenario()}>
            Replace it
          </Button>
          <Button small onClick={dismissDrop}>
            Keep it
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
          <dd>the world of the bundle takes the place of this one; Undo brings this one back</dd>
          <dt className="mono">.yaml .yml</dt>
          <dd>a scenario: kept among your own, and shown</dd>
          <dt className="mono">.har</dt>
          <dd>a record: shown in Import, ready to be replayed</dd>
        </dl>
        <p className="soft">One file at a time; any other is refused.</p>
      </div>
    </div>
  )
}
