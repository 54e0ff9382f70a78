import { lazy, Suspense, useRef, useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import type { LegalMove } from '../../../api/contract/control/records.ts'
import { taskRow } from '../../../api/contract/tasks.ts'
import { AnyRecordLink, RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { signalOfGlyph } from '../../components/Status.tsx'
import { NONE } from '../../data/exchange-filter.ts'
import { useNow } from '../../data/feed.ts'
import { announce } from '../../data/messages.ts'
import { sandbox, useAction, useQuery } from '../../data/sandbox.ts'
import { formatCount, formatDuration, formatShortInstant, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { EmptyLine, Loaded, Notice } from '../../ui/Notice.tsx'
import { Amount, type GlyphName, GlyphText, Text } from '../../ui/Text.tsx'
import styles from './Now.module.css'

/** Its fields are drawn from schemas, which the first screen does not load. */
const DecisionForm = lazy(async () => ({
  default: (await import('../../components/decisions/DecisionList.tsx')).DecisionForm,
}))

type Needs = NonNullable<MethodOutput<'now.read'>['needs']>
type Decision = Needs['decisions'][number]

const WATCHED = ['transactions', 'customers', 'tasks', 'exchanges', 'programs', 'webhooks', 'webhook_deliveries']
const PACE = { pauses: 3 }

const countOf = ({ decisions_total, webhooks, tasks_total, refusals_total }: Needs) =>
  decisions_total + webhooks.length + tasks_total + refusals_total

/** What waits for the user, each with what can be done about it. `isQuiet`: nothing is drawn while nothing waits. */
export function Needs({ program_uid, isQuiet }: { program_uid: string; isQuiet: boolean }) {
  const query = useQuery('now.read', { program_uid, parts: ['needs'] }, WATCHED, PACE)
  const needs = query.data?.needs ?? undefined
  const box = useRef<HTMLElement>(null)
  const { run, error } = useAction(async (what: string, work: () => Promise<unknown>) => {
    const next = document.activeElement?.closest('li')?.nextElementSibling?.querySelector('button')
    await work()
    announce(what)
    // Its row and the button with the focus will go.
    ;(next ?? box.current)?.focus()
  })
  if (isQuiet && (!needs || countOf(needs) === 0)) return null
  return (
    <Section
      ref={box}
      tabIndex={-1}
      title="Needs you"
      note={needs && countOf(needs) > 0 ? formatCount(countOf(needs)) : undefined}
      className={styles.needs}
    >
      {error !== undefined && <Notice title="It was not done." error={error} />}
      <Loaded query={query} failure="What waits for you could not be read." rows={6}>
        {() => needs && <List needs={needs} run={run} />}
      </Loaded>
    </Section>
  )
}

type Run = (what: string, work: () => Promise<unknown>) => Promise<void>

function List({ needs, run }: { needs: Needs; run: Run }) {
  const { decisions, decisions_total, webhooks, tasks, tasks_total, refusals, refusals_total } = needs
  if (countOf(needs) === 0)
    return (
      <EmptyLine>
        Nothing waits: no decision, no failing webhook, no held or failed task, no refusal without an accepted request
        after it.
      </EmptyLine>
    )
  return (
    <ul data-decisions>
      {decisions.map((decision) => (
        <DecisionRow key={decision.uid} decision={decision} run={run} />
      ))}
      {decisions_total > decisions.length && (
        <More>
          {plural(decisions_total - decisions.length, 'more decision')}:{' '}
          <ScreenLink collection="transactions" params={{ status: ['authorization_pending'] }}>
            Transactions
          </ScreenLink>{' '}
          <ScreenLink screen="customers">Customers</ScreenLink>
        </More>
      )}
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.uid} webhook={webhook} run={run} />
      ))}
      {tasks.map((task) => (
        <TaskRow key={task.uid} task={task} run={run} />
      ))}
      {tasks_total > tasks.length && <More>{plural(tasks_total - tasks.length, 'more held or failed task')}</More>}
      {refusals.map((group) => (
        <RefusalRow key={`${group.status} ${group.code} ${group.endpoint}`} group={group} />
      ))}
      {refusals_total > refusals.length && (
        <More>
          <ScreenLink screen="requests" params={{ refused: ['yes'] }}>
            {plural(refusals_total - refusals.length, 'more group')} of refusals
          </ScreenLink>
        </More>
      )}
    </ul>
  )
}

const More = ({ children }: { children: React.ReactNode }) => (
  <Row as="li" gap={8} pad="4 16" text="data" tone="soft" line="top">
    {children}
  </Row>
)

interface NeedProps {
  readonly glyph: GlyphName
  readonly title: React.ReactNode
  readonly facts: React.ReactNode
  readonly buttons?: React.ReactNode
  /** Below all of it. */
  readonly children?: React.ReactNode
}

