import type { Webhook } from '../../../api/contract/resources/webhooks.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { Status } from '../../components/Status.tsx'
import { webhookName } from '../../components/webhooks/use-webhooks.ts'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { formatCount } from '../../format/numbers.ts'
import { Column, Row } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'

/** The webhooks of all Programs, with what can be done with each. */
export function Subscriptions({ webhooks }: { webhooks: readonly Webhook[] }) {
  const programs = useFeed((feed) => feed.programs)
  const { run, result, error } = useAction(async (work: () => Promise<unknown>, done: string) => {
    await work()
    return done
  })
  const programName = (uid: string) => programs.find((program) => program.uid === uid)?.name ?? uid
  const isOneProgram = programs.length < 2
  const isRoomy = useIsWide(1201)
  const headers = [
    { label: 'Address', width: '32%' },
    { label: 'Topics' },
    { label: 'Status', width: 112 },
    ...(isOneProgram ? [] : [{ label: 'Program', width: '14%' }]),
    { label: 'Actions', width: isRoomy ? 344 : 196 },
  ]
  return (
    <Column
      as="section"
      aria-label="Webhooks"
      line="bottom"
      style={{ flex: 'none', maxHeight: '40%', borderColor: 'var(--line-strong)' }}
    >
      <Caption>
        <h2>
          {formatCount(webhooks.length)} {webhooks.length === 1 ? 'webhook' : 'webhooks'}
        </h2>
        <span className="meta" role="status">
          {result}
        </span>
      </Caption>
      {error !== undefined && <Notice title="The webhook was not changed." error={error} />}
      <Column scroll>
        <Table headers={headers}>
          {webhooks.map((webhook) => (
            <tr key={webhook.uid} data-webhook={webhook.uid}>
              <td>
                <Address webhook={webhook} />
              </td>
              <td>
                {webhook.topics === null ? (
                  <span className="soft">all</span>
                ) : (
                  <span className="mono">{webhook.topics.join(', ')}</span>
                )}
              </td>
              <td>
                <Status word={webhook.status} />
              </td>
              {!isOneProgram && (
                <td>
                  <Text>{programName(webhook.program_uid)}</Text>
                </td>
              )}
              <td>
                <RowActions webhook={webhook} run={run} />
              </td>
            </tr>
          ))}
        </Table>
      </Column>
    </Column>
  )
}

function Address({ webhook: { uid, url, status } }: { webhook: Webhook }) {
  return (
    <>
      <RecordLink collection="webhooks" uid={uid}>
        {url ?? 'no address'}
      </RecordLink>
      {url === null && <span className="meta hint">Listens here: its events are kept and sent nowhere.</span>}
      {status === 'unconfirmed' && (
        <span className="meta hint">No events are sent until its receiver has accepted a test event.</span>
      )}
    </>
  )
}

interface RowActionsProps {
  readonly webhook: Webhook
  /** Waits for a call, and says what was done or why not. */
  readonly run: (work: () => Promise<unknown>, done: string) => void
}

function RowActions({ webhook, run }: RowActionsProps) {
  const { uid, url, status, hmac_key } = webhook
  const name = webhookName(webhook)
  const isActive = status === 'active'
  const setStatus = (to: 'active' | 'paused') =>
    run(() => sandbox['webhooks.update']({ uid, status: to }), to === 'active' ? 'Activated.' : 'Paused.')
  return (
    <Row as="span" gap={4} wraps>
      {url !== null && (
        <Button small onClick={() => run(() => sandbox['webhooks.test']({ uid }), 'The test event is in the list.')}>
          Test <Of name={name} />
        </Button>
      )}
      <Button small onClick={() => setStatus(isActive ? 'paused' : 'active')}>
        {isActive ? 'Pause' : 'Activate'} <Of name={name} />
      </Button>
      <Button small onClick={() => useRoute.getState().filter('form', [uid])}>
        Edit… <Of name={name} />
      </Button>
      <CopyButton text={hmac_key} what="HMAC key" label="Key" small />
      <Confirm
        small
        label="Delete…"
        title="Delete this webhook?"
        action="Delete"
        onConfirm={() => run(() => sandbox['webhooks.delete']({ uid }), 'Deleted.')}
      >
        <Text>{url ?? 'The webhook without an address'}</Text>: its deliveries that are not finished fail. Its events
        stay.
      </Confirm>
    </Row>
  )
}

const Of = ({ name }: { name: string }) => <span className="unseen">{name}</span>
