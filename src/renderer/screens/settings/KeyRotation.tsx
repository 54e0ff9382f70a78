import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import { HmacKey } from '../../../api/contract/resources/programs.ts'
import { Undo } from '../../components/Undo.tsx'
import type { Program } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './KeyRotation.module.css'
import { Problem, Row, Section } from './Row.tsx'
import { commitNow, showProgram } from './SaveBar.tsx'

/** The key that signs refresh tokens. It stays covered until somebody wants to see it. */
export function KeyRotation({ program }: { program: Program }) {
  const [seen, setSeen] = useState(false)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [rotated, setRotated] = useState<{ before: number; did: number } | null>(null)
  const [busy, setBusy] = useState(false)
  const id = useId()
  const rotate = async (event: React.FormEvent) => {
    event.preventDefault()
    if (busy) return
    const judged = typed === '' ? undefined : HmacKey.safeParse(typed)
    if (judged?.error) return setError(judged.error.issues[0]!.message)
    setBusy(true)
    setError(null)
    try {
      const before = await commitNow()
      showProgram(
        await sandbox['programs.rotate_key']({ uid: program.uid, ...(typed === '' ? {} : { hmac_key: typed }) }),
      )
      setRotated({ before, did: await commitNow() })
      setTyped('')
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section id="key" title="HMAC key">
      <Row
        label="hmac_key"
        note="Its UTF-8 bytes sign refresh tokens with HS512. The request log never shows it. Section 5."
      >
        <span className="row">
          <span className={`mono wrap ${styles.key}`} data-covered={seen ? undefined : ''}>
            {seen ? <Text>{program.hmac_key}</Text> : '•'.repeat(16)}
          </span>
          <Button small aria-pressed={seen} onClick={() => setSeen(!seen)}>
            {seen ? <EyeOff size={12} aria-hidden="true" /> : <Eye size={12} aria-hidden="true" />}
            {seen ? 'Hide' : 'Show'} <span className="unseen">the key</span>
          </Button>
          <CopyButton text={program.hmac_key} what="HMAC key" small />
        </span>
      </Row>
      <form onSubmit={rotate}>
        <Row
          label="new key"
          htmlFor={id}
          noteId={`${id}?`}
          note="At least 16 characters. Refresh tokens of the old key are refused from then on; access tokens that were issued live on for the rest of their 8 hours."
        >
          <span className="row">
            <TextInput
              id={id}
              mono
              value={typed}
              placeholder="empty: one is made"
              invalid={error !== null}
              aria-describedby={`${id}?`}
              onChange={(event) => {
                setTyped(event.target.value)
                setError(null)
              }}
            />
            <Button type="submit" aria-disabled={busy}>
              Rotate
            </Button>
          </span>
          <Problem>{error ?? undefined}</Problem>
          {rotated && (
            <p className={`row ${styles.rotated}`}>
              <span role="status">The key is another one now.</span>
              <Undo key={rotated.did} before={rotated.before} did={rotated.did} what="the rotation" />
            </p>
          )}
        </Row>
      </form>
    </Section>
  )
}
