import { Circle } from 'lucide-react'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { endRecording, useRecording } from '../data/recording.ts'
import { useRoute } from '../data/route.ts'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'

/** While a scenario is recorded: a link back to the recorder, on every screen but its own. */
export function RecordingIndicator() {
  const mark = useRecording((recording) => recording.mark)
  const isOpen = useRoute(({ screen, params }) => screen === 'scenarios' && params.record !== undefined)
  if (mark === null || isOpen) return null
  return (
    <span className="row">
      <Circle className="live" size={10} fill="currentColor" aria-hidden="true" />
      recording since commit {formatCount(mark)}
      <ScreenLink screen="scenarios" params={{ record: [String(mark)] }}>
        Finish
      </ScreenLink>
      <Button small bare onClick={endRecording}>
        Stop
      </Button>
    </span>
  )
}
