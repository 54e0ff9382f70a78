import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { sandbox } from '../data/sandbox.ts'
import { errorText } from '../format/errors.ts'
import { plural } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'
import { downloadFile } from '../ui/download.ts'
import { Popover, PopoverForm } from '../ui/Popover.tsx'
import { TextArea } from '../ui/TextArea.tsx'

/** The present world as one file to hand on. */
export function ExportBundle({ label = 'Export…' }: { label?: string }) {
  const [note, setNote] = useState('')
  const [state, setState] = useState<{ busy: boolean; said: string; failed: boolean }>(quiet)
  const field = useId()
  const write = async (event: React.FormEvent) => {
    event.preventDefault()
    if (state.busy) return
    setState({ ...quiet, busy: true })
    try {
      const bundle = await sandbox['bundles.export'](note.trim() === '' ? {} : { note: note.trim() })
      downloadFile(bundle.name, bundle.text, 'application/x-ndjson')
      const held = `${plural(bundle.exchanges, 'request')}, ${plural(bundle.acts, 'move')}, ${plural(bundle.commits, 'commit')}`
      setState({ ...quiet, said: `${bundle.name}: ${held}.` })
    } catch (error) {
      setState({ ...quiet, said: errorText(error), failed: true })
    }
  }
  return (
    <Popover
      trigger={
        <Button>
          <Download size={12} strokeWidth={1.8} aria-hidden="true" />
          {label}
        </Button>
      }
      title="Export a bundle"
      align="end"
      onOpenChange={(open) => open && setState(quiet)}
    >
      <PopoverForm onSubmit={write}>
        <p className="data soft">
          This world with its record, as one file. Personal data is masked, keys are left out.
        </p>
        <label htmlFor={field} className="data soft">
          Note for whoever opens it
        </label>
        <TextArea
          id={field}
          prose
          rows={3}
          maxLength={10_000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <span className="row">
          <Button type="submit" primary aria-disabled={state.busy}>
            {state.busy ? 'Writing…' : 'Download'}
          </Button>
        </span>
        <p className={`data wrap ${state.failed ? 'bad' : 'soft'}`} role="status">
          {state.said}
        </p>
      </PopoverForm>
    </Popover>
  )
}

const quiet = { busy: false, said: '', failed: false }
