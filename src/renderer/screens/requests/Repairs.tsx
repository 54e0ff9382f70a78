import type { OutgoingRequest } from '../../../api/contract/control/repairs.ts'
import { useQuery } from '../../data/sandbox.ts'
import { Button } from '../../ui/Button.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Property, Text } from '../../ui/Text.tsx'

interface RepairsProps {
  /** Of the refused request. */
  readonly uid: string
  readonly edit: (request: OutgoingRequest) => void
}

/** Changes with which the API accepts the request now: each was tried. A button opens the changed request. */
export function Repairs({ uid, edit }: RepairsProps) {
  const { data } = useQuery('exchanges.repair', { uid })
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
