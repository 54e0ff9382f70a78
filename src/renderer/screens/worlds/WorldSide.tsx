import { type DecisionInputs, DecisionList } from '../../components/decisions/DecisionList.tsx'
import { Status } from '../../components/Status.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { markChanged } from '../../data/feed.ts'
import { recordStatus } from '../../data/records.ts'
import { sandboxOf } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { isMissing, placeAddress, worldLabel } from '../../data/worlds.ts'
import { formatCount } from '../../format/numbers.ts'
import { Row } from '../../ui/Box.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Instant } from './parts.tsx'

/** What the comparison and its two sides read again: no notice of another world reaches this window. */
export const COMPARED = 'compared worlds'

export interface RecordToDecide {
  readonly collection: CollectionName
  readonly uid: string
}

interface WorldSideProps {
  readonly world: string | null
  readonly record: RecordToDecide | null
}

/** One of two compared worlds: its time, and the record with the decisions about it. */
export function WorldSide({ world, record }: WorldSideProps) {
  const label = worldLabel(world)
  const clock = useQuery('clock.read', {}, [COMPARED], { world })
  const about = useQuery('world.describe', {}, [COMPARED], { world })
  if (about.error !== undefined && isMissing(about.error))
    return (
      <section aria-label={label}>
        <h2>{label}</h2>
        <Notice title={`There is no world “${label}”.`}>
          It was dropped, or the sandbox was restarted. Choose another world above.
        </Notice>
      </section>
    )
  const place = record ? { collection: record.collection, record: record.uid } : { screen: 'connect' as const }
  return (
    <section aria-label={label}>
      <Row wraps gap="0 12" align="baseline">
        <h2 className="cut">
          <a title={label} href={placeAddress(world, place)}>
            {label}
          </a>
        </h2>
        <span className="meta">
          {clock.data && (
            <>
              <Instant at={clock.data.now} /> ET
            </>
          )}
          {about.data && `, commit ${formatCount(about.data.seq)}`}
        </span>
      </Row>
      {about.error !== undefined && <Notice title="The world could not be read." error={about.error} />}
      {record && about.error === undefined && <DecidedRecord world={world} record={record} />}
    </section>
  )
}

function DecidedRecord({ world, record: { collection, uid } }: { world: string | null; record: RecordToDecide }) {
  const { one } = collections[collection]
  const input = { collection, uid }
  const fields = useQuery('records.get', input, [COMPARED], { world })
  const moves = useQuery('moves.list', input, [COMPARED], { world })
  if (fields.error !== undefined)
    return <Notice title={`The ${one} ${uid} could not be read in this world.`} error={fields.error} />
  if (!fields.data || !moves.data) return fields.slow || moves.slow ? <Skeleton rows={3} /> : null
  const status = recordStatus(fields.data)
  const decide = async (move: string, inputs: DecisionInputs) => {
    await sandboxOf(world)['moves.make']({ collection, uid, move, inputs })
    markChanged(COMPARED)
  }
  return (
    <>
      <Row as="p" gap={8} least={28}>
        {status !== null && <Status word={status} />}
        <span className="meta cut" title={uid}>
          {one} <span className="mono">{uid}</span>
        </span>
      </Row>
      {/* The rows of the list have an inset of their own. */}
      <div style={{ marginInline: -16 }}>
        <DecisionList
          moves={moves.data.moves.filter(({ legal }) => legal)}
          isWaiting={false}
          none="No decision is possible now."
          onDecide={decide}
        />
      </div>
    </>
  )
}
