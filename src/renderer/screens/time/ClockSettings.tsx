import { useState } from 'react'
import { machines } from '../../../api/contract/machines.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { collections, isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { showFailure } from '../../data/messages.ts'
import { sandbox } from '../../data/sandbox.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { cx } from '../../ui/cx.ts'
import { Select } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import styles from './ClockSettings.module.css'

/** The clock's mode, its pace, and the condition on which it freezes. */
export function ClockSettings() {
  const clock = useFeed((feed) => feed.clock)
  if (!clock) return null
  return (
    <section className={styles.settings} aria-label="Clock">
      <div className="row">
        <Choice
          legend="Clock"
          inline
          options={[
            { value: 'running', label: 'running' },
            { value: 'frozen', label: 'frozen' },
          ]}
          value={clock.mode}
          onChange={(mode) => void showFailure(sandbox['clock.set']({ mode }))}
        />
        <Choice
          legend="Pace"
          inline
          options={[
            { value: 'fast', label: 'fast' },
            { value: 'real', label: 'real' },
          ]}
          value={clock.pace}
          onChange={(pace) => void showFailure(sandbox['clock.set']({ pace }))}
        />
      </div>
      {clock.break_on ? (
        <div className={cx('row', styles.break)}>
          <span className="wait">
            <Glyph name="held" />
          </span>
          <span className="data wrap">
            Freezes when {nameRecord(clock.break_on.collection)}{' '}
            {clock.break_on.uid !== undefined && isCollection(clock.break_on.collection) && (
              <RecordLink collection={clock.break_on.collection} uid={clock.break_on.uid}>
                {clock.break_on.uid}
              </RecordLink>
            )}{' '}
            reaches <code>{clock.break_on.status}</code>
          </span>
          <Button className="end" small onClick={() => void showFailure(sandbox['clock.set']({ break_on: null }))}>
            Clear <span className="unseen">the break condition</span>
          </Button>
        </div>
      ) : (
        <BreakForm />
      )}
    </section>
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

function BreakForm() {
  const [collection, setCollection] = useState('transactions')
  const [status, setStatus] = useState('authorization_pending')
  const selectCollection = (to: string) => {
    setCollection(to)
    setStatus(statusesByCollection.get(to)![0]!)
  }
  return (
    <form
      className={cx('row', styles.break)}
      onSubmit={(event) => {
        event.preventDefault()
        void showFailure(sandbox['clock.set']({ break_on: { collection, status } }))
      }}
    >
      <span className="data soft">Freeze when</span>
      <Select
        className={styles.field}
        aria-label="Collection"
        value={collection}
        onChange={(event) => selectCollection(event.target.value)}
      >
        {[...statusesByCollection.keys()].map((name) => (
          <option key={name} value={name}>
            {nameRecord(name)}
          </option>
        ))}
      </Select>
      <span className="data soft">reaches</span>
      <Select
        className={styles.field}
        aria-label="Status"
        value={status}
        onChange={(event) => setStatus(event.target.value)}
      >
        {statusesByCollection.get(collection)!.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Button type="submit" small>
        Set
      </Button>
    </form>
  )
}
