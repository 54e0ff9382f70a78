import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import { HmacKey } from '../../../api/contract/resources/programs.ts'
import { Undo } from '../../components/Undo.tsx'
import type { Program } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Text } from '../../ui/Text.tsx'
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
    <section id="part-key" aria-label="HMAC key">
      <h2>HMAC key</h2>
      <div className="setting">
        <span>hmac_key</span>
        <span className="row">
          <span className="mono wrap key" data-covered={seen ? undefined : ''}>
            {seen ? <Text>{program.hmac_key}</Text> : '•'.repeat(16)}
          </span>
          <button type="button" className="btn" data-small aria-pressed={seen} onClick={() => setSeen(!seen)}>
            {seen ? <EyeOff size={12} aria-hidden="true" /> : <Eye size={12} aria-hidden="true" />}
            {seen ? 'Hide' : 'Show'} <span className="unseen">the key</span>
          </button>
          <CopyButton text={program.hmac_key} what="HMAC key" small />
        </span>
        <p>Its UTF-8 bytes sign refresh tokens with HS512. The request log never shows it. Section 5.</p>
      </div>
      <form className="setting" onSubmit={rotate}>
        <label htmlFor={id}>new key</label>
        <div>
          <span className="row">
            <span className="field" data-wrong={error === null ? undefined : ''}>
              <input
                id={id}
                className="mono"
                value={typed}
                placeholder="empty: one is made"
                spellCheck={false}
                autoComplete="off"
                aria-invalid={error !== null || undefined}
                aria-describedby={`${id}told`}
                onChange={(event) => {
                  setTyped(event.target.value)
                  setError(null)
                }}
              />
            </span>
            <button type="submit" className="btn" aria-disabled={busy}>
              Rotate
            </button>
          </span>
          {error !== null && (
            <p className="bad" role="alert">
              {error}
            </p>
          )}
          {rotated && (
            <p className="row was">
              <span role="status">The key is another one now.</span>
              <Undo key={rotated.did} before={rotated.before} did={rotated.did} what="the rotation" />
            </p>
          )}
        </div>
        <p id={`${id}told`}>
          At least 16 characters. Refresh tokens of the old key are refused from then on; access tokens that were issued
          live on for the rest of their 8 hours.
        </p>
      </form>
    </section>
  )
}
