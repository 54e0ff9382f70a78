import type { OutgoingRequest } from '../../../api/contract/control/repairs.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { sendRepaired } from '../../actions/world.ts'
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

/** Changes with which the API accepts the request now: each was tried. Buttons send the changed request, or open it. */
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
        {data.repairs.map((repair, at) => (
          <Row key={repair.say} as="li" wraps gap="4 8" className="wrap">
            <Text>{repair.say}</Text>
            <ActionButton small primary={at === 0} action={sendRepaired(uid, repair)} />
            <Button small onClick={() => edit(repair.request)}>
              Edit
            </Button>
          </Row>
        ))}
      </Stack>
    </Property>
  )
}
