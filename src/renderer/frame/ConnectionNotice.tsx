import { useAdvance } from '../data/advance.ts'
import { useFeed } from '../data/feed.ts'
import { useNow } from '../data/use-now.ts'
import { useWorldAction } from '../data/worlds.ts'
import { formatLongDay, newYork } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { Glyph } from '../ui/Glyph.tsx'
import { Banner } from './Banner.tsx'

/** Banners for a lost connection, which goes away on reconnect, and for a clock change or a new world that failed. */
export function ConnectionNotice() {
  const isLost = useFeed((feed) => feed.connection === 'lost')
  const now = useNow()
  const error = useAdvance((state) => state.error)
  const worldError = useWorldAction((state) => state.error)
  return (
    <>
      {isLost && (
        <Banner>
          <span className="bad row">
            <Glyph name="broken" /> Connection lost.
          </span>
          <span>
            Showing the world as of {formatLongDay(now)} {newYork(now).time} ET. Reconnecting; if the sandbox was
            stopped, start it again.
          </span>
        </Banner>
      )}
      {error !== null && (
        <Failure title="The clock did not change." error={error} close={() => useAdvance.setState({ error: null })} />
      )}
      {worldError !== null && (
        <Failure
          title="No world was created."
          error={worldError}
          close={() => useWorldAction.setState({ error: null })}
        />
      )}
    </>
  )
}

const Failure = ({ title, error, close }: { title: string; error: string; close: () => void }) => (
  <Banner>
    <span className="bad row">
      <Glyph name="broken" /> {title}
    </span>
    <span className="grow wrap">{error}</span>
    <Button small onClick={close}>
      Close
    </Button>
  </Banner>
)
