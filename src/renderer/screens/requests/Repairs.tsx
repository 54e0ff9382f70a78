import type { OutgoingRequest } from '../../../api/contract/control/repairs.ts'
import { ALL_COLLECTIONS } from '../../components/fields/use-record.ts'
import { useNow } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'
import { Button } from '../../ui/Button.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Property, Text } from '../../ui/Text.tsx'

interface RepairsProps {
  /** Of the refused request. */
  readonly uid: string
  readonly edit: (request: OutgoingRequest) => void
}

const BEAT_MS = 60_000

/** Changes with which the API accepts the request now: each was tried. A button opens the changed request. */
export function Repairs({ uid, edit }: RepairsProps) {
  const { data } = useQuery('exchanges.repair', { uid }, ALL_COLLECTIONS, {
    beat: useNow(BEAT_MS),
    every_ms: 1_000,
    pauses: 9,
  })
  if (!data || data.repairs.length === 0) return null
  return (
    <Property name="Repairs">
      <Stack as="ul" gap={4} aria-label="Repairs">
        {data.repairs.map(({ say, request }) => (
          <Row key={say} as="li" wraps gap="4 8" className="wrap">
            <Text>{say}</Text>
            <Button small onClick={() => edit(request)}>
              Edit
            </Button>
          </Row>
        ))}
      </Stack>
    </Property>
  )
}
