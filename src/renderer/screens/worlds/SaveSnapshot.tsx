import { Save } from 'lucide-react'
import { useState } from 'react'
import { SnapshotName } from '../../../api/contract/control/snapshots.ts'
import { sandbox } from '../../data/sandbox.ts'
import { submitting, useAction } from '../../data/use-action.ts'
import { useNow } from '../../data/use-now.ts'
import { suggestSnapshotName } from '../../format/commits.ts'
import { errorText } from '../../format/errors.ts'
import { Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { OneField } from '../../ui/OneField.tsx'

/** Saves the world under a name. If the name is taken, the form says first that the snapshot will be replaced. */
export function SaveSnapshot({ taken, onSaved }: { taken: readonly string[]; onSaved: (name: string) => void }) {
  const now = useNow(60_000)
  /** Null: the suggested name. */
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? suggestSnapshotName(now, taken)
  const nameError = SnapshotName.safeParse(name).error?.issues[0]?.message ?? null
  const isTaken = taken.includes(name)
  const save = useAction(async () => {
    await sandbox['snapshots.keep']({ name })
    setTyped(null)
    onSaved(name)
  })
  return (
    <Stack
      as="form"
      gap={4}
      style={{ padding: '12px 16px 4px', maxWidth: 520 }}
      onSubmit={submitting(() => nameError === null && save.run())}
      aria-label="Save a snapshot"
    >
      <OneField
        label="Save snapshot as"
        value={name}
        error={nameError ?? (save.error === undefined ? null : errorText(save.error))}
        note={isTaken && `Replaces the snapshot “${name}”. This cannot be undone.`}
        onChange={(to) => {
          setTyped(to)
          save.reset()
        }}
      >
        {/* `Save` and `Replace` have the same width, so that the name beside them does not move. */}
        <Button type="submit" primary style={{ minWidth: 84 }} aria-disabled={nameError !== null || save.isBusy}>
          <Save size={12} strokeWidth={1.8} aria-hidden="true" />
          {isTaken ? 'Replace' : 'Save'}
        </Button>
      </OneField>
    </Stack>
  )
}
