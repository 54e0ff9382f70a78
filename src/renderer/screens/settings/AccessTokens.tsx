import { useState } from 'react'
import { Undo } from '../../components/Undo.tsx'
import type { Program } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem, Row, Section } from './Row.tsx'
import { readSeq } from './SaveBar.tsx'

/** Expires the access tokens of a Program, so that a client shows how it renews its token. */
export function AccessTokens({ program: { uid } }: { program: Program }) {
  const [error, setError] = useState<string>()
  const [expired, setExpired] = useState<{ before: number; did: number } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const expire = async () => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const before = await readSeq()
      await sandbox['tokens.expire']({ uid })
      setExpired({ before, did: await readSeq() })
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section id="tokens" title="Access tokens">
      <Row
        label="issued tokens"
        note="Requests with a token from before get 401, code 1004, until the client requests a new one. Section 5."
      >
        <span className="row">
          <Button aria-disabled={isBusy} onClick={() => void expire()}>
            Expire now
          </Button>
          {expired && (
            <>
              <span role="status">The tokens were expired.</span>
              <Undo key={expired.did} before={expired.before} seq={expired.did} what="the expiry" />
            </>
          )}
        </span>
        <Problem>{error}</Problem>
      </Row>
    </Section>
  )
}
