import { X } from 'lucide-react'
import { useState } from 'react'
import type { Fault } from '../../../api/contract/control/faults.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { clearFaultsAction } from '../../actions/world.ts'
import { setFaults } from '../../data/faults.ts'
import { type ActiveFault, useFeed } from '../../data/feed.ts'
import { faultMeanings, formatFault } from '../../format/faults.ts'
import { plural } from '../../format/numbers.ts'
import { Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Caption, Pane, ScreenBar, Split } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import { Text } from '../../ui/Text.tsx'
import { AddFault } from './AddFault.tsx'

/** The active faults, and a form to add one. */
export function Faults() {
  const faults = useFeed((feed) => feed.faults)
  const [failure, setFailure] = useState<string | null>(null)
  const form = usePaneSize('faults', '--sidebar')
  const apply = async (work: Promise<string | null>) => {
    const refusal = await work
    setFailure(refusal)
    return refusal === null
  }
  return (
    <>
      <ScreenBar>
        <h1>Faults</h1>
        <span className="soft cut">Network and server failures for the requests of your app</span>
        {faults.length > 0 && (
          <ActionButton className="end" action={clearFaultsAction()}>
            Clear all
          </ActionButton>
        )}
      </ScreenBar>
      {failure !== null && <Notice title="The faults were not changed.">{failure}</Notice>}
      <Split data-stacks style={form.style}>
        <Pane aria-label="Active faults">
          {faults.length === 0 ? (
            <NoFaults add={(fault) => void apply(setFaults([fault]))} />
          ) : (
            <ul aria-label="Faults">
              {faults.map((fault, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fault has no id, only its position.
                <ActiveFaultRow key={at} fault={fault} remove={() => void apply(setFaults(faults.toSpliced(at, 1)))} />
              ))}
            </ul>
          )}
          {faults.length > 1 && (
            <Caption as="p" className="meta">
              Any change resets all counts.
            </Caption>
          )}
        </Pane>
        <Splitter label="Width of the form" sizes="after" onResize={form.onResize} />
        <AddFault add={(fault) => apply(setFaults([...faults, fault]))} />
      </Split>
    </>
  )
}

function ActiveFaultRow({ fault, remove }: { fault: ActiveFault; remove: () => void }) {
  const text = formatFault(fault)
  return (
    <Stack
      as="li"
      columns="minmax(0, 1fr) auto 24px"
      gap={12}
      pad="6 16"
      align="center"
      line="bottom"
      text="data"
      className="wrap"
      mark="wait"
    >
      <span>
        <b>
          <Text>{text}</Text>
        </b>
        <br />
        <span className="soft">{faultMeanings[fault.kind]}</span>
      </span>
      <span className="soft nowrap">
        {fault.met === 0 ? 'not applied yet' : `applied to ${plural(fault.met, 'request')}`}
      </span>
      <Button icon={X} bare aria-label={`Remove: ${text}`} onClick={remove} />
    </Stack>
  )
}

/** The failures that apps must handle most often. */
const PRESETS: readonly { readonly title: string; readonly fault: Fault }[] = [
  { title: 'Lost response', fault: { kind: 'drop_after_commit', method: 'POST', path: '/transfers', times: 1 } },
  { title: 'Slow network', fault: { kind: 'latency', ms: 2_000, jitter_ms: 1_000 } },
  { title: 'One in ten requests fails', fault: { kind: 'status', status: 503, rate: 0.1 } },
  {
    title: 'Authorization fails (6008)',
    fault: { kind: 'status', code: 6008, method: 'PUT', path: '/transactions/{uid}/authorize', times: 1 },
  },
  { title: 'Rate limit', fault: { kind: 'rate_limit', per_minute: 30 } },
]

function NoFaults({ add }: { add: (fault: Fault) => void }) {
  const affected = useFeed(({ exchanges }) => exchanges.filter(({ fault }) => fault !== undefined).length)
  return (
    <EmptyState
      stacked
      title="No active faults"
      text={
        <>
          Add a fault to see how your app handles it. A fault can hide a response, but the world stays consistent.
          {affected > 0 && ` A fault was applied to ${plural(affected, 'request')} in the log.`}
        </>
      }
      listLabel="Common faults"
    >
      {PRESETS.map(({ title, fault }) => (
        <li key={title} className="row">
          <span className="grow">
            <b>{title}</b>
            <br />
            {formatFault(fault)}. {faultMeanings[fault.kind]}
          </span>
          <Button aria-label={`Add: ${title}`} onClick={() => add(fault)}>
            Add
          </Button>
        </li>
      ))}
    </EmptyState>
  )
}
