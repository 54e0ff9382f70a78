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

/** Keeps the present world under a name; one that is there already is replaced, and that is said first. */
export function SaveSnapshot({ taken, onKept }: { taken: readonly string[]; onKept: (name: string) => void }) {
  const now = useNow(60_000)
  /** Null: as suggested. */
  const [typed, setTyped] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [keeping, setKeeping] = useState(false)
  const id = useId()
  const name = typed ?? suggestSnapshotName(now, taken)
  const wrong = SnapshotName.safeParse(name).error?.issues[0]?.message ?? null
  const replaces = taken.includes(name)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    if (wrong !== null || keeping) return
    setKeeping(true)
    try {
      await sandbox['snapshots.keep']({ name })
      setTyped(null)
      setFailure(null)
      onKept(name)
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setKeeping(false)
    }
  }
  const bad = wrong ?? failure
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Keep this world">
      <label htmlFor={id} className="data soft">
        Keep this world as
      </label>
      <span className="row">
        <TextInput
          id={id}
          className="grow"
          value={name}
          invalid={bad !== null}
          aria-invalid={bad !== null}
          aria-describedby={`${id}told`}
          onChange={(event) => {
            setTyped(event.target.value)
            setFailure(null)
          }}
        />
        <Button type="submit" primary aria-disabled={wrong !== null || keeping}>
          <Save size={12} strokeWidth={1.8} aria-hidden="true" />
          {replaces ? 'Replace' : 'Keep'}
        </Button>
      </span>
      <p
        id={`${id}told`}
        className={`data ${bad === null ? 'faint' : 'bad'}`}
        role={bad === null ? undefined : 'alert'}
      >
        {bad ?? (replaces ? `The world that is kept as “${name}” is replaced, and cannot be had back.` : ' ')}
      </p>
    </form>
  )
}
