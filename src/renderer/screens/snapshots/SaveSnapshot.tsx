import { Save } from 'lucide-react'
import { useId, useState } from 'react'
import { SnapshotName } from '../../../api/contract/control/snapshots.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useNow } from '../../data/use-now.ts'
import { suggestSnapshotName } from '../../format/commits.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { TextInput } from '../../ui/Field.tsx'
import styles from './SaveSnapshot.module.css'

/** Saves the world under a name. If the name is taken, the form says first that the snapshot will be replaced. */
export function SaveSnapshot({ taken, onSaved }: { taken: readonly string[]; onSaved: (name: string) => void }) {
  const now = useNow(60_000)
  /** Null: the suggested name. */
  const [typed, setTyped] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const id = useId()
  const name = typed ?? suggestSnapshotName(now, taken)
  const nameError = SnapshotName.safeParse(name).error?.issues[0]?.message ?? null
  const isTaken = taken.includes(name)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (nameError !== null || isSaving) return
    setIsSaving(true)
    try {
      await sandbox['snapshots.keep']({ name })
      setTyped(null)
      setFailure(null)
      onSaved(name)
    } catch (thrown) {
      setFailure(errorText(thrown))
    } finally {
      setIsSaving(false)
    }
  }
  const error = nameError ?? failure
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Save a snapshot">
      <label htmlFor={id} className="data soft">
        Save snapshot as
      </label>
      <span className="row">
        <TextInput
          id={id}
          className="grow"
          value={name}
          invalid={error !== null}
          aria-invalid={error !== null}
          aria-describedby={`${id}note`}
          onChange={(event) => {
            setTyped(event.target.value)
            setFailure(null)
          }}
        />
        <Button type="submit" primary aria-disabled={nameError !== null || isSaving}>
          <Save size={12} strokeWidth={1.8} aria-hidden="true" />
          {isTaken ? 'Replace' : 'Save'}
        </Button>
      </span>
      <p
        id={`${id}note`}
        className={`data ${error === null ? 'faint' : 'bad'}`}
        role={error === null ? undefined : 'alert'}
      >
        {error ?? (isTaken ? `Replaces the snapshot “${name}”. This cannot be undone.` : ' ')}
      </p>
    </form>
  )
}
