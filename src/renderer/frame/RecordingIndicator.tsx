import { Circle } from 'lucide-react'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { endRecording, useRecording } from '../data/recording.ts'
import { useRoute } from '../data/route.ts'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'

/** While somebody records, the way back to the recorder is on every screen. */
export function RecordingIndicator() {
  const mark = useRecording((recording) => recording.mark)
  const there = useRoute(({ screen, params }) => screen === 'scenarios' && params.record !== undefined)
  if (mark === null || there) return null
  return (
    <span className="row">
      <Circle className="live" size={10} fill="currentColor" aria-hidden="true" />
      recording from commit {formatCount(mark)} on
      <ScreenLink screen="scenarios" params={{ record: [String(mark)] }}>
        Finish
      </ScreenLink>
      <Button small bare onClick={endRecording}>
        Stop
      </Button>
    </span>
  )
}
