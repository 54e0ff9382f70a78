import { useId, useState } from 'react'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Popover, PopoverForm } from '../../ui/Popover.tsx'

/** Writes a world into a data folder. */
export function KeepWorld({ name }: { name: string }) {
  const [folder, setFolder] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [kept, setKept] = useState<{ folder: string; records: number } | null>(null)
  const id = useId()
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (isBusy || folder.trim() === '') return
    setIsBusy(true)
    setError(null)
    try {
      setKept(await sandbox['worlds.keep']({ name, folder: folder.trim() }))
    } catch (thrown) {
      setKept(null)
      setError(errorText(thrown))
    } finally {
      setIsBusy(false)
    }
  }
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
      onOpenChange={(open) => {
        if (!open) return
        setError(null)
        setKept(null)
      }}
    >
      <PopoverForm onSubmit={submit}>
        <label htmlFor={id} className="data soft">
          The full path of a new or empty folder on the machine of the sandbox
        </label>
        <span className="row">
          <TextInput
            id={id}
            className="grow"
            mono
            value={folder}
            invalid={error !== null}
            aria-describedby={`${id}note`}
            onChange={(event) => {
              setFolder(event.target.value)
              setError(null)
            }}
          />
          <Button type="submit" primary aria-disabled={isBusy || folder.trim() === ''}>
            {isBusy ? 'Writing…' : 'Keep'}
          </Button>
        </span>
        <div id={`${id}note`} className="data wrap" role={error === null ? 'status' : 'alert'}>
          {error !== null && <span className="bad">{error}</span>}
          {kept && command && (
            <>
              <p>Wrote {plural(kept.records, 'record')}. The world goes on in memory. To open the folder:</p>
              <p className="row">
                <code className="wrap">{command}</code>
                <CopyButton text={command} what="command" small />
              </p>
            </>
          )}
        </div>
      </PopoverForm>
    </Popover>
  )
}

const quote = (path: string) => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`)
