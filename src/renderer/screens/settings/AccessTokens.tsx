import { Undo } from '../../components/Undo.tsx'
import type { Program } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem, Row, Section } from './Row.tsx'
import { useUndoableAction } from './use-undoable-action.ts'

/** Expires the access tokens of a Program, so that a client shows how it renews its token. */
export function AccessTokens({ program: { uid } }: { program: Program }) {
  const { run, isBusy, done, error } = useUndoableAction(`tokens ${uid}`)
  const expire = () => run(async () => void (await sandbox['tokens.expire']({ uid })))
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
          {done && (
            <>
              <span role="status">The tokens were expired.</span>
              <Undo key={done.seq} before={done.before} seq={done.seq} what="the expiry" />
            </>
          )}
        </span>
        <Problem>{error}</Problem>
      </Row>
    </Section>
  )
}
