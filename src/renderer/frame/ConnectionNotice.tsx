import { useAdvance } from '../data/advance.ts'
import { useFeed } from '../data/feed.ts'
import { useNow } from '../data/use-now.ts'
import { useWorldAction } from '../data/worlds.ts'
import { formatLongDay, newYork } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { Glyph } from '../ui/Glyph.tsx'
import { Banner } from './Banner.tsx'

/** A banner for a lost connection, which goes away on reconnect, or for a clock change or a new world that failed. */
export function ConnectionNotice() {
  const isLost = useFeed((feed) => feed.connection === 'lost')
  const now = useNow()
  const error = useAdvance((state) => state.error)
  const worldError = useWorldAction((state) => state.error)
  if (isLost)
    return (
      <Banner>
        <span className="bad row">
          <Glyph name="broken" /> Connection lost.
        </span>
        <span>
          Showing the world as of {formatLongDay(now)} {newYork(now).time} ET. Reconnecting; if the sandbox was stopped,
          start it again.
        </span>
      </Banner>
    )
  if (error)
    return (
      <Banner>
        <span className="bad row">
          <Glyph name="broken" /> The clock did not change.
        </span>
        <span className="grow wrap">{error}</span>
        <Button small onClick={() => useAdvance.setState({ error: null })}>
          Close
        </Button>
      </Banner>
    )
  if (worldError)
    return (
      <Banner>
        <span className="bad row">
          <Glyph name="broken" /> No world was created.
        </span>
        <span className="grow wrap">{worldError}</span>
        <Button small onClick={() => useWorldAction.setState({ error: null })}>
          Close
        </Button>
      </Banner>
    )
  return null
}
