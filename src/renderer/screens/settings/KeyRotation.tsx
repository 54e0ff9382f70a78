import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import { HmacKey } from '../../../api/contract/resources/programs.ts'
import { Undo } from '../../components/Undo.tsx'
import type { Program } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './KeyRotation.module.css'
import { Problem, Row, Section } from './Row.tsx'
import { showProgram } from './SaveBar.tsx'
import { useUndoableAction } from './use-undoable-action.ts'

/** The HMAC key: hidden until the user shows it, and a form to replace it. */
export function KeyRotation({ program }: { program: Program }) {
  const [isShown, setShown] = useState(false)
  const [newKey, setNewKey] = useState('')
  const { run, isBusy, done, error, setError } = useUndoableAction(`key ${program.uid}`)
  const id = useId()
  const rotate = (event: React.FormEvent) => {
    event.preventDefault()
    const checked = newKey === '' ? undefined : HmacKey.safeParse(newKey)
    if (checked?.error) return setError(checked.error.issues[0]!.message)
    const hmac_key = newKey === '' ? {} : { hmac_key: newKey }
    void run(async () => {
      showProgram(await sandbox['programs.rotate_key']({ uid: program.uid, ...hmac_key }))
      setNewKey('')
    })
  }
  return (
    <Section id="key" title="HMAC key">
      <Row
        label="hmac_key"
        note="Signs refresh tokens with HS512; use its characters as UTF-8 bytes. It is never in the request log. Section 5."
      >
        <span className="row">
          <span className={`mono wrap ${styles.key}`} data-covered={isShown ? undefined : ''}>
            {isShown ? <Text>{program.hmac_key}</Text> : '•'.repeat(16)}
          </span>
          <Button small aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? <EyeOff size={12} aria-hidden="true" /> : <Eye size={12} aria-hidden="true" />}
            {isShown ? 'Hide' : 'Show'} <span className="unseen">the key</span>
          </Button>
          <CopyButton text={program.hmac_key} what="HMAC key" small />
        </span>
      </Row>
      <form onSubmit={rotate}>
        <Row
          label="new key"
          htmlFor={id}
          noteId={`${id}?`}
          note="At least 16 characters. Refresh tokens signed with the old key are refused from then on; access tokens stay valid for the rest of their 8 hours."
        >
          <span className="row">
            <TextInput
              id={id}
              mono
              value={newKey}
              placeholder="empty: random key"
              invalid={error !== undefined}
              aria-describedby={`${id}?`}
              onChange={(event) => {
                setNewKey(event.target.value)
                setError(undefined)
              }}
            />
            <Button type="submit" aria-disabled={isBusy}>
              Rotate
            </Button>
          </span>
          <Problem>{error}</Problem>
          {done && (
            <p className={`row ${styles.rotated}`}>
              <span role="status">The key was rotated.</span>
              <Undo key={done.seq} before={done.before} seq={done.seq} what="the rotation" />
            </p>
          )}
        </Row>
      </form>
    </Section>
  )
}
