import { useFeed } from '../data/feed.ts'
import { useMessages } from '../data/messages.ts'
import { useNow } from '../data/use-now.ts'
import { formatLongDay, newYork } from '../format/time.ts'
import { Button } from '../ui/Button.tsx'
import { Banner } from './Banner.tsx'

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