const Need = ({ glyph, title, facts, buttons, children }: NeedProps) => (
  <Stack
    as="li"
    columns="minmax(0, 1fr) auto"
    gap="4 12"
    pad="4 16"
    least={44}
    line="top"
    text="data"
    align="center"
    data-need
  >
    <div style={{ minWidth: 0 }}>
      <GlyphText glyph={glyph} signal={signalOfGlyph(glyph)} style={{ maxWidth: '100%', color: 'var(--ink)' }}>
        {title}
      </GlyphText>
      <div className="meta wrap">{facts}</div>
    </div>
    <span className="row" data-tight>
      {buttons}
    </span>
    {children}
  </Stack>
)

function DecisionRow({ decision, run }: { decision: Decision; run: Run }) {
  const { collection, uid, name, customer_name, amount, moves, status, since } = decision
  const [opened, setOpened] = useState<LegalMove | null>(null)
  const decide = (move: string, inputs: Readonly<Record<string, string>>) => {
    const made = run(`${labelOf(move)}: ${name}`, () =>
      sandbox['moves.make']({ collection, uid, move, inputs: { ...inputs } }),
    )
    return made.then(() => setOpened(null))
  }
  return (
    <Need
      glyph="decide"
      title={
        <>
          <RecordLink collection={collection as 'transactions' | 'customers'} uid={uid} title={name}>
            {name}
          </RecordLink>
          {amount !== null && <Amount value={amount} movement />}
        </>
      }
      facts={
        collection === 'customers' ? (
          `${status.replaceAll('_', ' ')}, created ${formatShortInstant(Date.parse(since))}`
        ) : (
          <>
            <Text>{customer_name}</Text> · <Closes decision={decision} />
          </>
        )
      }
      buttons={moves.map((move) => {
        const asks = move.inputs.some(({ required }) => required)
        return (
          <Button
            key={move.move}
            small
            aria-expanded={asks ? opened?.move === move.move : undefined}
            onClick={() => (asks ? setOpened(opened ? null : move) : void decide(move.move, {}))}
          >
            {labelOf(move.move)}
            {asks && '…'} <span className="unseen">{name}</span>
          </Button>
        )
      })}
    >
      {opened && (
        <Suspense>
          <DecisionForm
            move={opened}
            busy={false}
            onDecide={(inputs) => decide(opened.move, inputs)}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </Need>
  )
}

const labelOf = (move: string) => `${move[0]!.toUpperCase()}${move.slice(1)}`
const WORDS = { approve: 'approved', deny: 'denied' } as const

function Closes({ decision: { closes_at, unanswered } }: { decision: Decision }) {
  const now = useNow()
  if (closes_at === null) return null
  const left = Date.parse(closes_at) - now
  return (
    <span role="timer" title={closes_at}>
      {left > 0 ? `closes in ${formatDuration(left)}` : 'closes now'}
      {unanswered && `, then ${WORDS[unanswered]}`}
    </span>
  )
}

function WebhookRow({ webhook, run }: { webhook: Needs['webhooks'][number]; run: Run }) {
  const { uid, url, failed, waiting, event_uid, answer } = webhook
  return (
    <Need
      glyph="broken"
      title={
        <RecordLink collection="webhooks" uid={uid}>
          {url ?? 'no address'}
        </RecordLink>
      }
      facts={[
        failed > 0 && `${formatCount(failed)} failed`,
        waiting > 0 && `${formatCount(waiting)} to be sent again`,
        answer,
      ]
        .filter(Boolean)
        .join(' · ')}
      buttons={
        <Button
          small
          onClick={() => void run('Sent again', () => sandbox['events.resend']({ uid: event_uid, webhook_uid: uid }))}
        >
          Send the newest again
        </Button>
      }
    />
  )
}

function TaskRow({ task, run }: { task: Needs['tasks'][number]; run: Run }) {
  const { uid, kind, record, failed, due_at } = task
  const [name, method] =
    failed === null ? (['Release', 'tasks.release'] as const) : (['Run again', 'tasks.run'] as const)
  return (
    <Need
      glyph={failed === null ? 'held' : 'broken'}
      title={
        <AnyRecordLink collection={taskRow(kind)?.subject} uid={record}>
          {task.why}
        </AnyRecordLink>
      }
      facts={failed ?? `held, due ${formatShortInstant(Date.parse(due_at))}`}
      buttons={
        <Button small onClick={() => void run(`${name}: ${kind}`, () => sandbox[method]({ uid }))}>
          {name}
        </Button>
      }
    />
  )
}

function RefusalRow({ group }: { group: Needs['refusals'][number] }) {
  const { status, code, endpoint, request, requests, newest, did, fix } = group
  const params = {
    refused: ['yes'],
    status: [String(status)],
    code: [String(code ?? NONE)],
    endpoint: [endpoint ?? NONE],
  }
  return (
    <Need
      glyph="broken"
      title={
        <span className="cut" title={did}>
          <span className="mono">{request}</span>{' '}
          <ScreenLink screen="requests" record={newest}>
            {code ?? status}
          </ScreenLink>{' '}
          <Text>{did}</Text>
        </span>
      }
      facts={fix ?? 'It has no code of the API.'}
      buttons={
        <ScreenLink screen="requests" params={params}>
          {plural(requests, 'request')}
        </ScreenLink>
      }
    />
  )
}
