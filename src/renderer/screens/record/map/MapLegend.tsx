import { Row } from '../../../ui/Box.tsx'
import { Band } from './Band.tsx'
import type { Part } from './layout.ts'
import { PARTS } from './words.ts'

const texts: Readonly<Record<Part, string>> = {
  settled: 'settled',
  returned: 'settled, then returned',
  return_pending: 'settled, return pending',
  pending: 'pending at the end of the time',
}

export const MapLegend = () => (
  <Row as="section" wraps gap="4 20" text="meta" tone="faint" style={{ padding: '8px 16px 4px' }} aria-label="Legend">
    {PARTS.map((part) => (
      <span key={part} className="row">
        <svg width="28" height="12" aria-hidden="true">
          <Band part={part} path="M0.5 0.5h27v11h-27z" />
        </svg>
        {texts[part]}
      </span>
    ))}
    <span>Thickness: square root of the amount, at least 2 px</span>
  </Row>
)
