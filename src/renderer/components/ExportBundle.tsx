import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { describeCuts, type Keepable, keepable, keepableNames, leftByMask } from '../../api/contract/control/bundles.ts'
import { exportBundle } from '../actions/world.ts'
import { submitting, useAction } from '../data/sandbox.ts'
import { errorText } from '../format/text.ts'
import { Button } from '../ui/Button.tsx'
import { CheckboxGroup, TextArea } from '../ui/Field.tsx'
import { Popover, PopoverForm } from '../ui/Popover.tsx'

/** Exports the current world as a bundle. */
export function ExportBundle({ label = 'Export…' }: { label?: string }) {
  const [note, setNote] = useState('')
  const [keep, setKeep] = useState<readonly Keepable[]>([])
  const field = useId()
  const keepLabel = useId()
  const download = useAction(async () => {
    const { text, cut } = await exportBundle({ ...(note.trim() === '' ? {} : { note: note.trim() }), keep: [...keep] })
    return `${text}.${cut > 0 ? ` ${describeCuts(cut)}` : ''}`
  })
  const hasFailed = download.error !== undefined
  return (
    <Popover
      trigger={<Button icon={Download}>{label}</Button>}
      title="Export a bundle"
      align="end"
      onOpenChange={(open) => open && download.reset()}
    >
      <PopoverForm onSubmit={submitting(download.run)}>
        <p className="data soft">
          This world with its history and its request log, as one file. Personal data is masked; keys are not included.
        </p>
        <span id={keepLabel} className="data soft">
          Keep readable
        </span>
        <CheckboxGroup
          labelledBy={keepLabel}
          options={keepableNames.map((value) => ({ value, label: keepable[value] }))}
          value={keep}
          onChange={(names) => setKeep(names as Keepable[])}
        />
        <details className="data soft">
          <summary>What the mask leaves</summary>
          <ul>
            {leftByMask(keep).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
        <label htmlFor={field} className="data soft">
          Note for the reader
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
          <Button type="submit" primary aria-disabled={download.isBusy}>
            {download.isBusy ? 'Writing…' : 'Download'}
          </Button>
        </span>
        <p className={`data wrap ${hasFailed ? 'bad' : 'soft'}`} role="status">
          {hasFailed ? errorText(download.error) : download.result}
        </p>
      </PopoverForm>
    </Popover>
  )
}
