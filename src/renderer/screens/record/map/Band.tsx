import type { Part } from './layout.ts'

/** A part of a flow: settled money is solid, what went back is hatched, and what is under way is dashed. */

const hatches: Partial<Record<Part, string>> = { returned: 'map-returned', return_pending: 'map-return-pending' }
/** Their colors. */
const signals = { returned: 'var(--bad)', return_pending: 'var(--wait)' } as const

type Look = React.SVGAttributes<SVGPathElement>
const UNDER_WAY: Look = { stroke: 'var(--wait)', strokeDasharray: '4 3' }
const looks: Readonly<Record<Part, Look>> = {
  settled: { fill: 'var(--ink-2)', fillOpacity: 0.3, stroke: 'var(--ink-2)', strokeOpacity: 0.5 },
  returned: { fill: `url(#${hatches.returned})`, stroke: 'var(--bad)' },
  return_pending: { fill: `url(#${hatches.return_pending})`, ...UNDER_WAY },
  pending: { fill: 'var(--wait)', fillOpacity: 0.14, ...UNDER_WAY },
}
const LIT: Look = { fill: 'var(--accent)', fillOpacity: 0.5, stroke: 'var(--accent)', strokeOpacity: 1 }

interface BandProps {
  readonly part: Part
  readonly path: string
  readonly isLit?: boolean
}

export const Band = ({ part, path, isLit = false }: BandProps) => (
  <path
    d={path}
    data-part={part}
    strokeWidth={isLit ? 1.5 : 1}
    {...looks[part]}
    {...(isLit && part === 'settled' ? LIT : {})}
  />
)

/** The patterns of all bands of the page. */
export const Hatches = () => (
  <defs>
    {Object.entries(signals).map(([part, color]) => (
      <pattern
        key={part}
        id={hatches[part as Part]}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect fill={color} fillOpacity={0.12} width="5" height="5" />
        <line stroke={color} strokeWidth={2.4} x1="0" x2="0" y1="0" y2="5" />
      </pattern>
    ))}
  </defs>
)
