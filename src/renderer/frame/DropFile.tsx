import { Glyph } from '../ui/Glyph.tsx'
import { Text } from '../ui/Text.tsx'
import { replaceScenario, settleDrop, useDrop } from './drop.ts'
import './drop.css'

/** While a file is held over the window: what will happen. Afterwards, under the clock: what did not, and why. */
export function DropFile() {
  const { over, refusal, question } = useDrop()
  return (
    <>
      {over && <WillHappen />}
      {refusal !== null && (
        <div className="told" role="alert">
          <span className="bad row">
            <Glyph name="broken" /> Refused.
          </span>
          <span className="grow wrap">
            <Text>{refusal}</Text>
          </span>
          <button type="button" className="btn" data-small onClick={settleDrop}>
            Close
          </button>
        </div>
      )}
      {question && (
        <div className="told" data-signal="wait" role="alert">
          <span className="wait row">
            <Glyph name="decide" /> Not opened yet.
          </span>
          <span className="grow wrap">
            There is {question.own ? 'a scenario of yours' : 'a scenario of the library'} named{' '}
            <b className="mono">{question.name}</b>, which is another one.{' '}
            {question.own ? 'Replacing it cannot be undone.' : 'Yours would stand in its place until you delete it.'}
          </span>
          <button type="button" className="btn" data-small onClick={() => void replaceScenario()}>
            Replace it
          </button>
          <button type="button" className="btn" data-small onClick={settleDrop}>
            Keep it
          </button>
        </div>
      )}
    </>
  )
}

function WillHappen() {
  return (
    <div className="dropframe over">
      <div className="raised dropwords" role="status">
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
