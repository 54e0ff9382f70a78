import { useAdvance } from '../data/advance.ts'
import { useFeed } from '../data/feed.ts'
import { useNow } from '../data/use-now.ts'
import { formatLongDay, newYork } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { Glyph } from '../ui/Glyph.tsx'
import { Banner } from './Banner.tsx'

/** One line under the clock: that nothing new comes, and of when is what you see. It heals by itself. */
export function ConnectionNotice() {
  const lost = useFeed((feed) => feed.connection === 'lost')
  const now = useNow()
  const error = useAdvance((state) => state.error)
  if (lost)
    return (
      <Banner>
        <span className="bad row">
          <Glyph name="broken" /> Connection lost.
        </span>
        <span>
          You see the world of {formatLongDay(now)} {newYork(now).time} ET. Trying again until it answers; if the
          sandbox was stopped, start it again.
        </span>
      </Banner>
    )
  if (error)
    return (
      <Banner>
        <span className="bad row">
          <Glyph name="broken" /> The clock was left as it is.
        </span>
        <span className="grow wrap">{error}</span>
        <Button small onClick={() => useAdvance.setState({ error: null })}>
          Close
        </Button>
      </Banner>
    )
  return null
}
