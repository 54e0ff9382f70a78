import { cx } from '../../ui/cx.ts'
import { Caption, Columns } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Notice.tsx'
import styles from './Connect.module.css'
import { formatListenCommand, receiverLanguages, receiverValues } from './receiver-snippets.ts'
import { Snippet } from './Snippet.tsx'
import { ValueLine } from './ValueLine.tsx'

/** How an app receives webhooks. */
export function WebhookReceiver() {
  return (
    <Columns className={cx(styles.columns, styles.receiver)}>
      <section aria-label="Receive webhooks">
        <Caption>
          <h2>Receive webhooks</h2>
        </Caption>
        <ValueLine name="Subscribe" value={formatListenCommand(receiverValues)} />
        <ValueLine name="Webhook key" value={receiverValues.hmac_key} />
        <Note>
          The command prints each event, sends it to the receiver with its signature, and passes the response back. The
          webhook key is one that you choose, with at least 16 characters; it is not the HMAC key of the Program.
        </Note>
      </section>
      <Snippet
        label="Code of a receiver"
        what="receiver in"
        languages={receiverLanguages}
        values={receiverValues}
        note="Then run the command."
      />
    </Columns>
  )
}
