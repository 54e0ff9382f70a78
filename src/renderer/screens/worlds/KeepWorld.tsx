import { useState } from 'react'
import { sandbox } from '../../data/sandbox.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { OneField } from '../../ui/OneField.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'

/** Writes a world into a data folder. */
export function KeepWorld({ name }: { name: string }) {
  const [folder, setFolder] = useState('')
  const keep = useAction(() => sandbox['worlds.keep']({ name, folder: folder.trim() }))
  const { isBusy, result: kept } = keep
  const command = kept && `sandbank serve --data ${quote(kept.folder)}`
  return (
    <Popover
      trigger={
        <Button>
          Keep… <span className="unseen">{name}</span>
        </Button>
      }
      title={`Keep “${name}” in a folder`}
      align="end"
      onOpenChange={(open) => open && keep.reset()}
    >
      <PopoverForm onSubmit={submitting(() => folder.trim() !== '' && keep.run())}>
        <OneField
          label="The full path of a new or empty folder on the machine of the sandbox"
          mono
          value={folder}
          error={keep.error === undefined ? null : errorText(keep.error)}
          onChange={(to) => {
            setFolder(to)
            keep.reset()
          }}
          note={
            kept &&
            command && (
              <>
                <p>Wrote {plural(kept.records, 'record')}. The world goes on in memory. To open the folder:</p>
                <p className="row">
                  <code className="wrap">{command}</code>
                  <CopyButton text={command} what="command" small />
                </p>
              </>
            )
          }
        >
          <Button type="submit" primary aria-disabled={isBusy || folder.trim() === ''}>
            {isBusy ? 'Writing…' : 'Keep'}
          </Button>
        </OneField>
      </PopoverForm>
    </Popover>
  )
}

const quote = (path: string) => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`)
