import { useState } from 'react'
import { machines } from '../../../api/contract/machines.ts'
import { AnyRecordLink } from '../../components/RecordLink.tsx'
import { collections, isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { showFailure } from '../../data/messages.ts'
import { sandbox } from '../../data/sandbox.ts'
import { submitting } from '../../data/use-action.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { Select } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import styles from './Time.module.css'

const settings = [
  ['mode', 'Clock', ['running', 'frozen']],
  ['pace', 'Pace', ['fast', 'real']],
] as const

/** The clock's mode, its pace, and the condition on which it freezes. */
export function ClockSettings() {
  const clock = useFeed((feed) => feed.clock)
  if (!clock) return null
  return (
    <Stack as="section" gap={6} pad="8 16" line="bottom" aria-label="Clock">
      <Row wraps gap="0 16">
        {settings.map(([name, legend, values]) => (
          <Choice
            key={name}
            legend={legend}
            inline
            legendWidth={76}
            optionWidth={72}
            className={styles.choice}
            options={values.map((value) => ({ value, label: value }))}
            value={clock[name]}
            onChange={(value) => void showFailure(sandbox['clock.set']({ [name]: value }))}
          />
        ))}
      </Row>
      {clock.break_on ? (
        <Row gap={6} align="baseline">
          <span className="wait">
            <Glyph name="held" />
          </span>
          <span className="data wrap">
            Freezes when {nameRecord(clock.break_on.collection)}{' '}
            {clock.break_on.uid !== undefined && (
              <AnyRecordLink {...clock.break_on} uid={clock.break_on.uid}>
                {clock.break_on.uid}
              </AnyRecordLink>
            )}{' '}
            reaches <code>{clock.break_on.status}</code>
          </span>
          <Button className="end" small onClick={() => void showFailure(sandbox['clock.set']({ break_on: null }))}>
            Clear <span className="unseen">the break condition</span>
          </Button>
        </Row>
      ) : (
        <BreakForm />
      )}
    </Stack>
  )
}

/** The statuses of each collection with a state machine: the clock can freeze on them. */
const statusesByCollection: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(machines).flatMap(([name, { states }]) => {
    const collection = `${name}s`
    return isCollection(collection) ? [[collection, states] as const] : []
  }),
)

const nameRecord = (collection: string) => `a ${isCollection(collection) ? collections[collection].one : collection}`

const PADDING = { padding: '0 2px 0 4px' }

function BreakForm() {
  const [collection, setCollection] = useState('transactions')
  const [status, setStatus] = useState('authorization_pending')
  const selectCollection = (to: string) => {
    setCollection(to)
    setStatus(statusesByCollection.get(to)![0]!)
  }
  return (
    <Stack
      as="form"
      columns="76px minmax(0, 1fr) auto"
      gap={6}
      align="center"
      onSubmit={submitting(() => showFailure(sandbox['clock.set']({ break_on: { collection, status } })))}
    >
      <span className="data soft">Freeze when</span>
      <Select
        style={{ ...PADDING, gridColumn: '2 / -1' }}
        aria-label="Collection"
        value={collection}
        onChange={selectCollection}
        options={[...statusesByCollection.keys()].map((name) => [name, nameRecord(name)])}
      />
      <span className="data soft">reaches</span>
      <Select
        style={PADDING}
        aria-label="Status"
        value={status}
        onChange={setStatus}
        options={statusesByCollection.get(collection)!}
      />
      <Button type="submit" small>
        Set
      </Button>
    </Stack>
  )
}
