import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { HmacKey } from '../../../api/contract/resources/programs.ts'
import type { Program } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Row as Line } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { InputRow, Problem, Row, Section } from './Row.tsx'
import { showProgram, Undoable, useUndoableAction } from './undoable.tsx'

/** The HMAC key: hidden until the user shows it, and a form to replace it. */
export function KeyRotation({ program }: { program: Program }) {
  const [isShown, setShown] = useState(false)
  const [newKey, setNewKey] = useState('')
  /** Why the key was not sent. */
  const [keyError, setKeyError] = useState<string>()
  const { run, isBusy, done, error, reset } = useUndoableAction(`key ${program.uid}`)
  const rotate = async () => {
    const hmac_key = newKey === '' ? {} : { hmac_key: newKey }
    const rotated = await sandbox['programs.rotate_key']({ uid: program.uid, ...hmac_key })
    showProgram(rotated)
    setNewKey('')
    return rotated
  }
  const submit = () => {
    const issue = newKey === '' ? undefined : HmacKey.safeParse(newKey).error?.issues[0]
    return issue ? setKeyError(issue.message) : run(rotate, 'The key was rotated.')
  }
  const Icon = isShown ? EyeOff : Eye
  return (
    <Section id="key" title="HMAC key">
      <Row
        label="hmac_key"
        note="Signs refresh tokens with HS512; use its characters as UTF-8 bytes. It is never in the request log. Section 5."
      >
        <span className="row">
          <span className="mono wrap" style={{ minWidth: 0, padding: '4px 0' }} data-covered={isShown ? undefined : ''}>
            {isShown ? <Text>{program.hmac_key}</Text> : '•'.repeat(16)}
          </span>
          <Button icon={Icon} small aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'} <span className="unseen">the key</span>
          </Button>
          <CopyButton text={program.hmac_key} what="HMAC key" small />
        </span>
      </Row>
      <InputRow
        label="new key"
        note="At least 16 characters. Refresh tokens signed with the old key are refused from then on; access tokens stay valid for the rest of their 8 hours."
        onSubmit={submit}
        input={{
          mono: true,
          value: newKey,
          placeholder: 'empty: random key',
          invalid: keyError !== undefined || error !== undefined,
        }}
        onType={(text) => {
          setNewKey(text)
          setKeyError(undefined)
          reset()
        }}
        below={
          <>
            <Problem error={error}>{keyError}</Problem>
            {done && (
              <Line as="p" gap={8} wraps>
                <Undoable done={done} what="the rotation" />
              </Line>
            )}
          </>
        }
      >
        <Button type="submit" aria-disabled={isBusy}>
          Rotate
        </Button>
      </InputRow>
    </Section>
  )
}

/** Expires the access tokens of a Program, so that a client shows how it renews its token. */
export function AccessTokens({ program: { uid } }: { program: Program }) {
  const { run, isBusy, done, error } = useUndoableAction(`tokens ${uid}`)
  const expire = () => sandbox['tokens.expire']({ uid })
  return (
    <Section id="tokens" title="Access tokens">
      <Row
        label="issued tokens"
        note="Requests with a token from before get 401, code 1004, until the client requests a new one. Section 5."
      >
        <span className="row">
          <Button aria-disabled={isBusy} onClick={() => void run(expire, 'The tokens were expired.')}>
            Expire now
          </Button>
          {done && <Undoable done={done} what="the expiry" />}
        </span>
        <Problem error={error} />
      </Row>
    </Section>
  )
}
