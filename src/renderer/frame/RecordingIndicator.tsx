import { Circle } from 'lucide-react'
import { Go } from '../components/ScreenLink.tsx'
import { endRecording, useRecording } from '../data/recording.ts'
import { useView } from '../data/route.ts'
import { count } from '../format/numbers.ts'

/** While somebody records, the way back to the recorder is on every screen. */
export function RecordingSign() {
  const mark = useRecording((recording) => recording.mark)
  const there = useView(({ screen, params }) => screen === 'scenarios' && params.record !== undefined)
  if (mark === null || there) return null
  return (
    <span className="row">
      <Circle className="live" size={10} fill="currentColor" aria-hidden="true" />
      recording from commit {count(mark)} on
      <Go screen="scenarios" params={{ record: [String(mark)] }}>
        Finish
      </Go>
      <button type="button" className="btn" data-small data-bare onClick={endRecording}>
        Stop
      </button>
    </span>
  )
}
