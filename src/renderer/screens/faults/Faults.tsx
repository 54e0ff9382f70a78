import { X } from 'lucide-react'
import { useState } from 'react'
import type { Fault } from '../../../api/contract/control/faults.ts'
import { clearFaults, setFaults } from '../../data/faults.ts'
import { type ActiveFault, useFeed } from '../../data/feed.ts'
import { faultMeanings, formatFault } from '../../format/faults.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Caption, Pane, ScreenBar, Split } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { AddFault } from './AddFault.tsx'
import styles from './Faults.module.css'

/** Misfortune for requests: what is set, and what can be. */
export function Faults() {
  const faults = useFeed((feed) => feed.faults)
  const [failure, setFailure] = useState<string | null>(null)
  const done = async (work: Promise<string | null>) => {
    const refused = await work
    setFailure(refused)
    return refused === null
  }
  return (
    <>
      <ScreenBar>
        <h1>Faults</h1>
        <span className="soft cut">What a network and a platform under load do to a caller</span>
        {faults.length > 0 && (
          <Button className="end" onClick={() => void done(clearFaults())}>
            Clear all
          </Button>
        )}
      </ScreenBar>
      {failure !== null && <Notice title="The faults were left as they are.">{failure}</Notice>}
      <Split data-stacks>
        <Pane aria-label="Faults that are set">
          {faults.length === 0 ? (
            <NoFaults add={(fault) => void done(setFaults([fault]))} />
          ) : (
            <ul className={styles.list} aria-label="Faults">
              {faults.map((fault, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fault is known by its place.
                <SetLine key={at} fault={fault} remove={() => void done(setFaults(faults.toSpliced(at, 1)))} />
              ))}
            </ul>
          )}
          {faults.length > 1 && (
            <Caption as="p" className="meta">
              A change begins the counts of all of them anew.
            </Caption>
          )}
        </Pane>
        <AddFault add={(fault) => done(setFaults([...faults, fault]))} />
      </Split>
    </>
  )
}

function SetLine({ fault, remove }: { fault: ActiveFault; remove: () => void }) {
  const words = formatFault(fault)
  return (
    <li>
      <span>
        <b>
          <Text>{words}</Text>
        </b>
        <br />
        <span className="soft">{faultMeanings[fault.kind]}</span>
      </span>
      <span className="soft nowrap">
        {fault.met === 0 ? 'met by none yet' : `met by ${plural(fault.met, 'request')}`}
      </span>
      <Button bare iconOnly aria-label={`Take back: ${words}`} onClick={remove}>
        <X size={13} aria-hidden="true" />
      </Button>
    </li>
  )
}

/** What an app most often has to stand. */
const READY: readonly { readonly title: string; readonly fault: Fault }[] = [
  { title: 'An answer is lost', fault: { kind: 'drop_after_commit', method: 'POST', path: '/transfers', times: 1 } },
  { title: 'A slow day', fault: { kind: 'latency', ms: 2_000, jitter_ms: 1_000 } },
  { title: 'One in ten fails', fault: { kind: 'status', status: 503, rate: 0.1 } },
  { title: 'Too much at once', fault: { kind: 'rate_limit', per_minute: 30 } },
]

function NoFaults({ add }: { add: (fault: Fault) => void }) {
  const refused = useFeed(({ exchanges }) => exchanges.filter(({ fault }) => fault !== undefined).length)
  return (
    <EmptyState
      stacked
      title="No fault is set"
      text={
        <>
          Every request is answered as the platform would on a good day. Set a fault and see what your app does with it.
          A fault may hide an answer; it changes nothing that is true.
          {refused > 0 && ` ${formatCount(refused)} of the requests in the log met with one.`}
        </>
      }
      listLabel="Faults to begin with"
    >
      {READY.map(({ title, fault }) => (
        <li key={title} className="row">
          <span className="grow">
            <b>{title}</b>
            <br />
            {formatFault(fault)}. {faultMeanings[fault.kind]}
          </span>
          <Button aria-label={`Set: ${title}`} onClick={() => add(fault)}>
            Set
          </Button>
        </li>
      ))}
    </EmptyState>
  )
}
