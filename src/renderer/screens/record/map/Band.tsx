import styles from './Band.module.css'
import type { Part } from './layout.ts'

/** A part of a flow: settled money is solid, what went back is hatched, and what is under way is dashed. */

const hatches: Partial<Record<Part, string>> = { returned: 'map-returned', return_pending: 'map-return-pending' }

export const Band = ({ part, path }: { part: Part; path: string }) => {
  const hatch = hatches[part]
  return <path className={styles.band} d={path} data-part={part} fill={hatch && `url(#${hatch})`} />
}

/** The patterns of all bands of the page. */
export const Hatches = () => (
  <defs>
    {Object.entries(hatches).map(([part, id]) => (
      <pattern key={id} id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className={styles.ground} data-part={part} width="5" height="5" />
        <line className={styles.hatch} data-part={part} x1="0" x2="0" y1="0" y2="5" />
      </pattern>
    ))}
  </defs>
)
