import { shown } from '../words.ts'

/** What somebody stored. Isolated, so that a mark of direction in it turns nothing around it. */
export function Text({ children, className }: { children: string; className?: string }) {
  return <bdi className={className}>{shown(children)}</bdi>
}
