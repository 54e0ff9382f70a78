import { useState } from 'react'
import { markChanged, useFeed } from '../../data/feed.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { CAPTION, Comparison } from './Comparison.tsx'
import { UNNAMED } from './parts.tsx'

interface CompareSnapshotsProps {
  readonly names: readonly string[]
  readonly a: string
  readonly b: string
  readonly onSelect: (a: string, b: string) => void
}

/** Two snapshots, or one and the current world. A comparison with the current world is repeated on request only. */
export function CompareSnapshots({ names, a, b, onSelect }: CompareSnapshotsProps) {
  const seq = useFeed((feed) => feed.seq)
  const [comparedSeq, setComparedSeq] = useState(seq)
  const select = (left: string, right: string) => {
    setComparedSeq(seq)
    onSelect(left, right)
  }
  const isOutdated = a !== b && (a === UNNAMED || b === UNNAMED) && seq > comparedSeq
  return (
    <Comparison
      method="snapshots.compare"
      watched={['compared', 'snapshots']}
      heading={
        <>
          <h2>Compare</h2>
          <span className="soft">from</span>
        </>
      }
      labels={['From', 'to', 'To']}
      names={names}
      a={a}
      b={b}
      unnamed="the current world"
      onSelect={select}
      actions={
        <Button small onClick={() => select(b, a)}>
          Swap
        </Button>
      }
      whenSame="Both sides are the same world. Choose another one."
    >
      {isOutdated && (
        <Caption as="p" className="data soft" style={CAPTION}>
          The current world has changed since this comparison.
          <Button
            small
            onClick={() => {
              setComparedSeq(seq)
              markChanged('compared')
            }}
          >
            Compare again
          </Button>
        </Caption>
      )}
    </Comparison>
  )
}
