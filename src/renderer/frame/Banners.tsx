import { useFeed, useNow } from '../data/feed.ts'
import { useMessages } from '../data/messages.ts'
import { formatLongDay, newYork } from '../format/text.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Row, Stack } from '../ui/Layout.tsx'
import surface from '../ui/Surface.module.css'
import { Glyph, Text } from '../ui/Text.tsx'
import styles from './Banners.module.css'
import { dismissDrop, replaceScenario, useFileDrop } from './file-drop.ts'

/** Banners for a lost connection, which goes away on reconnect, and for an action that failed. */
export function ConnectionNotice() {
  const isLost = useFeed((feed) => feed.connection === 'lost')
  const now = useNow()
  const { failure } = useMessages()
  return (
    <>
      {isLost && (
        <Banner title="Connection lost.">
          Showing the world as of {formatLongDay(now)} {newYork(now).time} ET. Reconnecting; if the sandbox was stopped,
          start it again.
        </Banner>
      )}
      {failure && (
        <Banner
          title={failure.title}
          buttons={
            <Button small onClick={() => useMessages.setState({ failure: null })}>
              Close
            </Button>
          }
        >
          {failure.error}
        </Banner>
      )}
    </>
  )
}

interface BannerProps {
  readonly title: string
  /** Asks the user a question instead of reporting an error. */
  readonly isQuestion?: boolean
  readonly buttons?: React.ReactNode
  readonly children: React.ReactNode
}

/** One line under the clock bar, on every screen. */
const Banner = ({ title, isQuestion = false, buttons, children }: BannerProps) => (
  <Row
    wraps
    gap={8}
    pad="4 16"
    least={28}
    text="data"
    line="bottom"
    fill={isQuestion ? 'wait' : 'bad'}
    mark={isQuestion ? 'wait' : 'bad'}
    className={styles.banner}
    role="alert"
  >
    <span className={`row ${isQuestion ? 'wait' : 'bad'}`}>
      <Glyph name={isQuestion ? 'decide' : 'broken'} /> {title}
    </span>
    <span className="grow wrap">{children}</span>
    {buttons}
  </Row>
)

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
      <div className={cx(surface.surface, styles.words)} role="status">
        <h2>Drop the file to open it</h2>
        <Stack as="dl" columns="88px minmax(0, 1fr)" gap="8 16" pad="12 0" text="data">
          <dt className="mono">.sandbank</dt>
          <dd>a bundle: it opens in a world of its own, beside this one</dd>
          <dt className="mono">.yaml .yml</dt>
          <dd>a scenario: saved with your own and opened</dd>
          <dt className="mono">.har</dt>
          <dd>a recording: opened in Import, ready to be replayed</dd>
        </Stack>
        <p className="data soft">One file at a time. Other file types are not opened.</p>
      </div>
    </div>
  )
}
